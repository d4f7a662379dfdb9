import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PassageId, RetrievedPassage } from '../../../server/sarg/types.ts';
import { IndexRetriever } from '../../../server/workspace/retriever.ts';
import { fakeVector, indexOf, MemoryFolder } from './fakes.ts';

const FILES = {
  'frost.md': '# Frost\n\nThe pipe burst because of frost.\n',
  'boiler.md': '# Boiler\n\nThe boiler stopped because the pipe burst.\n',
  'rust.md': '# Rust\n\nThe valve stuck because of rust.\n',
  'zh.md': '# 水泵\n\n水泵因密封老化而失效。\n\n# 阀\n\n阀门卡住了。\n',
};

function found(results: readonly RetrievedPassage[]): string[] {
  return results.map(({ passage }) => `${passage.file}#${passage.ordinal}`);
}

async function indexed(files: Readonly<Record<string, string>> = FILES): Promise<ReturnType<typeof indexOf>> {
  const index = indexOf(new MemoryFolder(files));
  await index.indexer.update();
  return index;
}

test('a question finds by words and by vectors, best first, with its cosine', async () => {
  using index = await indexed();
  const retriever = new IndexRetriever(index.store, index.embedder);
  const question = 'Why did the valves get stuck?';
  const results = await retriever.retrieve(question, 3);
  assert.equal(found(results)[0], 'rust.md#0');
  assert.ok(results.every(({ score }, at) => at === 0 || score <= results[at - 1]!.score));
  for (const { passage, similarity, round } of results) {
    const [a, b] = [fakeVector(question), fakeVector(passage.text)];
    const cosine = a.reduce((sum, number, at) => sum + number * b[at]!, 0);
    assert.ok(Math.abs(similarity - cosine) < 1e-6);
    assert.equal(round, 0);
  }
});

test('ranks are fused as 1 / (k + rank), summed over both lists', async () => {
  using index = await indexed();
  const [first] = await new IndexRetriever(index.store, index.embedder, { k: 60 }).retrieve(
    'The valve stuck because of rust.',
    1,
  );
  assert.equal(found([first!])[0], 'rust.md#0');
  assert.ok(Math.abs(first!.score - 2 / 61) < 1e-12);
  const [other] = await new IndexRetriever(index.store, index.embedder, { k: 9 }).retrieve(
    'The valve stuck because of rust.',
    1,
  );
  assert.ok(Math.abs(other!.score - 2 / 10) < 1e-12);
});

test('without an embedder, or before any vector, words alone find', async () => {
  using index = await indexed();
  const results = await new IndexRetriever(index.store, null).retrieve('rust on valves', 5);
  assert.deepEqual(found(results), ['rust.md#0']);
  assert.equal(results[0]!.similarity, 0);
});

test('a failing embedder is told and words alone find', async () => {
  using index = await indexed();
  const told: string[] = [];
  const retriever = new IndexRetriever(index.store, index.embedder, {
    onDegraded: (reason) => told.push(reason),
  });
  index.embedder.onEmbed = () => {
    throw new Error('gone');
  };
  assert.deepEqual(found(await retriever.retrieve('rust', 5)), ['rust.md#0']);
  assert.deepEqual(told, ['Searched by words alone: gone']);
});

for (const [query, file] of [
  ['失效', 'zh.md#0'],
  ['卡住', 'zh.md#1'],
  ['水', 'zh.md#0'],
  ['了', 'zh.md#1'],
  ['为什么水泵失效？', 'zh.md#0'],
  ['BURSTING pipes', 'frost.md#0'],
  ['ｆｒｏｓｔ', 'frost.md#0'],
] as const)
  test(`the query ${query} is found`, async () => {
    using index = await indexed();
    assert.equal(found(await new IndexRetriever(index.store, null).retrieve(query, 5))[0], file);
  });

for (const query of [
  '',
  '   ',
  '?!',
  '"',
  'AND',
  'NEAR(a b)',
  'text:',
  "it's",
  '*',
  'a" OR "b',
  '(((',
  '\0',
  '-frost',
  '^',
  '泵"',
  'the of and',
])
  test(`the query ${JSON.stringify(query)} is no syntax`, async () => {
    using index = await indexed();
    await new IndexRetriever(index.store, index.embedder).retrieve(query, 5);
  });

test('stop words find nothing where other words stand, and everything they can where they stand alone', async () => {
  using index = await indexed();
  const retriever = new IndexRetriever(index.store, null);
  assert.deepEqual(found(await retriever.retrieve('what is the rust of', 9)), ['rust.md#0']);
  assert.equal(found(await retriever.retrieve('of the', 9)).length, 3);
});

test('accents and case do not part a word from itself', async () => {
  using index = await indexed({ 'a.md': 'The Café’s naïve owner closed it.' });
  const retriever = new IndexRetriever(index.store, null);
  assert.equal((await retriever.retrieve('cafe', 5)).length, 1);
  assert.equal((await retriever.retrieve('NAIVE', 5)).length, 1);
});

