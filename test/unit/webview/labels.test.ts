import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shorten, wrap } from '../../../webview/graph/labels.ts';

/** Ten pixels a UTF-16 unit: wide enough to force cuts anywhere. */
const measure = (text: string) => text.length * 10;

test('no line is wider than the width, save one that is a single sign', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.integer({ min: 40, max: 300 }),
      (text, width) => {
        for (const line of wrap(text, width, 3, measure).lines) {
          const signs = [...new Intl.Segmenter().segment(line.replace(/…$/u, ''))].length;
          assert.ok(measure(line) <= width || signs <= 1, `${line} at ${width}`);
        }
      },
    ),
  );
});

test('what is not cut is all there; what is cut says so', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.integer({ min: 40, max: 300 }),
      (text, width) => {
        const { lines, cut } = wrap(text, width, 3, measure);
        const bare = (value: string) => value.replace(/\s+/gu, '');
        if (cut) assert.ok(lines.at(-1)!.endsWith('…'));
        else assert.equal(bare(lines.join('')), bare(text));
        assert.ok(lines.length <= 3);
      },
    ),
  );
});

test('an emoji of several code points is never cut apart', () => {
  const mechanic = '👩🏽‍🔧';
  for (let width = 20; width < 300; width += 10) {
    for (const line of wrap(mechanic.repeat(9), width, 2, measure).lines) {
      assert.equal(line.replaceAll(mechanic, '').replace('…', ''), '');
    }
    assert.equal(shorten(mechanic.repeat(5), width, measure).replaceAll(mechanic, '').replace('…', ''), '');
  }
});

test('a name of a megabyte is measured in few steps', () => {
  let steps = 0;
  const counting = (text: string) => {
    steps += 1;
    return text.length * 6;
  };
  wrap('x'.repeat(1_000_000), 130, 3, counting);
  assert.ok(steps < 1500, `${steps} steps`);
});

test('a last line is filled before it is cut', () => {
  const { lines, cut } = wrap('salt spray in the relay cabinet of the upper deck', 130, 2, measure);
  assert.equal(cut, true);
  assert.equal(lines[0], 'salt spray in');
  assert.ok(lines[1]!.length > 10, lines[1]);
});
