import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dot, meanUnit } from '../../../server/sarg/vectors.ts';

test('the mean of unit vectors has length one and lies between them', () => {
  const mean = meanUnit([new Float32Array([1, 0]), new Float32Array([0, 1])], 2);
  assert.ok(Math.abs(dot(mean, mean) - 1) < 1e-6);
  assert.ok(Math.abs(mean[0]! - mean[1]!) < 1e-6);
});

test('vectors that cancel out, and none at all, give zeros and no NaN', () => {
  assert.deepEqual(meanUnit([new Float32Array([1, 0]), new Float32Array([-1, 0])], 2), new Float32Array(2));
  assert.deepEqual(meanUnit([], 3), new Float32Array(3));
});