test('a passage copied into several files is given once, from the first of them', async () => {
  using index = await indexed({
    'b.md': 'Rust stuck it.',
    'a.md': 'Rust stuck it.',
    'c.md': 'Rust stuck it.',
    'd.md': 'Rust bit it.',
  });
  const results = await new IndexRetriever(index.store, index.embedder).retrieve('rust', 10);
  assert.deepEqual(found(results).sort(), ['a.md#0', 'd.md#0']);
});

test('equal scores stand by file and order, whatever the order of indexing', async () => {
  const files: Record<string, string> = {};
  for (let at = 0; at < 40; at++)
    files[`${String(at).padStart(2, '0')}.md`] = `rust ${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${at}`;
  const folder = new MemoryFolder(files);
  const listed = folder.list.bind(folder);
  folder.list = async () => ({ files: (await listed()).files.reverse(), skipped: [] });
  using backward = indexOf(folder);
  await backward.indexer.update();
  using forward = await indexed(files);
  for (const index of [forward, backward]) {
    const results = await new IndexRetriever(index.store, null).retrieve('rust', 7);
    assert.deepEqual(found(results), [
      '00.md#0',
      '01.md#0',
      '02.md#0',
      '03.md#0',
      '04.md#0',
      '05.md#0',
      '06.md#0',
    ]);
  }
  const both = await Promise.all(
    [forward, backward].map((index) => new IndexRetriever(index.store, index.embedder).retrieve('rust', 20)),
  );
  assert.deepEqual(found(both[0]!), found(both[1]!));
});

test('what was indexed, changed or removed since the last question counts in the next', async () => {
  const folder = new MemoryFolder(FILES);
  using index = indexOf(folder);
  const retriever = new IndexRetriever(index.store, index.embedder);
  assert.deepEqual(await retriever.retrieve('rust', 5), []);
  await index.indexer.update();
  assert.equal(found(await retriever.retrieve('rust', 1))[0], 'rust.md#0');
  folder.write('new.md', 'Rust, rust and rust again.');
  folder.remove('rust.md');
  await index.indexer.update();
  const results = await retriever.retrieve('rust', 9);
  assert.equal(found(results)[0], 'new.md#0');
  assert.ok(results[0]!.similarity > 0.5);
  assert.ok(!found(results).includes('rust.md#0'), 'the vector of a vanished text finds nothing');
  index.store.prune([], 0);
  assert.ok((await retriever.retrieve('rust', 9))[0]!.similarity > 0.5);
});

test('vectors of many vanished texts do not crowd out the present ones', async () => {
  const folder = new MemoryFolder();
  using index = indexOf(folder);
  for (let at = 0; at < 300; at++) folder.write(`${at}.md`, `rust rust rust ${at}`);
  await index.indexer.update();
  for (let at = 0; at < 300; at++) folder.remove(`${at}.md`);
  folder.write('only.md', 'A quiet day at the lake.');
  await index.indexer.update();
  assert.deepEqual(found(await new IndexRetriever(index.store, index.embedder).retrieve('rust', 5)), [
    'only.md#0',
  ]);
});

test('passages that mention a phrase are found by its words and its vector, without those there are', async () => {
  using index = await indexed();
  const retriever = new IndexRetriever(index.store, index.embedder);
  const [start] = await retriever.retrieve('Why did the boiler stop?', 1);
  const phrase = { text: 'the pipe burst', vector: fakeVector('the pipe burst') };
  const exclude = new Set<PassageId>([start!.passage.id]);
  const results = await retriever.mentioning([phrase], 1, exclude);
  assert.deepEqual(found(results), ['frost.md#0']);
  assert.equal(results[0]!.round, 1);
  const question = fakeVector('Why did the boiler stop?');
  const cosine = fakeVector(results[0]!.passage.text).reduce(
    (sum, number, at) => sum + number * question[at]!,
    0,
  );
  assert.ok(Math.abs(results[0]!.similarity - cosine) < 1e-6, 'similarity is to the question');
});

test('a passage with all words of a phrase stands before one with the rarest of them', async () => {
  using index = await indexed({
    'a.md': 'Snow melt raised the creek.',
    'b.md': 'Melt melt melt, said the cook about the butter.',
    'c.md': 'Snow fell.',
    'd.md': 'Snow and snow.',
  });
  const phrase = { text: 'snow melt', vector: fakeVector('snow melt') };
  const results = await new IndexRetriever(index.store, null).mentioning([phrase], 4, new Set());
  assert.equal(found(results)[0], 'a.md#0');
  assert.equal(results.length, 4);
});

test('a cancelled question ends with the reason', async () => {
  using index = await indexed();
  const retriever = new IndexRetriever(index.store, index.embedder);
  const stop = new AbortController();
  index.embedder.onEmbed = () => stop.abort();
  await assert.rejects(retriever.retrieve('rust', 5, stop.signal), { name: 'AbortError' });
  const phrase = { text: 'rust', vector: fakeVector('rust') };
  await assert.rejects(retriever.mentioning([phrase], 5, new Set(), stop.signal), { name: 'AbortError' });
});

test('passages are given by id and one after another', async () => {
  using index = await indexed();
  const retriever = new IndexRetriever(index.store, null);
  const all = [...retriever.all()];
  assert.equal(all.length, 5);
  assert.deepEqual(retriever.byId(all[2]!.id), all[2]);
  assert.equal(retriever.byId('none' as PassageId), undefined);
});
