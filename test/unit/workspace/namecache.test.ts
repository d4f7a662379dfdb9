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

test('a cancelled call ends with the reason, and keeps what was embedded', async () => {
  using index = indexOf(new MemoryFolder());
  const stop = new AbortController();
  index.embedder.onEmbed = () => stop.abort();
  const cached = new CachedEmbedder(index.store, index.embedder);
  await assert.rejects(cached.embed(['frost'], 'concept', stop.signal), { name: 'AbortError' });
  await cached.embed(['frost'], 'concept');
  assert.equal(index.embedder.asked.length, 1);
});
