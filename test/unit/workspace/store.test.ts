import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import {
  IndexBusyError,
  IndexDamagedError,
  IndexUnavailableError,
} from '../../../server/workspace/database.ts';
import { IndexRetriever } from '../../../server/workspace/retriever.ts';
import { IndexStore, type StoreNotice } from '../../../server/workspace/store.ts';
import { canonicalDump, FAKE_EMBEDDER, FakeEmbedder, indexOf, MemoryFolder } from './fakes.ts';

const FILES = {
  'frost.md': '# Frost\n\nThe pipe **burst** because of frost.\r\n\r\nThe boiler &amp; pump stopped.\n',
  'rust.md': '# Rust\n\n- The valve stuck because of rust.\n- It leaked.\n',
};

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'deep', 'index.sqlite');
}

async function build(path: string, options: Parameters<typeof indexOf>[1] = {}): Promise<void> {
  using index = indexOf(new MemoryFolder(FILES), { path, ...options });
  await index.indexer.update();
}

test('passages come back from the file as they were put in', async (t) => {
  const path = scratch(t);
  await build(path);
  using memory = indexOf(new MemoryFolder(FILES));
  await memory.indexer.update();
  using store = new IndexStore({ path, embedder: FAKE_EMBEDDER });
  assert.deepEqual([...store.passages()], [...memory.store.passages()]);
  for (const passage of store.passages()) assert.deepEqual(store.passage(passage.id), passage);
  assert.equal([...store.passages()].length, store.counts().passages);
});

test('two indexes of the same files say the same', async (t) => {
  const [one, two] = [scratch(t), scratch(t)];
  await build(one);
  const folder = new MemoryFolder({ 'other.md': 'Something else.', ...FILES });
  const listed = folder.list.bind(folder);
  // The same time stamps, in whatever order the files came.
  folder.list = async () => {
    const { files } = await listed();
    return { files: files.map((file) => ({ ...file, mtime: file.mtime - 1 })).reverse(), skipped: [] };
  };
  using index = indexOf(folder, { path: two });
  await index.indexer.update();
  folder.remove('other.md');
  await index.indexer.update();
  assert.deepEqual(canonicalDump(two), canonicalDump(one));
});

test('an index made with another embedding dimension is not mixed: vectors are dropped aloud, words go on', async (t) => {
  const path = scratch(t);
  await build(path);
  const notices: StoreNotice[] = [];
  const wider = { name: 'fake', version: '1', dimensions: 24 };
  using store = new IndexStore({ path, embedder: wider, onNotice: (notice) => notices.push(notice) });
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ['embedder'],
  );
  assert.match(notices[0]!.message, /16 wide.*24 wide.*by their words/);
  assert.equal(store.vectors.count, 0);
  const [hit] = await new IndexRetriever(store, new FakeEmbedder(24)).retrieve('frost', 5);
  assert.deepEqual([hit?.passage.file, hit?.similarity], ['frost.md', 0]);
  store.close();

  using index = indexOf(new MemoryFolder(FILES), { path, embedder: wider });
  const report = await index.indexer.update();
  assert.deepEqual([report.changed, report.embedded], [0, 2], 'made anew without reading a file');
  const [near] = await new IndexRetriever(index.store, index.embedder).retrieve('frost', 5);
  assert.ok(near!.similarity > 0);
});

test('the same width of another model is not mixed either, and the same model says nothing', async (t) => {
  const path = scratch(t);
  await build(path);
  const kinds: string[] = [];
  const onNotice = ({ kind }: StoreNotice): number => kinds.push(kind);
  new IndexStore({ path, embedder: FAKE_EMBEDDER, onNotice }).close();
  assert.deepEqual(kinds, []);
  new IndexStore({ path, embedder: { ...FAKE_EMBEDDER, version: '2' }, onNotice }).close();
  assert.deepEqual(kinds, ['embedder']);
});

test('a process on the old model cannot write its vectors into an index put on a new one', async (t) => {
  const path = scratch(t);
  await build(path);
  using old = new IndexStore({ path, embedder: FAKE_EMBEDDER });
  using fresh = new IndexStore({ path, embedder: { ...FAKE_EMBEDDER, dimensions: 24 } });
  assert.equal(fresh.vectors.count, 0);
  assert.throws(
    () => old.vectors.put([{ textId: 1, vector: new Float32Array(16) }]),
    (error) => error instanceof IndexUnavailableError && /another process/.test(error.message),
  );
  assert.throws(() => fresh.vectors.put([{ textId: 1, vector: new Float32Array(16) }]), RangeError);
});

