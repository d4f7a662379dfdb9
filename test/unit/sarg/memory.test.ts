import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { remembered } from '../../../server/sarg/memory.ts';

test('what is remembered is what was read, whatever is asked for in whatever order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2 })), fc.integer({ min: 1, max: 4 }), (texts, most) => {
      const known = remembered((text) => `read ${text}`, most);
      for (const text of texts) assert.equal(known(text), `read ${text}`);
    }),
  );
});

test('a text is read once while it is among those asked for lately, and false is an answer', () => {
  let reads = 0;
  const known = remembered(() => {
    reads++;
    return false;
  }, 10);
  for (let round = 0; round < 5; round++) for (let text = 0; text < 10; text++) known(`${text}`);
  assert.equal(reads, 10);
  for (let text = 10; text < 100; text++) known(`${text}`);
  known('0');
  assert.equal(reads, 101, 'long ago is forgotten');
});
