import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadCatalog } from '../../../models/catalog.ts';
import { Embedder } from '../../../models/embedder.ts';
import { ModelFileError } from '../../../models/errors.ts';
import type { EmbedRole } from '../../../models/protocol.ts';
import { WordPieceTokenizer } from '../../../models/tokenizer.ts';

const catalog = loadCatalog();
const entry = catalog.embedder;
const directory = catalog.directory(entry);
const tokenizer = WordPieceTokenizer.load(join(directory, entry.tokenizer));
const embedder = await Embedder.load({ entry, directory, tokenizer, threads: 1 });
after(() => embedder[Symbol.asyncDispose]());

const never = new AbortController().signal;
async function vectors(texts: readonly string[], role: EmbedRole = 'passage'): Promise<Float32Array[]> {
  const rows = await embedder.embed(texts, role, never);
  return texts.map((_, row) => rows.slice(row * embedder.dimensions, (row + 1) * embedder.dimensions));
}
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

test('vectors are of unit length, for empty, odd and over-long texts too', async () => {
  for (const vector of await vectors([
    'Zinc shortage caused apple rot.',
    '',
    '\u0000\u200b',
    '😀',
    'frost '.repeat(3000),
  ])) {
    assert.equal(vector.length, 384);
    assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
  }
});

test('what means the same is nearer than what shares words, and both nearer than what has nothing to do with it', async () => {
  const [text, same, words, other] = (await vectors([
    'Zinc shortage caused apple rot.',
    'The fruit decayed because the soil lacked zinc.',
    'The apple logo is rotated.',
    'Interest rates were left unchanged on Thursday.',
  ])) as [Float32Array, Float32Array, Float32Array, Float32Array];
  assert.ok(dot(text, same) > dot(text, words));
  assert.ok(dot(text, words) > dot(text, other));
});

test('a question is nearest to the passage that answers it', async () => {
  const [question] = await vectors(['Why did the lights go out?'], 'query');
  const passages = await vectors([
    'The outage began when frost broke a relay in the substation.',
    'The lights of the fair were bought in 1998.',
    'Frost is forecast for the weekend.',
  ]);
  const [answer, ...others] = passages.map((passage) => dot(question!, passage));
  assert.ok(others.every((other) => other < answer!));
});

test('a vector does not depend on its neighbours or their order', async () => {
  const texts = [
    'Barge traffic fell.',
    'diesel price',
    'Snow melt causes road closures by raising the creek.',
  ];
  const together = await vectors(texts);
  const reversed = (await vectors([...texts].reverse())).reverse();
  for (const [index, text] of texts.entries()) {
    const [alone] = await vectors([text]);
    assert.deepEqual(together[index], alone);
    assert.deepEqual(reversed[index], alone);
  }
});

test('the instruction goes before questions only', async () => {
  const [query] = await vectors(['zinc shortage'], 'query');
  const [passage] = await vectors(['zinc shortage'], 'passage');
  const [concept] = await vectors(['zinc shortage'], 'concept');
  const [prefixed] = await vectors([`${entry.prefixes.query}zinc shortage`], 'passage');
  assert.deepEqual(query, prefixed);
  assert.deepEqual(concept, passage);
  assert.notDeepEqual(query, passage);
});

test('vectors equal those of the runtime from Python', async () => {
  const rows = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/embedder.json'), 'utf8')) as {
    role: EmbedRole;
    text: string;
    vector: number[];
  }[];
  assert.equal(rows.length, 10);
  for (const { role, text, vector } of rows) {
    const [mine] = await vectors([text], role);
    // Wide enough for processors whose 8-bit instructions round otherwise; two texts differ by far more.
    for (const [at, value] of vector.entries())
      assert.ok(Math.abs(mine![at]! - value) < 0.01, `${text} at ${at}`);
  }
});

test('an abort is seen between two texts', async () => {
  const controller = new AbortController();
  const many = embedder.embed(Array(500).fill('frost broke the relay'), 'passage', controller.signal);
  setImmediate(() => controller.abort(new Error('enough')));
  const begun = performance.now();
  await assert.rejects(many, /enough/);
  const aborted = performance.now() - begun;
  const whole = performance.now();
  await vectors(Array(50).fill('frost broke the relay'));
  assert.ok(aborted < performance.now() - whole);
});

test('a network that does not fit the catalog is refused with both widths', async () => {
  await using wrong = await Embedder.load({
    entry: { ...entry, dimensions: 100 },
    directory,
    tokenizer,
    threads: 1,
  });
  await assert.rejects(
    wrong.embed(['x'], 'passage', never),
    (error: Error) => error instanceof ModelFileError && /384.*100/.test(error.message),
  );
});

test('mean pooling averages the states of all pieces', async () => {
  await using mean = await Embedder.load({
    entry: { ...entry, pooling: 'mean' },
    directory,
    tokenizer,
    threads: 1,
  });
  const averaged = await mean.embed(['zinc shortage'], 'passage', never);
  const [first] = await vectors(['zinc shortage']);
  assert.ok(Math.abs(dot(averaged, averaged) - 1) < 1e-5);
  assert.ok(dot(averaged, first!) > 0.8 && dot(averaged, first!) < 0.9999);
});
