import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dot, mayReach, meanUnit, roughDot, screened, weigh } from '../../../server/sarg/vectors.ts';

test('the mean of unit vectors has length one and lies between them', () => {
  const mean = meanUnit([new Float32Array([1, 0]), new Float32Array([0, 1])], 2);
  assert.ok(Math.abs(dot(mean, mean) - 1) < 1e-6);
  assert.ok(Math.abs(mean[0]! - mean[1]!) < 1e-6);
});

test('vectors that cancel out, and none at all, give zeros and no NaN', () => {
  assert.deepEqual(meanUnit([new Float32Array([1, 0]), new Float32Array([-1, 0])], 2), new Float32Array(2));
  assert.deepEqual(meanUnit([], 3), new Float32Array(3));
});

const unit = (length: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length })
    .map((numbers) => meanUnit([Float32Array.from(numbers)], length));
const pair = fc
  .integer({ min: 1, max: 130 })
  .chain((length) => fc.tuple(unit(length), unit(length), fc.double({ min: 0, max: 1, noNaN: true })));

test('the rough dot product is the dot product but for rounding', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      assert.ok(Math.abs(roughDot(a, b) - dot(a, b)) < 1e-9);
    }),
  );
});

test('no two vectors are screened out whose dot product reaches the bar', () => {
  fc.assert(
    fc.property(pair, ([a, b, share]) => {
      // Mixed, so that many are near each other.
      const near = meanUnit([a, b.map((value) => value * share)], a.length);
      const [one, other] = [screened(a), screened(near)];
      assert.ok(mayReach(one, other, dot(a, near)));
      assert.ok(mayReach(one, one, dot(a, a)));
    }),
  );
});

test('vectors far apart are screened out', () => {
  const axis = (at: number) => screened(Float32Array.from({ length: 384 }, (_, own) => Number(own === at)));
  assert.ok(!mayReach(axis(0), axis(1), 0.9));
  assert.ok(!mayReach(axis(380), axis(381), 0.9));
});

test('a weighted sum', () => {
  assert.equal(weigh([1, -2, 3], [4, 5, 6]), 12);
});
