import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Indexer, type IndexProgress } from '../../../server/workspace/indexer.ts';
import { readDocument, readText } from '../../../server/workspace/readers/index.ts';
import { IndexRetriever } from '../../../server/workspace/retriever.ts';
import { IndexStore } from '../../../server/workspace/store.ts';
import { TripleCache } from '../../../server/workspace/triplecache.ts';
import { FAKE_EMBEDDER, FakeEmbedder, FakeTagger, indexOf, MemoryFolder } from './fakes.ts';

const FROST = '# Frost\n\nThe pipe burst because of frost.\n';
const RUST = '# Valve\n\nThe valve stuck because of rust.\n\n# Dust\n\nThe filter clogged because of dust.\n';

function texts(store: IndexStore, path: string): string[] {
  return store.passagesOf(path).map((passage) => passage.text);
}

test('a folder is read once: a second update reads, embeds and removes nothing', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST, 'rust.md': RUST });
  using index = indexOf(folder);
  const first = await index.indexer.update();
  assert.deepEqual(first, {
    seen: 2,
    changed: 2,
    removed: 0,
    failed: [],
    passages: 3,
    embedded: 3,
    extracted: 0,
    problems: [],
  });
  folder.reads.length = 0;
  const second = await index.indexer.update();
  assert.deepEqual([second.changed, second.removed, second.embedded, second.passages], [0, 0, 0, 3]);
  assert.deepEqual(folder.reads, []);
  assert.equal(index.embedder.asked.length, 3);
});

test('an edited file costs its edited passages alone', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST, 'rust.md': RUST });
  using index = indexOf(folder);
  await index.indexer.update();
  index.embedder.asked.length = 0;
  folder.reads.length = 0;
  folder.write('rust.md', RUST.replace('rust.', 'a broken relay.'));
  const report = await index.indexer.update();
  assert.deepEqual([report.changed, report.embedded, report.passages], [1, 1, 3]);
  assert.deepEqual(index.embedder.asked, [
    { text: 'The valve stuck because of a broken relay.', role: 'passage' },
  ]);
  assert.deepEqual(folder.reads, ['rust.md']);
  assert.deepEqual(texts(index.store, 'rust.md'), [
    'The valve stuck because of a broken relay.',
    'The filter clogged because of dust.',
  ]);
  assert.deepEqual(index.store.lexical.search('rust', 10).length, 0);
  assert.equal(index.store.lexical.search('relay', 10).length, 1);
});

test('a passage that moved within its file or to another is neither embedded nor read for triples again', async () => {
  const folder = new MemoryFolder({ 'rust.md': RUST });
  using store = new IndexStore({ path: ':memory:', embedder: FAKE_EMBEDDER });
  const embedder = new FakeEmbedder();
  const tagger = new FakeTagger();
  const triples = new TripleCache(store, tagger);
  const indexer = new Indexer({ folder, readers: { readDocument, readText }, store, embedder, triples });
  const first = await indexer.update({ extractAll: true });
  assert.deepEqual([first.embedded, first.extracted], [2, 2]);

  const moved =
    '# Dust\n\nThe filter clogged because of dust.\n\n# Valve\n\nThe valve stuck because of rust.\n';
  folder.write('rust.md', moved);
  const second = await indexer.update({ extractAll: true });
  assert.deepEqual([second.changed, second.embedded, second.extracted], [1, 0, 0]);
  const [dust] = store.passagesOf('rust.md');
  assert.deepEqual([dust!.ordinal, dust!.headings, dust!.source.position.line], [0, ['Dust'], 2]);

  folder.remove('rust.md');
  folder.write('elsewhere.txt', 'The valve stuck because of rust.');
  const third = await indexer.update({ extractAll: true });
  assert.deepEqual([third.removed, third.embedded, third.extracted, third.passages], [1, 0, 0, 1]);
  assert.equal(tagger.asked.length, 2);

  folder.write('rust.md', RUST);
  folder.remove('elsewhere.txt');
  const back = await indexer.update({ extractAll: true });
  assert.deepEqual([back.embedded, back.extracted, back.passages], [0, 0, 2], 'an undo costs nothing');
});

test('a file that only got a new time stamp is not read again', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST });
  using index = indexOf(folder);
  await index.indexer.update();
  folder.write('frost.md', FROST);
  assert.equal((await index.indexer.update()).changed, 0);
  folder.reads.length = 0;
  await index.indexer.update();
  assert.deepEqual(folder.reads, [], 'the new time stamp is remembered');
});

test('a change within the tick of a coarse clock is not missed', async () => {
  const clock = Date.now();
  let text = 'The pipe burst because of frost.';
  const folder = {
    list: async () => ({ files: [{ path: 'a.txt', size: text.length, mtime: clock }], skipped: [] }),
    read: async () => new TextEncoder().encode(text),
  };
  using index = indexOf(folder);
  await index.indexer.update();
  text = 'The pipe burst because of roots.';
  await index.indexer.update();
  assert.deepEqual(texts(index.store, 'a.txt'), [text]);
});

