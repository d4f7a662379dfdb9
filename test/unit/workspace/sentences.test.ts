import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutLong, splitSentences, weigh } from '../../../server/workspace/sentences.ts';
import { assertLinear } from './scaling.ts';

/** Sentences written with | between them; white space around the bars belongs to none. */
function check(marked: string): void {
  const expected = marked.split('|').map((sentence) => sentence.trim());
  const text = marked.replaceAll('|', '');
  assert.deepEqual(
    splitSentences(text).map(({ start, end }) => text.slice(start, end)),
    expected,
  );
}

const CASES: readonly (readonly [behaviour: string, marked: string])[] = [
  ['plain sentences', 'The pump failed. |It was cold! |Why? |Nobody knows.'],
  [
    'abbreviations',
    'Dr. Marek saw it, e.g. Pumps, i.e. The big ones. |See Fig. 3 and No. 12 vs. No. 13. |It took approx. 20 days.',
  ],
  ['"no." at the end of a sentence', 'The answer was no. |Valves stayed shut.'],
  [
    'et al. before a name, a year and a new sentence',
    'Smith et al. (2010) agree. |So do Ng et al. [4] here. |We follow Smith et al. |The rest is new.',
  ],
  ['initials', 'It was J. Marek. |It was J. R. Smith and J.-P. Sand. |George W. Bush spoke.'],
  [
    'letters that name a kind end sentences',
    'They lacked vitamin C. |Patients got fruit. |We chose plan B. |It worked.',
  ],
  ['decimals and versions', 'It rose by 3.5 units. |Version 2.0.1 came out. |It cost .5 units.'],
  [
    'a citation behind the stop stays with its sentence',
    'The valve leaked.[12] |The next day it burst. [3, 4] |Then came frost.',
  ],
  [
    'a citation that is the subject stays with what follows',
    'The valve leaked. |[12] shows more. |It burst, cf. [13] for more.',
  ],
  ['a reference mark set behind the stop', 'The valve leaked.12 |The next day it burst.'],
  ['ellipses', 'We waited... |Then it burst. |We waited… |Then it burst. |It was... cold… and dark.'],
  ['quotations', '“It failed.” |The pump stopped. |"Why?" he asked. |He said "Stop!" and left.'],
  ['no split before a lower-case word', 'The firm Yahoo! is old. |It rose (approx.) by ten.'],
  ['a term that begins in lower case begins a sentence', 'What fell? |pH fell! |mRNA rose.'],
  [
    'countries and companies',
    'The U.S. Navy and Acme Inc. agreed. |He lives in the U.S. |The pump is there.',
  ],
  ['a stop that begins a word', 'Issues came with .NET core. |See .gitignore and .ENV files.'],
  ['CJK stops', '泵失效。|停机！|“好？”|然后走了。|水。'],
  ['numbering at the start', '1. Pumps fail. |The rest is fine.'],
  ['German ordinals', 'Am 3. März kam er. |Dann ging er.'],
];
for (const [behaviour, marked] of CASES) test(`sentences: ${behaviour}`, () => check(marked));

test('sentences end at blank lines and bullets but run over a line break', () => {
  const text = 'Wrapped\nline\n\nNext one\n- first\n- second. third\n2) numbered\r\n\r\nEnd';
  assert.deepEqual(
    splitSentences(text).map(({ start, end }) => text.slice(start, end)),
    ['Wrapped\nline', 'Next one', '- first', '- second. third', '2) numbered', 'End'],
  );
});

test('sentences of a stretch have offsets in the whole text', () => {
  const text = 'xx. Yy. Zz. Ww.';
  assert.deepEqual(splitSentences(text, 4, 11), [
    { start: 4, end: 7 },
    { start: 8, end: 11 },
  ]);
});

const scraps = fc.constantFrom(
  'A',
  'b',
  ' ',
  '.',
  '?',
  '…',
  '\n',
  '\n\n',
  '- ',
  '[1]',
  '“',
  '。',
  '泵',
  '😀',
  'e.g.',
  'J.',
  '3',
  '(',
  ')',
  '\u0301',
  ' The ',
);
const messy = fc.array(scraps, { maxLength: 80 }).map((parts) => parts.join(''));

test('law: sentences ascend, do not overlap, have no outer white space and cover all else', () => {
  fc.assert(
    fc.property(messy, (text) => {
      let at = 0;
      for (const { start, end } of splitSentences(text)) {
        assert.ok(at <= start && start < end && end <= text.length);
        assert.equal(text.slice(at, start).trim(), '');
        assert.equal(text.slice(start, end).trim(), text.slice(start, end));
        at = end;
      }
      assert.equal(text.slice(at).trim(), '');
    }),
    { numRuns: 500 },
  );
});

test('law: pieces of a long sentence cover its words, keep surrogate pairs whole and are not too long', () => {
  const long = fc.array(fc.constantFrom('word ', '泵', '😀', '，', 'x'.repeat(90)), {
    minLength: 50,
    maxLength: 400,
  });
  fc.assert(
    fc.property(long, (parts) => {
      const text = parts.join('');
      const whole = { start: 0, end: text.length };
      const pieces = cutLong(text, whole, 40, 15);
      assert.equal(
        pieces
          .map(({ start, end }) => text.slice(start, end))
          .join('')
          .replaceAll(/\s/g, ''),
        text.replaceAll(/\s/g, ''),
      );
      for (const { start, end } of pieces) {
        assert.ok(weigh(text, start, end) <= 40);
        assert.doesNotMatch(text.slice(start, end), /^[\udc00-\udfff]|[\ud800-\udbff]$/);
      }
    }),
  );
});

const SCALES: readonly (readonly [string, string])[] = [
  [
    'Latin with stops',
    'The pump failed because the seal, which was old, had dried out. Dr. Marek saw it, e.g. in May. ',
  ],
  ['Latin without a stop', 'word after word '],
  ['one endless word', 'x'],
  ['CJK with stops', '水泵因密封老化而失效。'],
  ['CJK without a stop', '水泵因密封老化而失效'],
];
for (const [name, unit] of SCALES)
  test(`sentences: 1 MB without a line break costs at most 5 times a quarter of it: ${name}`, () => {
    const make = (length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    const split = (text: string): void => {
      for (const span of splitSentences(text)) cutLong(text, span, 400, 150);
    };
    assertLinear(split, make(256 * 1024), make(1024 * 1024));
  });
