import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CachedEmbedder } from '../../../server/workspace/namecache.ts';
import { indexOf, MemoryFolder } from './fakes.ts';

test('a name is embedded once for each role, also by a later process', async () => {
  using index = indexOf(new MemoryFolder());
  const cached = new CachedEmbedder(index.store, index.embedder);
  const [a, b, again] = await cached.embed(['pump failure', 'frost', 'pump failure'], 'concept');
  assert.deepEqual(a, again);
  assert.notDeepEqual(a, b);
  await cached.embed(['pump failure'], 'query');
  assert.deepEqual(await new CachedEmbedder(index.store, index.embedder).embed(['frost'], 'concept'), [b]);
  assert.deepEqual(index.embedder.asked, [
    { text: 'pump failure', role: 'concept' },
    { text: 'frost', role: 'concept' },
    { text: 'pump failure', role: 'query' },
  ]);
});

test('a name asked for lately is not looked up in the index again', async () => {
  using index = indexOf(new MemoryFolder());
  const cached = new CachedEmbedder(index.store, index.embedder);
  const names = Array.from({ length: 9_000 }, (_, at) => `name ${at}`);
  const vectors = await cached.embed(names, 'concept');
  let lookedUp = 0;
  const { names: table } = index.store;
  const get = table.get.bind(table);
  table.get = (hash) => {
    lookedUp++;
    return get(hash);
  };
  assert.deepEqual(await cached.embed(names.slice(-4_000), 'concept'), vectors.slice(-4_000));
  assert.equal(lookedUp, 0);
  assert.deepEqual(await cached.embed(names.slice(0, 10), 'concept'), vectors.slice(0, 10));
  assert.equal(lookedUp, 10, 'what was forgotten is read from the index');
  assert.equal(index.embedder.asked.length, names.length, 'and never embedded twice');
});

test('a cancelled call ends with the reason, and keeps what was embedded', async () => {
  using index = indexOf(new MemoryFolder());
  const stop = new AbortController();
  index.embedder.onEmbed = () => stop.abort();
  const cached = new CachedEmbedder(index.store, index.embedder);
  await assert.rejects(cached.embed(['frost'], 'concept', stop.signal), { name: 'AbortError' });
  await cached.embed(['frost'], 'concept');
  assert.equal(index.embedder.asked.length, 1);
});