test('a deleted file leaves nothing to be found', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST, 'rust.md': RUST });
  using index = indexOf(folder);
  await index.indexer.update();
  folder.remove('frost.md');
  const report = await index.indexer.update();
  assert.deepEqual([report.removed, report.passages], [1, 2]);
  const found = await new IndexRetriever(index.store, index.embedder).retrieve('frost pipe burst', 10);
  assert.deepEqual([...new Set(found.map((entry) => entry.passage.file))], ['rust.md']);
});

test('files that cannot be read are listed with their reasons and the rest is indexed', async () => {
  const folder = new MemoryFolder({
    'frost.md': FROST,
    'binary.txt': Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 0, 0, 0, 0xff, 0xfe, 0, 0]),
    'picture.xyz': 'no reader',
  });
  folder.skipped.push({ path: 'huge.txt', reason: 'larger than 20 MB' });
  using index = indexOf(folder);
  const report = await index.indexer.update();
  assert.equal(report.passages, 1);
  assert.deepEqual(
    report.failed.map(({ file }) => file),
    ['binary.txt', 'huge.txt', 'picture.xyz'],
  );
  for (const { reason } of report.failed) assert.ok(reason.length > 5, reason);
  const again = await index.indexer.update();
  assert.deepEqual(
    [again.changed, again.failed.length],
    [0, 3],
    'known trouble is not tried again but still told',
  );
  folder.write('binary.txt', 'The pump failed because of sand.');
  folder.skipped.length = 0;
  const mended = await index.indexer.update();
  assert.deepEqual(
    [mended.changed, mended.failed.map(({ file }) => file), mended.passages],
    [1, ['picture.xyz'], 2],
  );
});

test('a file that vanishes between listing and reading is listed, and tried again', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST });
  using index = indexOf({
    list: async () => ({
      files: [...(await folder.list()).files, { path: 'gone.md', size: 1, mtime: 1 }],
      skipped: [],
    }),
    read: (path: string) => folder.read(path),
  });
  const report = await index.indexer.update();
  assert.deepEqual(
    report.failed.map(({ file }) => file),
    ['gone.md'],
  );
  folder.write('gone.md', 'It came back because of luck.');
  const again = await index.indexer.update();
  assert.deepEqual([again.failed, again.passages], [[], 2]);
});

test('the same sentence in every encoding gives the same passage', async () => {
  const text = 'The café’s pipe burst because of frost. The boiler stopped because the pipe burst.';
  const utf16 = (bigEndian: boolean): Uint8Array => {
    const bytes = new Uint8Array(2 * text.length + 2);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, 0xfeff, !bigEndian);
    for (let at = 0; at < text.length; at++) view.setUint16(2 + 2 * at, text.charCodeAt(at), !bigEndian);
    return bytes;
  };
  const windows1252 = Uint8Array.from(text, (character) =>
    character === '’' ? 0x92 : character.charCodeAt(0),
  );
  const folder = new MemoryFolder({
    'utf8.txt': text,
    'bom.txt': `\ufeff${text}`,
    'le.txt': utf16(false),
    'be.txt': utf16(true),
    'windows.txt': windows1252,
  });
  using index = indexOf(folder);
  const report = await index.indexer.update();
  assert.deepEqual(report.failed, []);
  for (const file of ['utf8.txt', 'bom.txt', 'le.txt', 'be.txt', 'windows.txt'])
    assert.deepEqual(texts(index.store, file), [text], file);
  assert.equal(report.embedded, 1, 'one text, embedded once');
});

test('unsaved text stands in for the file until the editor lets go of it', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST });
  using index = indexOf(folder);
  await index.indexer.update();
  const overlay = new Map([['frost.md', FROST.replace('frost.', 'a broken relay.')]]);
  assert.equal((await index.indexer.update({ overlay })).changed, 1);
  assert.deepEqual(texts(index.store, 'frost.md'), ['The pipe burst because of a broken relay.']);
  assert.equal((await index.indexer.update({ overlay })).changed, 0);
  const closed = await index.indexer.update();
  assert.deepEqual([closed.changed, closed.embedded], [1, 0]);
  assert.deepEqual(texts(index.store, 'frost.md'), ['The pipe burst because of frost.']);
});

test('unsaved text that equals the file on disk is not read again', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST });
  using index = indexOf(folder);
  await index.indexer.update();
  assert.equal((await index.indexer.update({ overlay: new Map([['frost.md', FROST]]) })).changed, 0);
  assert.equal((await index.indexer.update()).changed, 0);
});

