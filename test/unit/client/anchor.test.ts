import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findQuote } from '../../../client/anchor.ts';

test('words that stand where they were are found there, however often they stand elsewhere', () => {
  assert.deepEqual(findQuote('a b a b a', 'a b', 4), { start: 4, end: 7, moved: false });
});

test('words that moved are found again only if they stand once', () => {
  assert.deepEqual(findQuote('new line\nthe pump failed', 'the pump failed', 0), {
    start: 9,
    end: 24,
    moved: true,
  });
  assert.equal(findQuote('xx the pump, the pump', 'the pump', 0), null);
});

test('words that changed are never guessed', () => {
  assert.equal(findQuote('the pumps failed', 'the pump failed', 0), null);
  assert.equal(findQuote('anything', '', 0), null);
});

test('line ends are alike, and signs of patterns mean themselves', () => {
  const found = findQuote('x (a.*)\r\nb [c]\r\n', '(a.*)\nb [c]', 2);
  assert.deepEqual(found, { start: 2, end: 14, moved: false });
  assert.equal(findQuote('zz\r\n(a.*)\r\nb', '(a.*)\nb', 0)?.moved, true);
});

test('law: a quote cut from a text is found at its place', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(), fc.nat(), (text, a, b) => {
      const start = a % text.length;
      const end = start + 1 + (b % (text.length - start));
      const quote = text.slice(start, end);
      // Half of a line end is no end of words.
      fc.pre(
        !(quote.endsWith('\r') && text[end] === '\n') &&
          !(quote.startsWith('\n') && text[start - 1] === '\r'),
      );
      assert.deepEqual(findQuote(text, quote, start), { start, end, moved: false });
    }),
  );
});
