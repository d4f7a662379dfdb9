import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, isContentFree, overlap, stem, stems, topicStems, words } from '../../../server/sarg/words.ts';

test('the forms of one word have one stem', () => {
  for (const forms of [
    'pump pumps pumped pumping',
    'failure failures',
    'delay delays delayed delaying',
    'relay relays',
    'supply supplies supplied',
    'family families',
    'virus viruses',
    'speed speeds',
    'analysis analyses',
    'crisis crises',
    'increase increases increased increasing',
    'organisation organization organised organized',
    'valve valves',
    'box boxes',
    'match matches',
    'carry carries carried',
  ]) {
    const found = new Set(forms.split(' ').map(stem));
    assert.equal(found.size, 1, `${forms}: ${[...found]}`);
  }
});

test('different words keep different stems', () => {
  for (const pair of ['pump pipe', 'frost forest', 'rise fall', 'virus viral', 'delay day']) {
    const [a, b] = pair.split(' ');
    assert.notEqual(stem(a!), stem(b!), pair);
  }
});

test('numbers and codes are never cut', () => {
  for (const word of ['1990s', 'gba1', 'p53', '3']) assert.equal(stem(word), word);
});

test('accents, width and case fold away, but the vowels of Hindi and the voicing of kana stay', () => {
  assert.equal(fold('Ｃafé NAÏVE'), 'cafe naive');
  assert.equal(fold('が'), 'が');
  assert.notEqual(fold('दी'), fold('दू'));
  assert.deepEqual(words('यह पानी है'), ['यह', 'पानी', 'है']);
});

test('folding twice is folding once, and words are folded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(fold(fold(text)), fold(text));
      for (const word of words(text)) assert.equal(fold(word), word);
    }),
  );
});

test('Chinese without spaces gives pairs of characters', () => {
  assert.deepEqual(words('水泵失效'), ['水泵', '泵失', '失效']);
  assert.deepEqual(words('泵'), ['泵']);
});

test('function words fall out, unless nothing else is there', () => {
  assert.deepEqual(stems('the failure of the pump'), ['failur', 'pump']);
  assert.deepEqual(stems('it'), ['it']);
  assert.ok(isContentFree('This'));
  assert.ok(!isContentFree('this pump'));
});

test('names that look like function words stay', () => {
  assert.deepEqual(stems('US exports'), ['us', 'export']);
  assert.deepEqual(stems('IT failure'), ['it', 'failur']);
  assert.deepEqual(stems('Feeder A'), ['feeder', 'a']);
  assert.ok(!isContentFree('US'));
  assert.deepEqual(stems('A feeder'), ['feeder']);
});

test('a question is about its topic, not about asking', () => {
  assert.deepEqual(topicStems('Why did the pumps fail?'), ['pump', 'fail']);
  assert.deepEqual(topicStems('What are the causes of this effect?'), ['caus', 'effect']);
});

test('overlap is the shared part of the union, the same both ways', () => {
  assert.equal(overlap(new Set(['a', 'b']), new Set(['b', 'c'])), 1 / 3);
  assert.equal(overlap(new Set(), new Set()), 0);
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
      assert.equal(overlap(new Set(a), new Set(b)), overlap(new Set(b), new Set(a)));
    }),
  );
});
