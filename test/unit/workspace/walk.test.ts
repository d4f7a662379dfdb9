import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type WalkOptions, walk } from '../../../server/workspace/walk.ts';

/** A folder with these files, removed after the test. */
async function folder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'walk-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return root;
}

async function names(root: string, options: WalkOptions = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of walk(root, options, new AbortController().signal)) {
    found.push('skipped' in entry ? `${entry.file}: ${entry.skipped}` : entry.file);
  }
  return found;
}

test('files of known formats are found in a stable order, with size and time', async (t) => {
  const root = await folder(t, {
    'b.md': 'bb',
    'a/z.txt': '',
    'a/b/c.tex': '',
    'a.md': '',
    'B.md': '',
    'x.bin': '',
  });
  assert.deepEqual(await names(root), ['B.md', 'a.md', 'a/b/c.tex', 'a/z.txt', 'b.md']);
  for await (const entry of walk(root, { include: ['b.md'] }, new AbortController().signal)) {
    assert.ok('size' in entry && entry.size === 2 && entry.mtimeMs > 0 && entry.absolute.endsWith('b.md'));
  }
});

test('files of unknown formats are counted, and listed when asked', async (t) => {
  const root = await folder(t, { 'a.md': '', 'x.bin': '', 'y.exe': '' });
  let count = 0;
  await names(root, {
    onUnsupported: (n) => {
      count = n;
    },
  });
  assert.equal(count, 2);
  assert.deepEqual(await names(root, { listUnsupported: true }), [
    'a.md',
    'x.bin: no reader for this format',
    'y.exe: no reader for this format',
  ]);
});

test('.gitignore files count at every level, the inner over the outer', async (t) => {
  const root = await folder(t, {
    '.gitignore': '*.txt\n/build/\n!keep.txt\nsub/only.md\n',
    'a.txt': '',
    'keep.txt': '',
    'a.md': '',
    'build/x.md': '',
    'deep/build/x.md': '',
    'sub/.gitignore': '!b.txt\n*.tex\n',
    'sub/b.txt': '',
    'sub/c.txt': '',
    'sub/d.tex': '',
    'sub/only.md': '',
    'd.tex': '',
  });
  assert.deepEqual(await names(root), ['a.md', 'd.tex', 'deep/build/x.md', 'keep.txt', 'sub/b.txt']);
});

test('.git, node_modules, .causeway and hidden folders are never entered', async (t) => {
  const root = await folder(t, {
    '.git/a.md': '',
    'node_modules/a.md': '',
    'x/node_modules/a.md': '',
    '.causeway/a.md': '',
    '.hidden/a.md': '',
    '.a.md': '',
    'b.md': '',
  });
  assert.deepEqual(await names(root, { include: ['**/*.md'] }), ['b.md']);
});

test('globs of the person choose and leave out', async (t) => {
  const root = await folder(t, { 'docs/a.md': '', 'docs/old/b.md': '', 'c.md': '', 'docs/d.txt': '' });
  assert.deepEqual(await names(root, { include: ['docs/**'], exclude: ['**/old/**', '**/*.txt'] }), [
    'docs/a.md',
  ]);
  assert.deepEqual(await names(root, { exclude: ['docs'] }), ['c.md']);
});

test('too large a file is skipped with its size', async (t) => {
  const root = await folder(t, { 'a.md': 'x'.repeat(3000) });
  assert.deepEqual(await names(root, { maxBytes: 1000 }), ['a.md: too large: 0.0 MB, the limit is 0.0 MB']);
});

test('links never loop and never lead out of the folder', async (t) => {
  const outside = await folder(t, { 'secret.md': '' });
  const root = await folder(t, { 'a/b.md': '', 'data.bin': '' });
  await symlink(root, join(root, 'a', 'loop'));
  await symlink(join(root, 'self.md'), join(root, 'self.md'));
  await symlink(join(outside, 'secret.md'), join(root, 'out.md'));
  await symlink(outside, join(root, 'outside'));
  await symlink(join(root, 'gone'), join(root, 'dangling.md'));
  await symlink(join(root, 'a', 'b.md'), join(root, 'twin.md'));
  await symlink(join(root, 'data.bin'), join(root, 'named.txt'));
  assert.deepEqual(await names(root), [
    'a/b.md',
    'dangling.md: the file is gone, or a link leads nowhere',
    'named.txt',
    'out.md: a link that leads out of the folder',
    'self.md: a link that leads to itself',
    'twin.md: a link to a/b.md',
  ]);
});

test('hostile names are only names', async (t) => {
  const files = [
    '<img src=x onerror=alert(1)>.md',
    '$(rm -rf x).md',
    '-rf.md',
    'a\nb.md',
    '水泵.md',
    '[x]{y}*.md',
  ];
  const root = await folder(t, Object.fromEntries(files.map((file) => [file, ''])));
  assert.deepEqual((await names(root)).sort(), [...files].sort());
});

test('a folder that may not be entered is listed with its reason', {
  skip: process.getuid?.() === 0 && 'the superuser may enter everything',
}, async (t) => {
  const root = await folder(t, { 'a.md': '', 'locked/b.md': '' });
  await chmod(join(root, 'locked'), 0);
  const found = await names(root);
  // Before the folder is removed, which happens first of all that comes after a test.
  await chmod(join(root, 'locked'), 0o700);
  assert.deepEqual(found, ['a.md', 'locked: no permission to read the folder']);
});

test('a name that is no UTF-8, and a pipe, are listed with what is wrong, and opened by nobody', {
  skip: process.platform !== 'linux' && 'names are Unicode and pipes made otherwise elsewhere',
}, async (t) => {
  const root = await folder(t, { 'a.md': '' });
  const bytes = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
  await writeFile(bytes('caf\u00e9.md'), 'x');
  await mkdir(bytes('d\u00e9p\u00f4t'));
  execFileSync('mkfifo', [join(root, 'pipe.md')]);
  assert.deepEqual(await names(root), [
    'a.md',
    'caf\ufffd.md: its name is not valid UTF-8; rename it',
    'd\ufffdp\ufffdt: its name is not valid UTF-8; rename it',
    'pipe.md: a pipe, a socket or a device, no file',
  ]);
});

test('a root that is missing is an error, and an aborted walk ends with the reason', async (t) => {
  await assert.rejects(names('/nowhere/at/all'), { code: 'ENOENT' });
  const root = await folder(t, { 'a.md': '', 'b.md': '', 'c/d.md': '' });
  const control = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of walk(root, {}, control.signal)) control.abort(new Error('enough'));
  }, /enough/);
});
