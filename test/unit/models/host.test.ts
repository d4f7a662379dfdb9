import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ModelFileError } from '../../../models/errors.ts';
import { ModelHost } from '../../../models/host.ts';

const models = join(import.meta.dirname, '../../../models');
const never = new AbortController().signal;

test('calls are served in the order they came, and the model is loaded once', async () => {
  const lines: string[] = [];
  await using host = new ModelHost({ threads: 1, log: (_, message) => lines.push(message) });
  const order: number[] = [];
  const calls = [3, 1, 2].map((count, index) =>
    host.embed({ texts: Array(count).fill('frost'), role: 'concept' }, never).then(() => order.push(index)),
  );
  await Promise.all(calls);
  assert.deepEqual(order, [0, 1, 2]);
  assert.equal(lines.filter((line) => line.startsWith('embedder')).length, 1);
  assert.match(lines[0]!, /embedder bge-small-en-v1\.5 \S+ loaded in \d+ ms, 1 threads/);
});

test('a call that is aborted while it waits is never begun, and those after it are served', async () => {
  await using host = new ModelHost({ threads: 1 });
  const controller = new AbortController();
  const first = host.embed({ texts: ['frost'], role: 'concept' }, never);
  const second = host.embed({ texts: Array(100_000).fill('frost'), role: 'concept' }, controller.signal);
  const third = host.embed({ texts: ['relay'], role: 'concept' }, never);
  controller.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  assert.equal((await first).dimensions, 384);
  assert.equal((await third).dimensions, 384);
});

test('vectors travel as base64 of little-endian floats, row by row', async () => {
  await using host = new ModelHost({ threads: 1 });
  const { dimensions, vectors } = await host.embed({ texts: ['frost', 'relay'], role: 'concept' }, never);
  const bytes = Buffer.from(vectors, 'base64');
  assert.equal(bytes.length, 2 * dimensions * 4);
  for (const row of [0, 1]) {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += bytes.readFloatLE((row * dimensions + at) * 4) ** 2;
    assert.ok(Math.abs(sum - 1) < 1e-5);
  }
});

test('a call that fails does not stop the next, and weights put back are found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-host-'));
  try {
    cpSync(join(models, 'catalog.json'), join(folder, 'catalog.json'));
    await using host = new ModelHost({ threads: 1, folder });
    const embed = () => host.embed({ texts: ['frost'], role: 'concept' }, never);
    await assert.rejects(embed(), ModelFileError);
    await assert.rejects(host.tag({ passages: ['Frost broke the relay.'] }, never), ModelFileError);
    await assert.rejects(host.direct({ queries: ['Why?'] }, never), ModelFileError);
    mkdirSync(join(folder, 'weights'));
    cpSync(join(models, 'weights/embedder'), join(folder, 'weights/embedder'), { recursive: true });
    assert.equal((await embed()).dimensions, 384);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('asking for names and versions loads no model', async () => {
  const lines: string[] = [];
  await using host = new ModelHost({ threads: 3, log: (_, message) => lines.push(message) });
  const info = await host.info();
  assert.equal(info.embedder.name, 'bge-small-en-v1.5');
  assert.equal(info.threads, 3);
  assert.deepEqual(lines, []);
});
