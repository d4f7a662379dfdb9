import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Passage, Position } from '../../../server/sarg/types.ts';
import { makePassages } from '../../../server/workspace/passages.ts';
import { locate } from '../../../server/workspace/places.ts';
import type { Block } from '../../../server/workspace/types.ts';

/** How one stretch of clean text was written in the source. */
type Scrap =
  /** Stands unit by unit. */
  | { readonly kind: 'plain'; readonly text: string }
  /** A decoded entity: maps as a whole. */
  | { readonly kind: 'atom'; readonly text: string; readonly source: string }
  /** Mark-up that has no text. */
  | { readonly kind: 'markup'; readonly source: string }
  /** Text that has no source. */
  | { readonly kind: 'added'; readonly text: string };

interface Written {
  readonly source: string;
  readonly passage: Passage;
}

/** The one passage (a table row never splits when short) read from scraps, with its whole source. */
function write(scraps: readonly Scrap[], before = ''): Written | null {
  let text = '';
  let source = before;
  const segments: number[] = [];
  for (const scrap of scraps) {
    const clean = scrap.kind === 'markup' ? '' : scrap.text;
    const raw = scrap.kind === 'added' ? '' : scrap.kind === 'plain' ? scrap.text : scrap.source;
    if (clean !== '' && raw !== '') segments.push(text.length, clean.length, source.length, raw.length);
    text += clean;
    source += raw;
  }
  const blocks: Block[] = [{ kind: 'row', span: { start: 0, end: text.length } }];
  const [passage] = makePassages(
    { title: 't', notes: [], parts: [{ source, text, blocks, segments }] },
    'f.md',
  );
  return passage === undefined ? null : { source, passage };
}

function plain(text: string): Scrap {
  return { kind: 'plain', text };
}

/** Offset of a position as LSP counts: lines end with \n, \r\n or \r. */
function offsetAt(text: string, { line, character }: Position): number {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length)];
  return starts[line]! + character;
}

function spanOf(passage: Passage, words: string): { start: number; end: number } {
  const start = passage.text.indexOf(words);
  assert.ok(start >= 0);
  return { start, end: start + words.length };
}

test('words are found behind a byte of every kind of line end', () => {
  for (const [end, line] of [
    ['\n', 2],
    ['\r\n', 2],
    ['\r', 2],
  ] as const) {
    const written = write([plain(`pump failed${end}badly`)], `# One${end}`)!;
    const place = locate(written.passage, spanOf(written.passage, 'badly'));
    assert.equal(place.quote, 'badly');
    assert.deepEqual(place.range, { start: { line, character: 0 }, end: { line, character: 5 } });
    assert.equal(written.source.slice(place.offsets.start, place.offsets.end), 'badly');
  }
});

test('mark-up inside a phrase is part of its quote', () => {
  const { passage } = write([
    plain('the '),
    { kind: 'markup', source: '**' },
    plain('old'),
    { kind: 'markup', source: '**' },
    plain(' pump'),
  ])!;
  assert.equal(locate(passage, spanOf(passage, 'the old pump')).quote, 'the **old** pump');
  assert.equal(locate(passage, spanOf(passage, 'old')).quote, 'old');
});

test('an end inside a decoded entity takes the whole entity', () => {
  const { passage } = write([
    plain('wait'),
    { kind: 'atom', text: '...', source: '&hellip;' },
    plain(' then'),
  ])!;
  const { start } = spanOf(passage, '...');
  assert.equal(locate(passage, { start: start - 1, end: start + 1 }).quote, 't&hellip;');
  assert.equal(locate(passage, { start: start + 1, end: start + 8 }).quote, '&hellip; then');
});

test('a span that begins in a header begins at its value; a header alone gives its value', () => {
  const { passage } = write([
    { kind: 'added', text: 'cause: ' },
    plain('frost'),
    { kind: 'added', text: '; effect: ' },
    { kind: 'markup', source: '|' },
    plain('burst'),
  ])!;
  assert.equal(locate(passage, spanOf(passage, 'cause: frost')).quote, 'frost');
  assert.equal(locate(passage, spanOf(passage, 'effect')).quote, 'burst');
  assert.equal(locate(passage, spanOf(passage, 'frost; effect')).quote, 'frost');
});

test('outer white space of a span is not quoted', () => {
  const { passage } = write([plain('the old pump')])!;
  assert.equal(locate(passage, { start: 3, end: 8 }).quote, 'old');
});

