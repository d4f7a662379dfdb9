import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose, documentsDoNotSay } from '../../../server/sarg/answer.ts';
import type { Chain, Join } from '../../../server/sarg/chains.ts';
import type { LinkId, RetrievedPassage } from '../../../server/sarg/types.ts';
import { graphOf, marked, passageOf, tripleOf } from './fakes.ts';

function chainOf(links: readonly number[], join: Join = { kind: 'same' }): Chain {
  return {
    score: 1,
    parts: {},
    hops: links.map((link, at) => ({ link: link as LinkId, join: at === 0 ? null : join, also: [] })),
  };
}

test('each sentence tells one hop from cause to effect, cites it by number and quotes its words', async () => {
  const graph = await graphOf([
    marked('«The bell rang» because ‹the door opened›.', { file: 'a.md' }),
    marked('«The dog woke» because ‹the bell rang›.', { file: 'b.md' }),
  ]);
  const answer = compose([chainOf([0, 1])], graph, 0.8);
  assert.equal(answer.kind, 'composed');
  assert.deepEqual(answer.sentences, [
    {
      text: 'The door opened leads to The bell rang [1]: “The bell rang because the door opened.”',
      cites: [1],
    },
    { text: 'The bell rang leads to The dog woke [2]: “The dog woke because the bell rang.”', cites: [2] },
  ]);
  assert.equal(answer.confidence, 0.8);
});

test('a link in two chains is told once; numbers run on as the hops are counted', async () => {
  const graph = await graphOf([tripleOf('frost', 'ice'), tripleOf('ice', 'crack'), tripleOf('ice', 'slip')]);
  const { sentences } = compose([chainOf([0, 1]), chainOf([0, 2])], graph, 1);
  assert.deepEqual(
    sentences.map((sentence) => sentence.cites),
    [[1], [2], [4]],
  );
});

test('what is taken as the same is said', async () => {
  const graph = await graphOf([tripleOf('frost', 'black ice'), tripleOf('icy road', 'crash')]);
  const { sentences } = compose([chainOf([0, 1], { kind: 'near', similarity: 0.8, price: 1 })], graph, 1);
  assert.match(sentences[1]!.text, /^Icy road \(taken as the same as “black ice”\) leads to crash \[2\]/);
});

test('a possible link is told as possible', async () => {
  const graph = await graphOf([tripleOf('frost', 'ice', { hedged: true })]);
  assert.match(compose([chainOf([0])], graph, 1).text, /^Frost may lead to ice \[1\]/);
});

test('"your documents do not say" names what is nearest, and cites nothing', () => {
  const entry = (file: string): RetrievedPassage => ({
    passage: passageOf('x', file),
    score: 1,
    similarity: 0,
    round: 0,
  });
  const answer = documentsDoNotSay([entry('a.md'), entry('b.md'), entry('a.md'), entry('c.md')], 0.1);
  assert.equal(answer.kind, 'none');
  assert.equal(answer.text, 'Your documents do not say. Nearest to the question: a.md, b.md.');
  assert.deepEqual(
    answer.sentences.map((sentence) => sentence.cites),
    [[]],
  );
  assert.match(documentsDoNotSay([], 0).text, /^Your documents do not say\. Nothing/);
});
