import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SpanTriple } from '../../../models/protocol.ts';
import { extract } from '../../../server/sarg/extract.ts';
import type { Passage } from '../../../server/sarg/types.ts';
import { passageOf } from './fakes.ts';

const TEXT = 'The day was cold. Frost broke the relay. Nobody saw it.';
const passage = passageOf(TEXT);

function found(cause: string, effect: string, more: Partial<SpanTriple> = {}): SpanTriple {
  const span = (words: string) => ({ start: TEXT.indexOf(words), end: TEXT.indexOf(words) + words.length });
  return {
    cause: span(cause),
    effect: span(effect),
    relation: null,
    type: 'causes',
    negated: false,
    hedged: false,
    confidence: 0.9,
    ...more,
  };
}

test('evidence is the whole sentences from the first to the last word of the link', () => {
  const one = extract(passage, [found('Frost', 'the relay')], 'x').triples[0]!;
  assert.equal(TEXT.slice(one.evidence.start, one.evidence.end), 'Frost broke the relay.');
  const two = extract(passage, [found('cold', 'relay')], 'x').triples[0]!;
  assert.equal(TEXT.slice(two.evidence.start, two.evidence.end), 'The day was cold. Frost broke the relay.');
});

test('the words of the relation belong to the evidence', () => {
  const relation = { start: TEXT.indexOf('Nobody'), end: TEXT.indexOf('Nobody') + 6 };
  const [triple] = extract(passage, [found('Frost', 'relay', { relation })], 'x').triples;
  assert.equal(TEXT.slice(triple!.evidence.start), 'Frost broke the relay. Nobody saw it.');
  assert.equal(triple!.relation!.text, 'Nobody');
});

test('what does not stand in the passage never becomes a triple, and is counted', () => {
  const long = { start: 0, end: TEXT.length + 1 };
  const half = { start: 0.5, end: 3 };
  const { triples, rejected } = extract(
    passage,
    [
      found('Frost', 'relay', { cause: long }),
      found('Frost', 'relay', { effect: { start: -1, end: 4 } }),
      found('Frost', 'relay', { effect: { start: 9, end: 9 } }),
      found('Frost', 'relay', { relation: half }),
      found('. ', 'relay'),
      found('the relay', 'relay'),
      found('Frost', 'relay'),
      found('Frost', 'relay', { type: 'enables' }),
    ],
    'x',
  );
  assert.equal(triples.length, 1);
  assert.deepEqual(rejected, { outside: 4, empty: 1, unsourced: 0, overlapping: 1, duplicate: 1 });
});

test("a table row's header, which stands elsewhere in the file, is no end of a link and no relation", () => {
  const text = 'Spleen: removed; Because of: infection';
  const spot = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
  const row: Passage = {
    ...passageOf(text),
    source: {
      text: 'removed | infection',
      offset: 40,
      position: { line: 4, character: 0 },
      segments: [8, 7, 0, 7, 29, 9, 10, 9],
    },
  };
  const link = {
    ...found('Frost', 'relay'),
    cause: spot('infection'),
    relation: spot('Because of'),
    effect: spot('removed'),
  };
  const { triples, rejected } = extract(row, [link, { ...link, effect: spot('Spleen') }], 'x');
  assert.equal(triples.length, 1);
  assert.equal(triples[0]!.relation, null);
  assert.equal(rejected.unsourced, 1);
});

test('white space around a span is left out', () => {
  const start = TEXT.indexOf(' Frost');
  const [triple] = extract(
    passage,
    [found('Frost', 'relay', { cause: { start, end: start + 7 } })],
    'x',
  ).triples;
  assert.equal(triple!.cause.text, 'Frost');
});

test('doubtful triples are left out below the confidence asked', () => {
  assert.equal(extract(passage, [found('Frost', 'relay', { confidence: 0.4 })], 'x', 0.5).triples.length, 0);
  assert.equal(extract(passage, [found('Frost', 'relay', { confidence: 0.5 })], 'x', 0.5).triples.length, 1);
});

test('"Zinc shortage caused apple rot." and its passive give the same cause and effect', () => {
  for (const text of ['Zinc shortage caused apple rot.', 'Apple rot was caused by zinc shortage.']) {
    const at = (words: RegExp) => ({
      start: text.search(words),
      end: text.search(words) + text.match(words)![0].length,
    });
    const spans = { cause: at(/zinc shortage/i), effect: at(/apple rot/i) };
    const [triple] = extract(passageOf(text), [{ ...found('Frost', 'relay'), ...spans }], 'x').triples;
    assert.deepEqual(
      [triple!.cause.text.toLowerCase(), triple!.effect.text.toLowerCase()],
      ['zinc shortage', 'apple rot'],
    );
  }
});

test('whatever spans a model gives, a triple is made of words of its passage, within its evidence', () => {
  const at = fc.integer({ min: -3, max: TEXT.length + 3 });
  const span = fc.record({ start: at, end: at });
  fc.assert(
    fc.property(span, span, fc.option(span), (cause, effect, relation) => {
      for (const triple of extract(passage, [{ ...found('Frost', 'relay'), cause, effect, relation }], 'x')
        .triples) {
        for (const { text, span: own } of [
          triple.cause,
          triple.effect,
          ...(triple.relation ? [triple.relation] : []),
        ]) {
          assert.equal(text, TEXT.slice(own.start, own.end));
          assert.equal(text, text.trim());
          assert.ok(triple.evidence.start <= own.start && own.end <= triple.evidence.end);
        }
      }
    }),
  );
});