test('an index of another schema is emptied and said so', async (t) => {
  const path = scratch(t);
  await build(path);
  const database = new DatabaseSync(path);
  database.exec("UPDATE header SET value = '0' WHERE key = 'schema'");
  database.close();
  const kinds: string[] = [];
  using store = new IndexStore({ path, embedder: FAKE_EMBEDDER, onNotice: ({ kind }) => kinds.push(kind) });
  assert.deepEqual([kinds, store.counts().passages], [['schema'], 0]);
});

for (const [damage, spoil] of [
  ['is not a database', (bytes: Buffer) => bytes.fill('garbage ')],
  ['is cut short', (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2) + 100)],
  ['has garbage in the middle', (bytes: Buffer) => bytes.fill(0xab, 4096, bytes.length - 4096)],
] as const)
  test(`an index file that ${damage} is set aside, said so and built anew`, async (t) => {
    const path = scratch(t);
    await build(path);
    const undisturbed = canonicalDump(path);
    writeFileSync(path, spoil(readFileSync(path)));
    const notices: StoreNotice[] = [];
    await build(path, { onNotice: (notice) => notices.push(notice) });
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['damaged'],
    );
    assert.ok(existsSync(`${path}.damaged`));
    assert.deepEqual(canonicalDump(path), undisturbed);
  });

test('damage that shows only in use is named, and the next opening builds anew', async (t) => {
  const path = scratch(t);
  await build(path);
  const store = new IndexStore({ path, embedder: FAKE_EMBEDDER });
  // More than SQLite keeps in memory, so that the file is read again.
  const [passage] = store.passagesOf('frost.md');
  const many = Array.from({ length: 4000 }, (_, ordinal) => ({
    ...passage!,
    ordinal,
    text: `${ordinal} ${'frost '.repeat(200)}`,
  }));
  store.putFile({ ...store.file('frost.md')!, hash: 'other' }, many);
  for (const suffix of ['', '-wal'])
    writeFileSync(path + suffix, readFileSync(path + suffix).fill(0xab, 4096));
  assert.throws(
    () => [...store.passages()],
    (error) => error instanceof IndexDamagedError && error.message.includes(path),
  );
  store.close();
  const kinds: string[] = [];
  await build(path, { onNotice: ({ kind }) => kinds.push(kind) });
  assert.deepEqual(kinds, ['damaged']);
});

test('a place where no index can be is named with its reason', () => {
  assert.throws(
    () => new IndexStore({ path: '/dev/null/index.sqlite' }),
    (error) => error instanceof IndexUnavailableError && error.message.includes('/dev/null/index.sqlite'),
  );
});

test('while another process writes, readers go on; a writer waits and then says who is in the way', async (t) => {
  const path = scratch(t);
  await build(path);
  using store = new IndexStore({ path, embedder: FAKE_EMBEDDER, busyTimeout: 50 });
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  other.exec("UPDATE files SET title = 'changed'");
  assert.equal(store.lexical.search('frost', 5).length, 1);
  assert.throws(
    () => store.removeFile('frost.md'),
    (error) => error instanceof IndexBusyError && /another Causeway process/.test(error.message),
  );
  other.exec('ROLLBACK');
  other.close();
  store.removeFile('frost.md');
  assert.equal(store.file('frost.md'), undefined);
});

test('a failed transaction leaves the file as it was', async () => {
  using index = indexOf(new MemoryFolder(FILES));
  await index.indexer.update();
  const before = [...index.store.passages()];
  const [passage] = before;
  const bad = {
    ...passage!,
    text: 'new words',
    source: { ...passage!.source, offset: null as unknown as number },
  };
  assert.throws(() => index.store.putFile({ ...index.store.file('frost.md')!, title: 'new' }, [bad]));
  assert.deepEqual([...index.store.passages()], before);
  assert.equal(index.store.lexical.search('new words', 5).length, 0);
});

test('what models made of vanished texts is kept in reserve, and beyond it forgotten, oldest first', async () => {
  const folder = new MemoryFolder();
  using index = indexOf(folder);
  for (let at = 0; at < 40; at++) {
    folder.write('log.txt', `Entry ${at} says that the pump failed.`);
    await index.indexer.update();
  }
  assert.equal(index.store.vectors.count, 40);
  const { generation } = index.store.vectors;
  assert.equal(index.store.prune([], 100), 0);
  assert.equal(index.store.vectors.generation, generation);
  assert.equal(index.store.prune([], 10), 34);
  assert.equal(index.store.vectors.count, 6);
  assert.notEqual(index.store.vectors.generation, generation);
  folder.write('log.txt', 'Entry 38 says that the pump failed.');
  assert.equal((await index.indexer.update()).embedded, 0, 'the latest are kept');
});

test('a closed index holds on to nothing', async (t) => {
  const path = scratch(t);
  await build(path);
  const store = new IndexStore({ path });
  store.close();
  store.close();
  assert.throws(() => store.counts());
  assert.ok(!existsSync(`${path}-wal`));
});
