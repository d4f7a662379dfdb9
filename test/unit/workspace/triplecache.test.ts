import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SpanTriple } from '../../../models/protocol.ts';
import type { Passage } from '../../../server/sarg/types.ts';
import { ExtractionUnavailableError, TripleCache } from '../../../server/workspace/triplecache.ts';
import { FakeTagger, indexOf, MemoryFolder } from './fakes.ts';

async function indexed(count: number): Promise<ReturnType<typeof indexOf> & { passages: Passage[] }> {
  const folder = new MemoryFolder();
  for (let at = 0; at < count; at++)
    folder.write(`${at}.txt`, `The pump ${at} failed because of frost ${at}.`);
  const index = indexOf(folder);
  await index.indexer.update();
  return Object.assign(index, { passages: [...index.store.passages()] });
}

test('a passage is read once, in the order of need, and then known', async () => {
  using index = await indexed(10);
  const tagger = new FakeTagger();
  const cache = new TripleCache(index.store, tagger, 4);
  const wanted = index.passages.slice(2, 8).reverse();
  const first = await cache.read(wanted);
  assert.deepEqual([first.fresh, first.cached, first.failed], [6, 0, 0]);
  assert.deepEqual(
    tagger.asked,
    wanted.map((passage) => passage.text),
  );
  const again = await cache.read(index.passages);
  assert.deepEqual([again.fresh, again.cached], [4, 6]);
  assert.deepEqual(again.readNow.map(Number), [1, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
  assert.deepEqual(again.readings.slice(2, 8).reverse(), first.readings);
  const [reading] = again.readings;
  assert.equal(reading?.state, 'read');
  const [triple] = (reading as { triples: readonly SpanTriple[] }).triples;
  assert.equal(index.passages[0]!.text.slice(triple!.effect.start, triple!.effect.end), 'The pump 0 failed');
});

test('another version reads again, and the old readings are still there', async () => {
  using index = await indexed(3);
  await new TripleCache(index.store, new FakeTagger('fake@1')).read(index.passages);
  const second = await new TripleCache(index.store, new FakeTagger('fake@2')).read(index.passages);
  const back = await new TripleCache(index.store, new FakeTagger('fake@1')).read(index.passages);
  assert.deepEqual([second.fresh, back.fresh], [3, 0]);
});

test('readings come as they are known, the cached ones first', async () => {
  using index = await indexed(6);
  const cache = new TripleCache(index.store, new FakeTagger(), 2);
  await cache.read(index.passages.slice(4));
  const seen: number[] = [];
  await cache.read(index.passages, { onReading: (passage) => seen.push(index.passages.indexOf(passage)) });
  assert.deepEqual(seen, [4, 5, 0, 1, 2, 3]);
});

test('passages with the same words are read once', async () => {
  using index = indexOf(
    new MemoryFolder({ 'a.txt': 'It broke because of rust.', 'b.txt': 'It broke because of rust.' }),
  );
  await index.indexer.update();
  const tagger = new FakeTagger();
  const { readings } = await new TripleCache(index.store, tagger).read([...index.store.passages()]);
  assert.equal(tagger.asked.length, 1);
  assert.deepEqual(readings[0], readings[1]);
});

test('a text that brings the extractor down is marked, and the others of its batch are read', async () => {
  using index = await indexed(5);
  const tagger = new FakeTagger();
  tagger.onTag = (texts) => {
    if (texts.some((text) => text.includes('pump 2'))) throw new Error('the model process ended');
  };
  const cache = new TripleCache(index.store, tagger);
  const { readings, failed } = await cache.read(index.passages);
  assert.equal(failed, 1);
  assert.deepEqual(readings[2], { state: 'failed', reason: 'the model process ended' });
  tagger.onTag = () => {};
  assert.equal((await cache.read(index.passages)).fresh, 0, 'not tried again unasked');
  const retried = await cache.read(index.passages, { retryFailed: true });
  assert.deepEqual([retried.fresh, retried.failed], [1, 0]);
});

test('an extractor that answers nothing is told of, and marks no passage', async () => {
  using index = await indexed(3);
  const tagger = new FakeTagger();
  tagger.onTag = () => {
    throw new Error('the model process ended');
  };
  const cache = new TripleCache(index.store, tagger);
  await assert.rejects(
    cache.read(index.passages),
    (error) => error instanceof ExtractionUnavailableError && /model process ended/.test(error.message),
  );
  tagger.onTag = () => {};
  assert.deepEqual((await cache.read(index.passages)).failed, 0);
});

test('a passage the extractor could not finish is failed with its reason, not read with nothing found', async () => {
  using index = await indexed(2);
  const tagger = {
    version: 'llm@1',
    tag: async (texts: readonly string[]) => texts.map(() => ({ failed: 'length' })),
  };
  const { readings } = await new TripleCache(index.store, tagger).read(index.passages);
  assert.deepEqual(readings[0], { state: 'failed', reason: 'length' });
  assert.deepEqual(index.store.triples.counts('llm@1'), { read: 2, failed: 2, triples: 0 });
});

test('spans that do not lie in the passage are dropped', async () => {
  using index = await indexed(1);
  const span = { start: 0, end: 3 };
  const base = {
    cause: span,
    effect: span,
    relation: null,
    type: 'causes',
    negated: false,
    hedged: false,
    confidence: 1,
  } as const;
  const bad = [
    { start: -1, end: 2 },
    { start: 3, end: 3 },
    { start: 0, end: 1000 },
    { start: 0.5, end: 2 },
  ];
  const triples: SpanTriple[] = [
    base,
    ...bad.map((cause) => ({ ...base, cause })),
    ...bad.map((relation) => ({ ...base, relation })),
  ];
  const { readings } = await new TripleCache(index.store, { version: 'x', tag: async () => [triples] }).read(
    index.passages,
  );
  assert.deepEqual(readings, [{ state: 'read', triples: [base] }]);
});

test('reading everything can be stopped, keeps what it has, and goes on', async () => {
  using index = await indexed(20);
  const tagger = new FakeTagger();
  const cache = new TripleCache(index.store, tagger, 4);
  const stop = new AbortController();
  tagger.onTag = () => {
    if (tagger.asked.length === 8) stop.abort();
  };
  await assert.rejects(
    cache.readAll(() => {}, stop.signal),
    { name: 'AbortError' },
  );
  assert.equal(index.store.triples.counts(tagger.version).read, 12);
  const steps: number[] = [];
  assert.deepEqual(await cache.readAll((done, total) => steps.push(done, total)), { read: 8, failed: 0 });
  assert.deepEqual(steps.slice(-2), [8, 8]);
  assert.equal(tagger.asked.length, 20);
});
