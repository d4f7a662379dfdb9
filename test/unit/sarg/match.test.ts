import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { candidatePhrases, keyPhrases, matchStarts } from '../../../server/sarg/match.ts';
import type { Concept, ConceptId } from '../../../server/sarg/types.ts';
import { isAskingWord, isStopWord } from '../../../server/sarg/words.ts';
import { saidEmbedder, WordEmbedder } from './fakes.ts';

test('candidates are runs of up to four words without function words at their ends', () => {
  assert.deepEqual(candidatePhrases('Why did the shortage of zinc harm apples?'), [
    'shortage',
    'shortage of zinc',
    'shortage of zinc harm',
    'zinc',
    'zinc harm',
    'zinc harm apples',
    'harm',
    'harm apples',
    'apples',
  ]);
});

test('no candidate runs over a comma, and a question of nothing but asking has none', () => {
  assert.ok(!candidatePhrases('frost, rust').includes('frost rust'));
  for (const question of ['', '???', 'Why?', 'What happened then?', '\u0000'])
    assert.deepEqual(candidatePhrases(question), []);
});

test('any question: candidates are its words, free of function words at both ends', () => {
  const word = fc.constantFrom(
    'why',
    'the',
    'pump',
    'failed',
    'of',
    'because',
    'frost',
    'cause',
    '水泵',
    "didn't",
    ',',
    '?',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (list) => {
      const question = list.join(' ');
      for (const phrase of candidatePhrases(question)) {
        const tokens = phrase.split(' ');
        assert.ok(question.includes(phrase) && tokens.length <= 4);
        for (const end of [tokens[0]!, tokens.at(-1)!]) assert.ok(!isStopWord(end) && !isAskingWord(end));
      }
    }),
  );
});

test('key phrases are the nearest to the question, at most as many as asked', async () => {
  const said = { 'frost pipe?': [1, 0.2, 0], frost: [1, 0, 0], pipe: [0, 1, 0], 'frost pipe': [1, 0.1, 0.9] };
  const found = await keyPhrases('frost pipe?', saidEmbedder(said), 2, 0);
  assert.deepEqual(
    found.map(({ text }) => text),
    ['frost', 'frost pipe'],
  );
  assert.ok(found[0]!.relevance > found[1]!.relevance);
  assert.equal((await keyPhrases('frost pipe?', saidEmbedder(said), 1, 0)).length, 1);
});

test('diversity prefers a phrase that says something else', async () => {
  const said = { 'frost pipe?': [1, 0.5, 0], frost: [1, 0, 0], 'frost pipe': [1, 0.05, 0], pipe: [0, 1, 0] };
  const found = await keyPhrases('frost pipe?', saidEmbedder(said), 2, 0.6);
  assert.deepEqual(found.map(({ text }) => text).sort(), ['frost pipe', 'pipe']);
});

test('a question without key phrases asks the embedder nothing', async () => {
  const embedder = new WordEmbedder();
  assert.deepEqual(await keyPhrases('Why?', embedder, 5, 0.3), []);
  assert.deepEqual(embedder.asked, []);
});

function concept(id: number, vector: readonly number[]): Concept {
  return { id: id as ConceptId, name: `c${id}`, mentions: [], vector: new Float32Array(vector) };
}

test('starts are the concepts nearer than the threshold to any phrase, nearest first (equation 3)', () => {
  const phrases = [
    { text: 'frost', relevance: 1, vector: new Float32Array([1, 0]) },
    { text: 'rust', relevance: 1, vector: new Float32Array([0, 1]) },
  ];
  const concepts = [concept(0, [0.5, 0.5]), concept(1, [0, 0.9]), concept(2, [1, 0]), concept(3, [0.75, 0])];
  assert.deepEqual(
    matchStarts(phrases, concepts, 0.5, 9).map((start) => [start.concept, start.phrase]),
    [
      [2, 'frost'],
      [1, 'rust'],
      [3, 'frost'],
    ],
  );
  assert.deepEqual(
    matchStarts(phrases, concepts, 0.5, 1).map((start) => start.concept),
    [2],
  );
  assert.deepEqual(matchStarts([], concepts, -1, 9), []);
});

test('concepts equally near start in the order of their ids', () => {
  const phrases = [{ text: 'frost', relevance: 1, vector: new Float32Array([1]) }];
  const concepts = [0, 1, 2].map((id) => concept(id, [1]));
  assert.deepEqual(
    matchStarts(phrases, concepts, 0.5, 9).map((start) => start.concept),
    [0, 1, 2],
  );
});
