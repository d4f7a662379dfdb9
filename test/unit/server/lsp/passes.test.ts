import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Engine } from '../../../../server/engine.ts';
import { IndexPasses } from '../../../../server/lsp/passes.ts';
import type { UpdateOptions } from '../../../../server/workspace/indexer.ts';

const QUIET = 400;
const REST = 10_000;

/** An engine whose passes last until they are stopped, or until {@link FakeEngine.finish}. */
class FakeEngine {
  readonly begun: UpdateOptions[] = [];
  finish = (): void => {};

  files(): Map<string, never> {
    return new Map<string, never>();
  }

  update(options: UpdateOptions): Promise<unknown> {
    this.begun.push(options);
    return new Promise((resolve, reject) => {
      this.finish = () => resolve({ problems: [] });
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
    });
  }
}

let engine: FakeEngine;
let passes: IndexPasses;
beforeEach(() => {
  mock.timers.reset();
  engine = new FakeEngine();
  passes = new IndexPasses(engine as unknown as Engine, {
    overlay: () => new Map(),
    extractAhead: () => true,
    onChange: () => {},
    onDocuments: () => {},
    quiet: QUIET,
    rest: REST,
  });
  mock.timers.enable({ apis: ['setTimeout'] });
});

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = (signal: AbortSignal) => (): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** Asks, lets the question's pass end as the caller says, and cancels. */
async function cancelledQuestion(finishFirst: boolean): Promise<void> {
  const controller = new AbortController();
  const asked = passes.question(never(controller.signal), controller.signal);
  if (finishFirst) engine.finish();
  await settle();
  controller.abort(new Error('stopped'));
  await assert.rejects(asked, /stopped/);
  await settle();
}

test('cancelling a question that waits for the index stops the pass too', async () => {
  await cancelledQuestion(false);
  assert.equal(engine.begun.length, 1);
  assert.equal(engine.begun[0]?.signal?.aborted, true);
});

test('after a cancelled question no pass begins by itself, until the rest is over', async () => {
  await cancelledQuestion(false);
  passes.touch();
  mock.timers.tick(REST - 1);
  await settle();
  assert.equal(engine.begun.length, 1);
  mock.timers.tick(1);
  mock.timers.tick(QUIET);
  assert.equal(engine.begun.length, 2);
});

test('nothing follows the rest where nothing is left to do', async () => {
  await cancelledQuestion(true);
  mock.timers.tick(REST + QUIET);
  assert.equal(engine.begun.length, 1);
});

test('the next question, or the person, ends the rest', async () => {
  await cancelledQuestion(false);
  passes.run();
  assert.equal(engine.begun.length, 2);
  await cancelledQuestion(false);
  const asked = passes.question(async () => 'answered', new AbortController().signal);
  assert.equal(engine.begun.length, 3);
  engine.finish();
  assert.equal(await asked, 'answered');
});

test('a cancelled question leaves the pass to another one that waits for it', async () => {
  const other = passes.question(async () => 'answered', new AbortController().signal);
  await cancelledQuestion(false);
  assert.equal(engine.begun[0]?.signal?.aborted, false);
  engine.finish();
  assert.equal(await other, 'answered');
});

test('a closed index begins nothing after the rest', async () => {
  await cancelledQuestion(false);
  passes[Symbol.dispose]();
  mock.timers.tick(REST + QUIET);
  assert.equal(engine.begun.length, 1);
});
