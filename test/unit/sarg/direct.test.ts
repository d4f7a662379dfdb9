import assert from 'node:assert/strict';
import { test } from 'node:test';
import { direct } from '../../../server/sarg/direct.ts';
import type { Director } from '../../../server/sarg/types.ts';

const director: Director = {
  direct: async () => [{ label: 'forward', scores: { forward: 0.6, backward: 0.3, bidirectional: 0.1 } }],
};

test("the classifier's best label is taken (equation 4)", async () => {
  const found = await direct('What follows?', director, { direction: 'auto', minConfidence: 0.5 });
  assert.deepEqual([found.label, found.by, found.scores.forward], ['forward', 'classifier', 0.6]);
});

test('an unsure classifier has both ways walked, and the result says so', async () => {
  const found = await direct('What follows?', director, { direction: 'auto', minConfidence: 0.7 });
  assert.deepEqual([found.label, found.by], ['bidirectional', 'unsure']);
});

test('a way set by hand stands, however sure the classifier is', async () => {
  const found = await direct('What follows?', director, { direction: 'backward', minConfidence: 0.5 });
  assert.deepEqual([found.label, found.by, found.scores.forward], ['backward', 'person', 0.6]);
});

test('cancelling while the question is read rejects with the reason', async () => {
  const controller = new AbortController();
  const reason = new Error('stopped by hand');
  const slow: Director = {
    direct: (queries) => {
      controller.abort(reason);
      return director.direct(queries);
    },
  };
  await assert.rejects(
    direct('Why?', slow, { direction: 'auto', minConfidence: 0.5 }, controller.signal),
    reason,
  );
});
