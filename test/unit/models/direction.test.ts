import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DirectionClassifier } from '../../../models/direction.ts';
import { ModelFileError } from '../../../models/onnx.ts';
import { WordPieceTokenizer } from '../../../models/tokenizer.ts';

const weights = fileURLToPath(new URL('../../../models/weights', import.meta.url));
const tokenizer = WordPieceTokenizer.load(`${weights}/embedder/tokenizer.json`);
let classifier: DirectionClassifier;

before(async () => {
  classifier = await DirectionClassifier.load({ directory: `${weights}/direction`, tokenizer, threads: 1 });
});
after(() => classifier.dispose());

const questions = {
  'What happens to river barges when diesel gets dearer?': 'forward',
  'List everything downstream of a failed coolant pump.': 'forward',
  'Why did the apples rot?': 'backward',
  'What led to the side effects seen in the second group?': 'backward',
  'root cause of pump failure': 'backward',
  'How are snow melt and road closures related?': 'bidirectional',
  'Did the new valve really cause the leak?': 'bidirectional',
} as const;

test('tells where plain questions lead', async () => {
  const found = await classifier.classify(Object.keys(questions));
  assert.deepEqual(
    Object.fromEntries(Object.keys(questions).map((query, index) => [query, found[index]!.label])),
    questions,
  );
});

test('scores are probabilities, and the label has the highest', async () => {
  for (const { label, scores } of await classifier.classify([...Object.keys(questions), '', 'rain'])) {
    const values = Object.values(scores);
    assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - 1) < 1e-9);
    assert.equal(scores[label], Math.max(...values));
  }
});

test('a question scores the same alone and among others', async () => {
  const queries = Object.keys(questions);
  const together = await classifier.classify(queries);
  for (const [index, query] of queries.entries())
    assert.deepEqual(await classifier.classify([query]), [together[index]]);
});

test('a question of any length is read', async () => {
  const [found] = await classifier.classify([`${'Tell me, please, '.repeat(400)} why did it fail?`]);
  assert.ok(found);
});

test('an abort ends the work with its reason', async () => {
  const reason = new Error('enough');
  await assert.rejects(classifier.classify(['why'], AbortSignal.abort(reason)), reason);
});

test('a folder without the model is named in the error', async () => {
  await assert.rejects(
    DirectionClassifier.load({ directory: '/nowhere', tokenizer, threads: 1 }),
    (error: Error) => error instanceof ModelFileError && /nowhere/.test(error.message),
  );
});
