import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextBuilder } from '../../../../server/workspace/readers/builder.ts';
import { assertPart, blockTexts } from './laws.ts';

test('white space is collapsed and only a plain space stays in a segment', () => {
  const out = new TextBuilder('a b\t c\n\nd');
  out.begin('prose');
  out.copy(0, 9);
  const part = out.part();
  assert.equal(part.text, 'a b c d');
  assert.deepEqual(part.segments, [0, 3, 0, 3, 4, 1, 5, 1, 6, 1, 8, 1]);
});

test('a block in which nothing was written leaves no trace', () => {
  const out = new TextBuilder('  x');
  out.begin('heading', 1);
  out.copy(0, 2);
  out.begin('prose');
  out.copy(2, 3);
  assert.deepEqual(out.part().blocks, [{ kind: 'prose', span: { start: 0, end: 1 } }]);
});

test('an atom maps as a whole, and one as long as its source is kept as the source has it', () => {
  const out = new TextBuilder('&amp;?b');
  out.begin('prose');
  out.atom('&', 0, 5);
  out.atom('!', 5, 6);
  out.copy(6, 7);
  const part = out.part();
  assert.equal(part.text, '&?b');
  assert.deepEqual(part.segments, [0, 1, 0, 5, 1, 2, 5, 2]);
});

test('a line break between Chinese signs is no space, between Latin words it is one', () => {
  const source = '水泵\n停了 the\npump';
  const out = new TextBuilder(source);
  out.copy(0, source.length);
  assert.equal(out.part().text, '水泵停了 the pump');
});

test('soft hyphens, zero-width spaces, direction marks and control signs are dropped, joiners are kept', () => {
  const source = 'pu\u00admp \u200bfai\u202eled\u0000 👩\u200d🔧';
  const out = new TextBuilder(source);
  out.copy(0, source.length);
  const part = out.part();
  assert.equal(part.text, 'pump failed 👩\u200d🔧');
  assertPart(part);
});

test('the mark of a file joined to another parts no word, and an old line end does', () => {
  const source = 'pu\ufeffmp failed\u0085again';
  const out = new TextBuilder(source);
  out.copy(0, source.length);
  const part = out.part();
  assert.equal(part.text, 'pump failed again');
  assertPart(part);
});

test('the header of an empty cell is not written, and a row ends with a full stop', () => {
  const out = new TextBuilder('1,,x.');
  out.begin('row');
  for (const [header, start, end] of [
    ['a', 0, 1],
    ['b', 2, 2],
    ['c', 3, 4],
  ] as const) {
    out.cell(header);
    out.copy(start, end);
  }
  out.endRow();
  assert.deepEqual(blockTexts(out.part()), ['a: 1; c: x.']);
});

test('law: any ascending ranges and atoms keep the map true', () => {
  const piece = fc.record({
    skip: fc.nat(3),
    length: fc.nat(8),
    atom: fc.option(fc.string({ maxLength: 3 })),
    block: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.array(piece, { maxLength: 20 }),
      (source, pieces) => {
        const out = new TextBuilder(source);
        let at = 0;
        for (const { skip, length, atom, block } of pieces) {
          const start = Math.min(source.length, at + skip);
          const end = Math.min(source.length, start + length);
          if (block) out.begin('prose');
          // Atoms come from readers as words without white space at their ends.
          if (atom !== null && end > start) out.atom(atom.replace(/\s/g, ''), start, end);
          else out.copy(start, end);
          at = end;
        }
        assertPart(out.part());
      },
    ),
  );
});
