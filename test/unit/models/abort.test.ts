import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortable } from '../../../models/abort.ts';

test('what is waited for is given, and a failure is told', async () => {
  const { signal } = new AbortController();
  assert.equal(await abortable(Promise.resolve(3), signal), 3);
  assert.equal(await abortable(Promise.resolve(3)), 3);
  await assert.rejects(abortable(Promise.reject(new Error('no')), signal), /no/);
});

test('who stops waiting is let go at once, and what fails afterwards fails quietly', async () => {
  for (const before of [true, false]) {
    const controller = new AbortController();
    const shared = Promise.withResolvers<number>();
    if (before) controller.abort(new Error('stopped'));
    const waiting = abortable(shared.promise, controller.signal);
    if (!before) controller.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    // An unhandled rejection would fail this test.
    shared.reject(new Error('later'));
    await new Promise((resolve) => setImmediate(resolve));
  }
});
