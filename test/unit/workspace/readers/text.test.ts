import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readText } from '../../../../server/workspace/readers/index.ts';
import { assertPart, blocksOf, growth, sourceOf } from './laws.ts';

const txt = (source: string) => blocksOf(source, 'note.txt');

test('hard-wrapped lines are joined, blank lines and rules part paragraphs', () => {
  assert.deepEqual(
    txt(
      'The pump failed because the valve leaked,\nand the frost came.\n\n-----\nNext day it\nwas mended.\n',
    ),
    [
      'prose: The pump failed because the valve leaked, and the frost came.',
      'prose: Next day it was mended.',
    ],
  );
});

test('bullets and numbers are items, their further lines stay with them', () => {
  assert.deepEqual(txt('Causes\n- frost in the\n  night\n* a leak\n1. first\n2) second\n'), [
    'prose: Causes',
    'item: frost in the night',
    'item: a leak',
    'item: 1. first',
    'item: 2) second',
  ]);
});

test('the head of a mail is items, the date under it and the text are not', () => {
  assert.deepEqual(
    txt('From: Pharmacy\nTo: Ward 3\nSubject: a contract\n22 March 2022\n\nIt was lost because\nof frost.\n'),
    [
      'item: From: Pharmacy',
      'item: To: Ward 3',
      'item: Subject: a contract',
      'prose: 22 March 2022',
      'prose: It was lost because of frost.',
    ],
  );
});

test('quote marks of mails are dropped and the quoted words are found', () => {
  const source = '> The pump\n> failed.\n>> Why?\nFrost.\n';
  const part = readText(source, 'a.txt').parts[0]!;
  assert.deepEqual(txt(source), ['prose: The pump failed.', 'prose: Why?', 'prose: Frost.']);
  assert.equal(sourceOf(part, 'pump failed'), 'pump\n> failed');
});

test('underlined, capital and numbered lines that stand alone are headings, sentences are not', () => {
  assert.deepEqual(
    txt('Report\n======\n\nFINDINGS (short)\nThe pump failed.\n\n3. The repeat\n\nWhy\n---\n\nIT FAILED.\n'),
    [
      'heading1: Report',
      'heading2: FINDINGS (short)',
      'prose: The pump failed.',
      'heading2: 3. The repeat',
      'heading2: Why',
      'prose: IT FAILED.',
    ],
  );
});

test('a word broken over two lines is whole again, a compound keeps its hyphen', () => {
  assert.deepEqual(
    txt('The deliv-\nery was late. A delivery of long-\nterm stock. Sup\u00ad\nply is long-term here.\n'),
    ['prose: The delivery was late. A delivery of long-term stock. Supply is long-term here.'],
  );
});

test('the first short line is the title, and an empty file gives a note', () => {
  assert.equal(readText('\nPump log, spring\n\nIt failed.\n', 'a.txt').title, 'Pump log, spring');
  assert.deepEqual(readText(' \n', 'x/a.txt'), { title: 'a', parts: [], notes: ['no text'] });
});

test('Chinese and right-to-left text are read with their places', () => {
  assert.deepEqual(txt('水泵因为\n缺油停机。\n'), ['prose: 水泵因为缺油停机。']);
  const part = readText('שלום 👩🏽‍🔧 the frost\n', 'a.txt').parts[0]!;
  assert.equal(sourceOf(part, 'the frost'), 'the frost');
});

test('law: any text is read without an exception, the map is true, no sign is lost', () => {
  const sign = fc.constantFrom(...'abA \n\t>-*=:.1)é水🇩\r\0\u00ad');
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 120 }), (source) => {
      for (const part of readText(source, 'a.txt').parts) assertPart(part);
    }),
    { numRuns: 500 },
  );
  const words = fc.array(fc.constantFrom('pump', 'frost', 'valve,', 'leak.', '\n', '\n\n'), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(words, (list) => {
      const text = readText(list.join(' '), 'a.txt').parts[0]?.text ?? '';
      assert.deepEqual(text.split(/\s+/).filter(Boolean), list.join(' ').split(/\s+/).filter(Boolean));
    }),
  );
});

test('time grows linearly: wrapped prose, one line, spaces, quotes, keys', () => {
  const makers: Record<string, (units: number) => string> = {
    prose: (n) => 'The pump failed because the valve leaked.\n'.repeat(n / 42),
    line: (n) => 'pump '.repeat(n / 5),
    word: (n) => 'x'.repeat(n),
    chinese: (n) => '水泵因为缺油停机。'.repeat(n / 9),
    spaces: (n) => `a${' '.repeat(n)}b`,
    quotes: (n) => '>'.repeat(n),
    keys: (n) => 'Key: value\n'.repeat(n / 11),
    hyphens: (n) => 'deliv-\nery '.repeat(n / 11),
  };
  for (const [name, make] of Object.entries(makers)) {
    const times = growth(make, 'a.txt');
    assert.ok(times <= 5, `${name}: ${times.toFixed(1)} times for 4 times the input`);
  }
});