test('a phrase behind emoji, flags, accents and right-to-left text is exactly quoted', () => {
  const { passage } = write([plain('👩🏽‍🔬 🇨🇿 e\u0301 עברית frost burst the pipe')])!;
  assert.equal(locate(passage, spanOf(passage, 'frost')).quote, 'frost');
  assert.equal(locate(passage, spanOf(passage, 'עברית')).quote, 'עברית');
});

test('a cell is named and positions count in it', () => {
  const source = 'a\nfrost burst it.';
  const blocks: Block[] = [{ kind: 'prose', span: { start: 0, end: 15 } }];
  const parts = [{ cell: 4, source, text: 'frost burst it.', blocks, segments: [0, 15, 2, 15] }];
  const [passage] = makePassages({ title: 't', notes: [], parts }, 'b.ipynb');
  assert.deepEqual(locate(passage!, { start: 0, end: 5 }), {
    file: 'b.ipynb',
    cell: 4,
    range: { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } },
    offsets: { start: 2, end: 7 },
    quote: 'frost',
  });
});

const text = fc
  .array(fc.constantFrom('frost', ' ', 'a', '😀', '泵', '.', '\n', 'e\u0301'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));
const scrap: fc.Arbitrary<Scrap> = fc.oneof(
  { weight: 4, arbitrary: text.map(plain) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Scrap>(
      { kind: 'atom', text: '&', source: '&amp;' },
      { kind: 'atom', text: '...', source: '&hellip;' },
      { kind: 'atom', text: 'α', source: '\\alpha' },
      { kind: 'atom', text: ' ', source: '\r\n  ' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Scrap>(
      { kind: 'markup', source: '**' },
      { kind: 'markup', source: '\r\n' },
      { kind: 'markup', source: '<!--\n-->' },
      { kind: 'markup', source: '\r' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Scrap>({ kind: 'added', text: '; ' }, { kind: 'added', text: 'head: ' }),
  },
);

const written = fc
  .tuple(
    fc.array(scrap, { minLength: 1, maxLength: 12 }),
    fc.constantFrom('', 'x\n', 'x\r\ny\r\n', '\r\r', '😀'),
  )
  .map(([scraps, before]) => write(scraps, before))
  .filter((result) => result !== null);

test('law: a quote is the source at its offsets, and the range says the same', () => {
  fc.assert(
    fc.property(written, fc.nat(), fc.nat(), ({ source, passage }, a, b) => {
      const at = a % (passage.text.length + 1);
      const span = { start: at, end: at + (b % (passage.text.length + 1 - at)) };
      const place = locate(passage, span);
      assert.equal(place.quote, source.slice(place.offsets.start, place.offsets.end));
      assert.equal(offsetAt(source, place.range.start), place.offsets.start);
      assert.equal(offsetAt(source, place.range.end), place.offsets.end);
    }),
    { numRuns: 1000 },
  );
});

test('law: every mapped unit of a span is inside its quote, and a span of plain text alone is its quote', () => {
  fc.assert(
    fc.property(written, fc.nat(), fc.nat(), ({ passage }, a, b) => {
      const from = a % passage.text.length;
      const span = { start: from, end: from + 1 + (b % (passage.text.length - from)) };
      const place = locate(passage, span);
      const { segments, offset } = passage.source;
      for (let at = 0; at < segments.length; at += 4) {
        const [textStart, textLength, start, length] = segments.slice(at, at + 4) as [
          number,
          number,
          number,
          number,
        ];
        for (let unit = 0; unit < textLength; unit++) {
          const inSpan = textStart + unit >= span.start && textStart + unit < span.end;
          if (!inSpan || /\s/.test(passage.text.charAt(textStart + unit))) continue;
          const first = offset + start + (textLength === length ? unit : 0);
          assert.ok(place.offsets.start <= first && first < place.offsets.end);
        }
        const words = passage.text.slice(span.start, span.end);
        const whole = textLength === length && span.start >= textStart && span.end <= textStart + textLength;
        const split = /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(words);
        if (whole && !split && words.trim() !== '') assert.equal(place.quote, words.trim());
      }
    }),
    { numRuns: 1000 },
  );
});

test('law: the place of a whole passage lies in its source', () => {
  fc.assert(
    fc.property(written, ({ passage }) => {
      const { quote, offsets } = locate(passage, { start: 0, end: passage.text.length });
      assert.ok(passage.source.text.includes(quote));
      assert.ok(offsets.start >= passage.source.offset);
      assert.ok(offsets.end <= passage.source.offset + passage.source.text.length);
    }),
  );
});
