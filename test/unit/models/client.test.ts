import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitTexts } from '../../../models/client.ts';

test('split texts keep their order, and each group is of bounded size or one text', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 300 }), (lengths) => {
      const texts = lengths.map((length, index) => `${index}`.padEnd(length, '.'));
      const groups = splitTexts(texts);
      assert.deepEqual(groups.flat(), texts);
      for (const group of groups) {
        const characters = group.reduce((sum, text) => sum + text.length, 0);
        assert.ok(group.length === 1 || (group.length <= 64 && characters <= 8192));
      }
    }),
    { numRuns: 50 },
  );
});

test('groups are as large as they may be', () => {
  assert.deepEqual(
    splitTexts(Array(150).fill('relay')).map((group) => group.length),
    [64, 64, 22],
  );
  assert.deepEqual(
    splitTexts(Array(5).fill('.'.repeat(4096))).map((group) => group.length),
    [2, 2, 1],
  );
  assert.deepEqual(splitTexts([]), []);
});
