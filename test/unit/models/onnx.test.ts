import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ModelFileError } from '../../../models/errors.ts';
import { breathe, OnnxModel, padBatch } from '../../../models/onnx.ts';

const model = join(import.meta.dirname, '../../../models/weights/embedder/model.onnx');

test('shorter texts of a batch are padded with 0 and masked out', () => {
  const { rows, columns, ids, mask } = padBatch([
    { ids: [101, 7, 102], offsets: [] },
    { ids: [101, 102], offsets: [] },
  ]);
  assert.deepEqual([rows, columns], [2, 3]);
  assert.deepEqual([...ids], [101n, 7n, 102n, 101n, 102n, 0n]);
  assert.deepEqual([...mask], [1n, 1n, 1n, 1n, 1n, 0n]);
});

test('breathing lets waiting events in and throws the reason of an abort', async () => {
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error('enough')));
  await assert.rejects(breathe(controller.signal), /enough/);
});

test('a file that is missing or no model is named with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-onnx-'));
  try {
    const file = join(folder, 'model.onnx');
    const refused = (pattern: RegExp) => (error: Error) =>
      error instanceof ModelFileError && error.message.includes(file) && pattern.test(error.message);
    await assert.rejects(OnnxModel.load(file, 1), refused(/missing/));
    writeFileSync(file, 'not a model');
    await assert.rejects(OnnxModel.load(file, 1), refused(/cannot be loaded: ./));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('idle threads do not spin: waiting after a run takes next to no processor time', async () => {
  await using loaded = await OnnxModel.load(model, 2);
  await loaded.runBatch(padBatch([{ ids: [101, 9981, 102], offsets: [] }]));
  const before = process.cpuUsage();
  const begun = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const used = process.cpuUsage(before);
  assert.ok((used.user + used.system) / 1000 < (performance.now() - begun) / 4);
});

test('padding does not count: the same text beside a longer one gives nearly the same states', async () => {
  await using loaded = await OnnxModel.load(model, 1);
  const short = { ids: [101, 9981, 3303, 102], offsets: [] };
  const long = { ids: [101, ...Array(30).fill(4586), 102], offsets: [] };
  const alone = (await loaded.runBatch(padBatch([short]))).last_hidden_state!.data as Float32Array;
  const beside = (await loaded.runBatch(padBatch([short, long]))).last_hidden_state!.data as Float32Array;
  let [dot, a, b] = [0, 0, 0];
  for (let at = 0; at < 384; at++) {
    dot += alone[at]! * beside[at]!;
    a += alone[at]! ** 2;
    b += beside[at]! ** 2;
  }
  assert.ok(dot / Math.sqrt(a * b) > 0.97);
});
