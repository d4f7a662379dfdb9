import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { IndexStore, type StoreNotice } from '../../server/workspace/store.ts';
import { canonicalDump, FAKE_EMBEDDER } from '../unit/workspace/fakes.ts';
import { indexWithFakes } from './fixtures/index-with-fakes.ts';

const CHILD = fileURLToPath(new URL('fixtures/indexing-process.ts', import.meta.url));
const MOMENTS = 20;

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly output: string;
}

/** Runs the indexing process; `killAfter` ms sends SIGKILL from outside. */
function run(root: string, index: string, deadline = 0, killAfter?: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, root, index, String(deadline)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ signal, code, output });
    });
  });
}

function writeDocuments(root: string): void {
  mkdirSync(root);
  for (let at = 0; at < 12; at++) {
    const sections = Array.from(
      { length: 3 },
      (_, section) =>
        `## Part ${section}\n\nThe pump ${at}.${section} failed because of frost ${at + section}.\n`,
    );
    writeFileSync(join(root, `note${at}.md`), `# Note ${at}\n\n${sections.join('\n')}`);
  }
  writeFileSync(join(root, 'binary.txt'), Uint8Array.from([0, 1, 2, 0, 0, 255, 254, 0]));
}

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kill-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens what a kill left, as the next start would: nothing may have to be rebuilt. */
function assertOpens(path: string): void {
  if (!existsSync(path)) return;
  const notices: StoreNotice[] = [];
  using store = new IndexStore({ path, embedder: FAKE_EMBEDDER, onNotice: (notice) => notices.push(notice) });
  for (const passage of store.passages()) assert.ok(passage.text.length > 0);
  assert.deepEqual(notices, []);
}

test(`killed at ${MOMENTS} random moments of indexing, the index opens, finishes, and equals one built undisturbed`, async (t) => {
  const folder = scratch(t);
  const root = join(folder, 'documents');
  writeDocuments(root);
  const undisturbed = join(folder, 'undisturbed.sqlite');
  const whole = await run(root, undisturbed);
  assert.equal(whole.code, 0);
  const { calls, passages, failed } = JSON.parse(whole.output) as {
    calls: number;
    passages: number;
    failed: unknown[];
  };
  assert.deepEqual([passages, failed.length], [36, 1]);
  const expected = canonicalDump(undisturbed);

  // One moment in each twentieth of the work, so that every phase is struck, inside and between transactions.
  for (let moment = 0; moment < MOMENTS; moment++) {
    const deadline = 1 + Math.floor(((moment + Math.random()) * calls) / MOMENTS);
    const index = join(folder, `${moment}.sqlite`);
    const killed = await run(root, index, deadline);
    assert.equal(killed.signal, 'SIGKILL', `killed before call ${deadline} of ${calls}`);
    assertOpens(index);
    await indexWithFakes(root, index);
    assert.deepEqual(canonicalDump(index), expected, `after a kill before call ${deadline} of ${calls}`);
  }
});

test('killed while taking in an edited folder, again and again, the index ends as one built of it anew', async (t) => {
  const folder = scratch(t);
  const root = join(folder, 'documents');
  writeDocuments(root);
  const before = join(folder, 'before.sqlite');
  await indexWithFakes(root, before);
  writeFileSync(
    join(root, 'note3.md'),
    '# Note 3\n\nThe pump stopped because of sand.\n\n## Part 1\n\nThe pump 3.1 failed because of frost 4.\n',
  );
  rmSync(join(root, 'note5.md'));
  writeFileSync(join(root, 'binary.txt'), 'It is text now because of an edit.');
  const fresh = join(folder, 'fresh.sqlite');
  await indexWithFakes(root, fresh);
  const probe = join(folder, 'probe.sqlite');
  copyFileSync(before, probe);
  const { calls } = JSON.parse((await run(root, probe)).output) as { calls: number };

  const index = join(folder, 'index.sqlite');
  copyFileSync(before, index);
  let kills = 0;
  for (let attempt = 0; attempt < 8; attempt++) {
    const { signal } = await run(root, index, 1 + Math.floor(Math.random() * calls));
    if (signal === 'SIGKILL') kills++;
    assertOpens(index);
  }
  assert.ok(kills >= 1);
  await indexWithFakes(root, index);
  assert.deepEqual(canonicalDump(index), canonicalDump(fresh));
});

test('killed from outside at moments of no choosing, the index opens and finishes', async (t) => {
  const folder = scratch(t);
  const root = join(folder, 'documents');
  writeDocuments(root);
  const undisturbed = join(folder, 'undisturbed.sqlite');
  const from = performance.now();
  await run(root, undisturbed);
  const span = performance.now() - from;
  const index = join(folder, 'index.sqlite');
  for (let attempt = 0; attempt < 5; attempt++) {
    await run(root, index, 0, span * (0.3 + 0.7 * Math.random()));
    assertOpens(index);
  }
  await indexWithFakes(root, index);
  assert.deepEqual(canonicalDump(index), canonicalDump(undisturbed));
});

test('two processes that index the same folder at the same time leave one whole index', async (t) => {
  const folder = scratch(t);
  const root = join(folder, 'documents');
  writeDocuments(root);
  const undisturbed = join(folder, 'undisturbed.sqlite');
  await indexWithFakes(root, undisturbed);
  const index = join(folder, 'index.sqlite');
  const ended = await Promise.all([run(root, index), run(root, index)]);
  assert.deepEqual(
    ended.map(({ code }) => code),
    [0, 0],
  );
  assert.deepEqual(canonicalDump(index), canonicalDump(undisturbed));
});
