import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINK_TYPES } from '../../../models/protocol.ts';
import type { Chain } from '../../../server/sarg/chains.ts';
import {
  compileContext,
  compilePrompt,
  INSTRUCTION,
  serialise,
  statement,
  verbOf,
} from '../../../server/sarg/compile.ts';
import type { LinkId, Passage, RetrievedPassage, Triple } from '../../../server/sarg/types.ts';
import { graphOf, marked, passageOf, tripleOf } from './fakes.ts';

function chainOf(...links: number[]): Chain {
  return {
    score: 1,
    parts: {},
    hops: links.map((link, at) => ({
      link: link as LinkId,
      join: at === 0 ? null : { kind: 'same' },
      also: [],
    })),
  };
}

function retrieved(...passages: Passage[]): RetrievedPassage[] {
  return passages.map((passage) => ({ passage, score: 1, similarity: 1, round: 0 }));
}

test('every type has a verb of its own, plain, possible and denied', () => {
  const all = LINK_TYPES.flatMap((type) => [
    verbOf({ type, hedged: false, negated: false }),
    verbOf({ type, hedged: true, negated: false }),
    verbOf({ type, hedged: false, negated: true }),
  ]);
  assert.equal(new Set(all).size, LINK_TYPES.length * 3);
});

test('a link that is denied is never told as one that holds, hedged or not', () => {
  for (const type of LINK_TYPES)
    for (const hedged of [true, false]) assert.match(verbOf({ type, hedged, negated: true }), / not /);
});

test('a statement runs from cause to effect, also of a passive', () => {
  assert.equal(
    statement(marked('«Apple rot» was caused by ‹zinc shortage›.')),
    'zinc shortage leads to Apple rot',
  );
  assert.equal(statement(tripleOf('two\n  lines', 'rust')), 'two lines leads to rust');
});

test('hops are numbered on over the chains, and a sentence is told once with all of its hops', async () => {
  const graph = await graphOf([
    marked('«The bell rang» because ‹the door opened›. Nobody came.', { file: 'a.md' }),
    marked('‹The bell rang› and so «the dog woke».', { file: 'b.md', type: 'enables', hedged: true }),
  ]);
  assert.equal(
    serialise([chainOf(0), chainOf(1, 0)], graph),
    [
      '[1][3] ⟪1,3:The bell rang⟫ because ⟨1,3:the door opened⟩.',
      '[2] ⟨2:The bell rang⟩ and so ⟪2:the dog woke⟫.',
    ].join('\n'),
  );
});

test('an end that is the effect of one hop and the cause of the next is marked as both', async () => {
  const first = marked('‹Rain› soaked «the wood», which spoiled the floor.');
  const { text } = first.passage;
  const span = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
  const second: Triple = {
    ...first,
    cause: { text: 'the wood', span: span('the wood') },
    effect: { text: 'the floor', span: span('the floor') },
  };
  const graph = await graphOf([first, second]);
  assert.equal(
    serialise([chainOf(0, 1)], graph),
    '[1][2] ⟨1:Rain⟩ soaked ⟪1:⟨2:the wood⟩⟫, which spoiled ⟪2:the floor⟫.',
  );
});

async function story(): Promise<{ triples: Triple[]; graph: Awaited<ReturnType<typeof graphOf>> }> {
  const triples = [
    marked('It was night. «The bell rang» because ‹the door opened›. Nobody came.', { file: 'a.md' }),
  ];
  return { triples, graph: await graphOf(triples) };
}

test('after the chains come the passages by rank, each once, sentences that a chain has told not again', async () => {
  const { triples, graph } = await story();
  const other = passageOf('The cat slept.', 'c.md');
  const context = compileContext([chainOf(0)], graph, retrieved(other, triples[0]!.passage), 1000);
  assert.deepEqual(context.split('\n'), [
    '[1] ⟪1:The bell rang⟫ because ⟨1:the door opened⟩.',
    '(c.md) The cat slept.',
    '(a.md) It was night. Nobody came.',
  ]);
});

test('no passage is begun when the words are used up', async () => {
  const { triples, graph } = await story();
  const other = passageOf('The cat slept.', 'c.md');
  assert.equal(
    compileContext([chainOf(0)], graph, retrieved(triples[0]!.passage, other), 1).split('\n').length,
    1,
  );
  assert.equal(compileContext([], graph, retrieved(other, triples[0]!.passage), 3), '(c.md) The cat slept.');
});

test('without chains and passages the context is empty', async () => {
  assert.equal(compileContext([], await graphOf([]), [], 100), '');
});

test('the prompt is instruction, question and context (equation 6)', () => {
  assert.equal(compilePrompt('Why?', '[1] x'), `${INSTRUCTION}\n\nQuestion: Why?\n\n[1] x`);
});