test('a paused update keeps what it has done and goes on from there', async () => {
  const folder = new MemoryFolder();
  for (let at = 0; at < 30; at++) folder.write(`${at}.txt`, `The pump ${at} failed because of frost ${at}.`);
  using index = indexOf(folder, { batch: 4 });
  const pause = new AbortController();
  index.embedder.onEmbed = () => {
    if (index.embedder.asked.length === 12) pause.abort();
  };
  await assert.rejects(index.indexer.update({ signal: pause.signal }), { name: 'AbortError' });
  assert.equal(index.store.counts().passages, 30);
  assert.equal(index.store.vectors.count, 16);
  folder.reads.length = 0;
  const report = await index.indexer.update();
  assert.deepEqual([report.changed, report.embedded, folder.reads], [0, 14, []]);
  assert.equal(new Set(index.embedder.asked.map(({ text }) => text)).size, 30);
  assert.equal(index.embedder.asked.length, 30, 'nothing was embedded twice');
});

test('a file is found by its words before anything is embedded', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST });
  using index = indexOf(folder);
  let found = -1;
  index.embedder.onEmbed = () => {
    found = index.store.lexical.search('frost', 5).length;
  };
  await index.indexer.update();
  assert.equal(found, 1);
});

test('when the embedder fails the index says so and is found by words; the next update makes up for it', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST });
  using index = indexOf(folder);
  index.embedder.onEmbed = () => {
    throw new Error('the model process ended');
  };
  const report = await index.indexer.update();
  assert.match(report.problems.join(), /words alone.*the model process ended/);
  const [hit] = await new IndexRetriever(index.store, index.embedder).retrieve('frost', 5);
  assert.equal(hit?.passage.file, 'frost.md');
  index.embedder.onEmbed = () => {};
  assert.equal((await index.indexer.update()).embedded, 1);
});

test('vectors that are no numbers are refused', async () => {
  using store = new IndexStore({ path: ':memory:', embedder: FAKE_EMBEDDER });
  const broken = {
    dimensions: 16,
    embed: async (asked: readonly string[]) => asked.map(() => new Float32Array(16).fill(Number.NaN)),
  };
  const folder = new MemoryFolder({ 'frost.md': FROST });
  const report = await new Indexer({
    folder,
    readers: { readDocument, readText },
    store,
    embedder: broken,
  }).update();
  assert.equal(report.problems.length, 1);
  assert.equal(store.vectors.count, 0);
});

test('progress counts up to its total in every phase', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST, 'rust.md': RUST });
  using store = new IndexStore({ path: ':memory:', embedder: FAKE_EMBEDDER });
  const indexer = new Indexer({
    folder,
    readers: { readDocument, readText },
    store,
    embedder: new FakeEmbedder(),
    triples: new TripleCache(store, new FakeTagger()),
    batch: 2,
  });
  const seen: IndexProgress[] = [];
  await indexer.update({ extractAll: true, onProgress: (progress) => seen.push(progress) });
  for (const [phase, total] of [
    ['files', 2],
    ['embed', 3],
    ['extract', 3],
  ] as const) {
    const steps = seen.filter((progress) => progress.phase === phase);
    assert.deepEqual(steps.at(-1), { ...steps.at(-1), done: total, total });
    assert.ok(steps.every((step, at) => at === 0 || step.done > steps[at - 1]!.done));
  }
});

test('updates called for at the same time run one after another', async () => {
  const folder = new MemoryFolder({ 'frost.md': FROST });
  using index = indexOf(folder);
  const [first, second] = await Promise.all([index.indexer.update(), index.indexer.update()]);
  assert.deepEqual([first.changed, second.changed, index.embedder.asked.length], [1, 0, 1]);
});

test('one six-word note, an empty file and a file of headings only make an index', async () => {
  const folder = new MemoryFolder({
    'note.md': 'Call Jana about the old pump',
    'empty.md': '',
    'plan.md': '# One\n\n## Two\n',
  });
  using index = indexOf(folder);
  const report = await index.indexer.update();
  assert.deepEqual([report.seen, report.passages, report.problems], [3, 1, []]);
});

test('costs are counted once a document: four times the folder asks four times as much of every part', async () => {
  const count = async (documents: number): Promise<number[]> => {
    const folder = new MemoryFolder();
    for (let at = 0; at < documents; at++)
      folder.write(`${at}.md`, RUST.replaceAll('because', `because ${at}`));
    using index = indexOf(folder);
    await index.indexer.update();
    return [folder.reads.length, index.embedder.asked.length, index.store.counts().passages];
  };
  const few = await count(25);
  assert.deepEqual(
    await count(100),
    few.map((number) => 4 * number),
  );
});

test('a line of 1 MB is indexed into many passages', async () => {
  const folder = new MemoryFolder({
    'log.txt': 'pump failed after frost '.repeat(45_000),
    'zh.txt': '水泵因冻结而失效'.repeat(20_000),
  });
  using index = indexOf(folder);
  const report = await index.indexer.update();
  assert.deepEqual(report.failed, []);
  assert.ok(report.passages > 600);
});
