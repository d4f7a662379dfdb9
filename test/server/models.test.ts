import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  ModelFileError,
  ModelProcess,
  ModelProcessDied,
  ModelProcessFailed,
  type ModelProcessOptions,
  ModelProcessStopped,
  type ModelState,
  NativeRuntimeError,
} from '../../models/client.ts';

const root = join(import.meta.dirname, '../..');
const fixture = (name: string) => join(import.meta.dirname, 'fixtures/models', name);
/** Only against hanging, so that a busy machine does not fail a test. */
const LIMIT = 300_000;
/** About fifty words: long enough that a kill meets the call that embeds several of them. */
const passage =
  'The outage began when frost broke a relay, which tripped the feeder and darkened the harbour. '.repeat(6);

function start(options: ModelProcessOptions = {}): ModelProcess & { states: ModelState[] } {
  const models = new ModelProcess({ threads: 1, firstDelay: 20, ...options });
  const states: ModelState[] = [];
  models.onState((state) => states.push(state));
  return Object.assign(models, { states });
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits for something that must come about; the test's own time limit is the limit. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

const kinds = (states: readonly ModelState[]) => states.map(({ kind }) => kind);

test('the first call starts the process, which tells its models, threads and Node', {
  timeout: LIMIT,
}, async () => {
  await using models = start();
  assert.equal(models.state.kind, 'stopped');
  const info = await models.info();
  assert.deepEqual(kinds(models.states), ['starting', 'ready']);
  assert.equal(info.embedder.dimensions, models.dimensions);
  assert.equal(info.threads, 1);
  assert.equal(info.node, process.versions.node);
  assert.notEqual(info.pid, process.pid);
  assert.equal(info.pid, models.pid);
});

test('many texts go in several messages and come back in order', { timeout: LIMIT }, async () => {
  await using models = start();
  const texts = Array.from({ length: 150 }, (_, index) => `relay ${index % 3}`);
  const vectors = await models.embed(texts, 'concept');
  assert.equal(vectors.length, texts.length);
  for (const [index, vector] of vectors.entries()) assert.deepEqual(vector, vectors[index % 3]);
  assert.notDeepEqual(vectors[0], vectors[1]);
  assert.deepEqual(await models.embed([], 'concept'), []);
});

test('a question asked while passages are read does not wait for all of them', {
  timeout: LIMIT,
}, async () => {
  await using models = start();
  const order: string[] = [];
  const reading = models.embed(Array(130).fill('relay'), 'passage').then(() => order.push('passages'));
  const asking = models.embed(['Why did the lights go out?'], 'query').then(() => order.push('question'));
  await Promise.all([reading, asking]);
  assert.deepEqual(order, ['question', 'passages']);
});

test('killed in the middle of a call: it is started again and the call answered as if nothing had been', {
  timeout: LIMIT,
}, async () => {
  await using models = start();
  const [expected] = await models.embed([passage], 'passage');
  const first = models.pid!;
  const open = models.embed(Array(6).fill(passage), 'passage');
  await sleep(50);
  process.kill(first, 'SIGKILL');
  const vectors = await open;
  assert.equal(vectors.length, 6);
  for (const vector of vectors) assert.deepEqual(vector, expected);
  assert.notEqual(models.pid, first);
  assert.deepEqual(kinds(models.states), ['starting', 'ready', 'restarting', 'starting', 'ready']);
});

test('a call that kills the process twice is rejected with the signal, and the next call works', {
  timeout: LIMIT,
}, async () => {
  await using models = start({ entry: fixture('poisoned.ts') });
  await assert.rejects(
    models.embed(['poison'], 'passage'),
    (error: Error) =>
      error instanceof ModelProcessDied &&
      /SIGKILL/.test(error.message) &&
      /started again/.test(error.message),
  );
  assert.equal((await models.embed(['frost'], 'passage')).length, 1);
});

test('each death within the window doubles the wait before the next start', { timeout: LIMIT }, async () => {
  await using models = start({ maxDelay: 50 });
  await models.info();
  for (let death = 1; death <= 3; death++) {
    process.kill(models.pid!, 'SIGKILL');
    await until(() => kinds(models.states).filter((kind) => kind === 'ready').length === death + 1);
  }
  const waits = models.states
    .filter(({ kind }) => kind === 'restarting')
    .map(({ message }) => /\d+(?= ms)/.exec(message)?.[0]);
  assert.deepEqual(waits, ['20', '40', '50']);
  assert.ok((await models.info()).pid > 0);
});

test('deaths older than the window are forgotten', { timeout: LIMIT }, async () => {
  await using models = start({ deathWindow: 1, maxDeaths: 2 });
  for (let death = 0; death < 3; death++) {
    const { pid } = await models.info();
    process.kill(pid, 'SIGKILL');
    await until(() => models.pid !== pid && models.state.kind === 'ready');
  }
  assert.ok(!kinds(models.states).includes('failed'));
});

test('a process that dies again and again is given up, with its exit code, last words and what to do', {
  timeout: LIMIT,
}, async () => {
  await using models = start({ entry: fixture('dies-at-start.ts'), maxDeaths: 3 });
  const givenUp = (error: Error) =>
    error instanceof ModelProcessFailed &&
    /died 3 times/.test(error.message) &&
    /exit code 7/.test(error.message) &&
    /illegal instruction in the test/.test(error.message) &&
    /Restart the models/.test(error.message);
  await assert.rejects(models.info(), givenUp);
  const starts = () => kinds(models.states).filter((kind) => kind === 'starting').length;
  assert.equal(starts(), 3);
  await assert.rejects(models.embed(['frost'], 'concept'), givenUp);
  assert.equal(starts(), 3, 'a call started it again');
  await assert.rejects(models.restart(), givenUp);
  assert.equal(starts(), 6);
  assert.equal(models.state.kind, 'failed');
});

test('restart ends what runs and starts afresh', { timeout: LIMIT }, async () => {
  await using models = start();
  const { pid } = await models.info();
  const open = models.embed(Array(20).fill(passage), 'passage');
  const rejected = assert.rejects(open, ModelProcessStopped);
  await models.restart();
  await rejected;
  assert.notEqual(models.pid, pid);
  assert.ok(!runs(pid));
  assert.equal((await models.embed(['frost'], 'concept')).length, 1);
});

test('an abort rejects at once, drops the rest of the call, and leaves no listener', {
  timeout: LIMIT,
}, async () => {
  await using models = start();
  await models.embed(['frost'], 'concept');
  const controller = new AbortController();
  const open = models.embed(Array(30).fill('frost broke the relay'), 'concept', controller.signal);
  await sleep(30);
  assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
  let settled = false;
  const rejected = assert.rejects(open, { name: 'AbortError' }).then(() => {
    settled = true;
  });
  controller.abort();
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(settled, 'the rejection waited for the process');
  await rejected;
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  await assert.rejects(models.embed(['frost'], 'concept', controller.signal), { name: 'AbortError' });
  assert.equal((await models.embed(['frost'], 'concept')).length, 1);
  assert.deepEqual(kinds(models.states), ['starting', 'ready']);
});

test('an abort while the process starts rejects the call but not the start', {
  timeout: LIMIT,
}, async () => {
  await using models = start();
  const controller = new AbortController();
  const open = models.info(controller.signal);
  controller.abort();
  await assert.rejects(open, { name: 'AbortError' });
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  await models.info();
  assert.deepEqual(kinds(models.states), ['starting', 'ready']);
});

test('a native module that does not load is told with its reason, once, and not tried again', {
  timeout: LIMIT,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-native-'));
  try {
    cpSync(join(root, 'models'), join(folder, 'models'), {
      recursive: true,
      filter: (path) => !/models\/(weights|training)(\/|$)/.test(path.replaceAll('\\', '/')),
    });
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    mkdirSync(join(folder, 'node_modules/onnxruntime-node'), { recursive: true });
    symlinkSync(
      join(root, 'node_modules/vscode-jsonrpc'),
      join(folder, 'node_modules/vscode-jsonrpc'),
      'junction',
    );
    writeFileSync(join(folder, 'broken.node'), 'not a library');
    writeFileSync(
      join(folder, 'node_modules/onnxruntime-node/index.js'),
      `module.exports = require(${JSON.stringify(join(folder, 'broken.node'))});`,
    );
    await using models = start({ entry: join(folder, 'models/process.ts') });
    const told = (error: Error) =>
      error instanceof NativeRuntimeError &&
      /onnxruntime-node does not load/.test(error.message) &&
      error.message.includes('broken.node') &&
      /another Node binary/.test(error.message);
    await assert.rejects(models.info(), told);
    await assert.rejects(models.embed(['frost'], 'concept'), told);
    assert.deepEqual(kinds(models.states), ['starting', 'failed']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a Node binary that does not exist is named', { timeout: LIMIT }, async () => {
  await using models = start({ execPath: join(root, 'no-such-node') });
  await assert.rejects(
    models.info(),
    (error: Error) =>
      error instanceof ModelProcessFailed && error.message.includes(join(root, 'no-such-node')),
  );
  assert.deepEqual(kinds(models.states), ['starting', 'failed']);
});

test('a process that never answers is ended and counted as dead', { timeout: LIMIT }, async () => {
  await using models = start({ entry: fixture('silent.ts'), startTimeout: 300, maxDeaths: 2 });
  await assert.rejects(
    models.info(),
    (error: Error) => error instanceof ModelProcessFailed && /no sign/.test(error.message),
  );
});

test('weights that are missing reject their own calls only', { timeout: LIMIT }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-weights-'));
  try {
    cpSync(join(root, 'models/catalog.json'), join(folder, 'catalog.json'));
    await using models = start({ folder });
    for (const call of [
      () => models.embed(['frost'], 'concept'),
      () => models.tag(['Frost broke the relay.']),
      () => models.direct(['Why?']),
    ]) {
      await assert.rejects(
        call(),
        (error: Error) => error instanceof ModelFileError && error.message.includes(join(folder, 'weights')),
      );
    }
    assert.equal((await models.info()).tagger.version, 'missing');
    assert.equal(models.state.kind, 'ready');
    mkdirSync(join(folder, 'weights'));
    symlinkSync(join(root, 'models/weights/embedder'), join(folder, 'weights/embedder'), 'junction');
    assert.equal((await models.embed(['frost'], 'concept')).length, 1, 'weights put back are not seen');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('dispose rejects open calls, ends the process and leaves nothing behind', {
  timeout: LIMIT,
}, async () => {
  const held = () => process.getActiveResourcesInfo().filter((name) => /Process|Pipe/.test(name)).length;
  const before = held();
  const models = start();
  await models.info();
  const pid = models.pid!;
  const rejected = assert.rejects(models.embed(Array(30).fill(passage), 'passage'), ModelProcessStopped);
  await models[Symbol.asyncDispose]();
  await rejected;
  assert.ok(!runs(pid));
  await until(() => held() <= before);
  await assert.rejects(models.info(), ModelProcessStopped);
  await assert.rejects(models.restart(), ModelProcessStopped);
  await models[Symbol.asyncDispose]();
  assert.equal(models.states.at(-1)?.kind, 'stopped');
});

test('dispose while the process starts or waits to be started again does not wait for it', {
  timeout: LIMIT,
}, async () => {
  const starting = start();
  const refused = assert.rejects(starting.info(), ModelProcessStopped);
  await starting[Symbol.asyncDispose]();
  await refused;

  const waiting = start({ entry: fixture('dies-at-start.ts'), firstDelay: 3_600_000, maxDelay: 3_600_000 });
  const dropped = assert.rejects(waiting.info(), ModelProcessStopped);
  await until(() => waiting.state.kind === 'restarting');
  await waiting[Symbol.asyncDispose]();
  await dropped;
});

test('a process that is stuck is killed after its time of grace', { timeout: LIMIT }, async () => {
  const models = start({ grace: 1 });
  await models.embed(['frost'], 'concept');
  const pid = models.pid!;
  process.kill(pid, 'SIGSTOP');
  await models[Symbol.asyncDispose]();
  assert.ok(!runs(pid));
});

test('the process ends with its parent, however that ends', { timeout: LIMIT }, async () => {
  const parent = spawn(process.execPath, [fixture('parent.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(output.toString());
  assert.ok(runs(pid));
  parent.kill('SIGKILL');
  await until(() => !runs(pid));
});

test('a program that disposes its models ends by itself', { timeout: LIMIT }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [fixture('well-behaved.ts')]);
  assert.equal(stdout, '384\n');
});

test('started by hand, without a channel, the process says how it is meant to be started', async () => {
  await assert.rejects(
    promisify(execFile)(process.execPath, [join(root, 'models/process.ts')]),
    (error: Error & { code?: number; stderr?: string }) =>
      error.code === 2 && /IPC channel/.test(error.stderr ?? ''),
  );
});
