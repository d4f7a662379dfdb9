import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { conceptsOf, type Start } from '../../../server/sarg/chains.ts';
import { type BeamOptions, traverse } from '../../../server/sarg/traverse.ts';
import type { ConceptId, DirectionLabel, ReasoningGraph } from '../../../server/sarg/types.ts';
import { type Edge, graphOf, marked, namesOf, syntheticGraph, tripleOf } from './fakes.ts';

const OPTIONS: BeamOptions = { width: 3, maxHops: 6, hedged: true };
const QUESTION = new Float32Array([1, 0]);
const start = (concept: number): Start => ({ concept: concept as ConceptId, phrase: 'x', similarity: 1 });
/** A unit vector whose cosine to the question is given. */
const near = (cosine: number) => new Float32Array([cosine, Math.sqrt(1 - cosine * cosine)]);

function walk(
  graph: ReasoningGraph,
  from: readonly number[],
  way: DirectionLabel,
  more: Partial<BeamOptions> = {},
) {
  const dimensions = graph.concepts[0]?.vector.length ?? 1;
  const question = dimensions === 2 ? QUESTION : new Float32Array(dimensions).fill(0.1);
  return traverse(graph, from.map(start), question, way, { ...OPTIONS, ...more });
}

function names(
  graph: ReasoningGraph,
  from: readonly number[],
  way: DirectionLabel,
  more: Partial<BeamOptions> = {},
): string[] {
  return walk(graph, from, way, more).chains.map((chain) => namesOf(graph, chain.hops).join(' > '));
}

test('a score is the running average of the concepts reached, the start not counted (equation 5)', () => {
  const cosines = [0.9, 0.2, 0.8, 0.5];
  const graph = syntheticGraph(
    4,
    [
      { cause: 0, effect: 1 },
      { cause: 1, effect: 2 },
      { cause: 2, effect: 3 },
    ],
    (at) => near(cosines[at]!),
  );
  const [chain] = walk(graph, [0], 'forward').chains;
  assert.equal(chain!.hops.length, 3);
  assert.ok(Math.abs(chain!.score - (0.2 + 0.8 + 0.5) / 3) < 1e-6);
  const [back] = walk(graph, [3], 'backward').chains;
  assert.ok(Math.abs(back!.score - (0.8 + 0.2 + 0.9) / 3) < 1e-6);
});

test('a beam of one follows the nearest, a beam of two both', () => {
  const edges = [
    { cause: 0, effect: 1 },
    { cause: 0, effect: 2 },
  ];
  const graph = syntheticGraph(3, edges, (at) => near([0, 0.3, 0.6][at]!));
  assert.deepEqual(names(graph, [0], 'forward', { width: 1 }), ['c0 > c2']);
  assert.deepEqual(names(graph, [0], 'forward', { width: 2 }), ['c0 > c2', 'c0 > c1']);
});

test('a chain is told from cause to effect whichever way it was walked', () => {
  const graph = syntheticGraph(
    3,
    [
      { cause: 0, effect: 1 },
      { cause: 1, effect: 2 },
    ],
    () => near(0.5),
  );
  assert.deepEqual(names(graph, [0], 'forward'), ['c0 > c1 > c2']);
  assert.deepEqual(names(graph, [2], 'backward'), ['c0 > c1 > c2']);
  assert.deepEqual(names(graph, [1], 'bidirectional').sort(), ['c0 > c1', 'c1 > c2']);
  assert.deepEqual(names(graph, [0], 'backward'), []);
});

test('"A causes B. B causes C. C causes A." gives finite chains, no concept twice', async () => {
  const graph = await graphOf([
    tripleOf('anger', 'bother'),
    tripleOf('bother', 'chaos'),
    tripleOf('chaos', 'anger'),
    tripleOf('anger', 'anger'),
  ]);
  assert.deepEqual(names(graph, [0], 'forward'), ['anger > bother > chaos']);
  assert.deepEqual(names(graph, [0], 'backward'), ['bother > chaos > anger']);
});

test('"The audit found no link …" is never walked, either way', async () => {
  const graph = await graphOf([
    marked('The audit found no link between ‹the new valve› and «the leak».', { negated: true }),
    tripleOf('the leak', 'flooding'),
  ]);
  assert.deepEqual(names(graph, [0], 'forward'), []);
  assert.deepEqual(names(graph, [2], 'backward'), ['the leak > flooding']);
});

test('links stated only as possible are walked or left, as set', () => {
  const graph = syntheticGraph(2, [{ cause: 0, effect: 1, hedged: true }], () => near(0.5));
  assert.equal(walk(graph, [0], 'forward').chains.length, 1);
  assert.equal(walk(graph, [0], 'forward', { hedged: false }).chains.length, 0);
});

test('"The bell rang because the door opened." and "The dog woke because the bell rang." make two hops over two files', async () => {
  const graph = await graphOf([
    marked('«The bell rang» because ‹the door opened›.', { file: 'a.md' }),
    marked('«The dog woke» because ‹the bell rang›.', { file: 'b.md' }),
  ]);
  const dog = graph.concepts.findIndex((concept) => concept.name === 'The dog woke');
  const [chain] = walk(graph, [dog], 'backward').chains;
  assert.deepEqual(
    namesOf(graph, chain!.hops).map((name) => name.toLowerCase()),
    ['the door opened', 'the bell rang', 'the dog woke'],
  );
  assert.deepEqual(
    chain!.hops.map((hop) => graph.links[hop.link]!.triple.passage.file),
    ['a.md', 'b.md'],
  );
});

const COUNT = 8;
const concept = fc.integer({ min: 0, max: COUNT - 1 });
const edges: fc.Arbitrary<Edge[]> = fc.array(
  fc.record({ cause: concept, effect: concept, negated: fc.boolean(), hedged: fc.boolean() }),
  { maxLength: 30 },
);
const way = fc.constantFrom<DirectionLabel>('forward', 'backward', 'bidirectional');

test('on any graph: chains are finite, joined, without a concept twice, a denied or an unwanted possible link', () => {
  fc.assert(
    fc.property(
      edges,
      fc.uniqueArray(concept, { minLength: 1 }),
      way,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      (list, starts, direction, width, hedged) => {
        const graph = syntheticGraph(COUNT, list, (at) => near(at / COUNT));
        const { chains } = walk(graph, starts, direction, { width, maxHops: 4, hedged });
        for (const chain of chains) {
          assert.ok(chain.hops.length >= 1 && chain.hops.length <= 4);
          const passed = conceptsOf(chain, graph);
          assert.equal(passed.length, chain.hops.length + 1);
          assert.equal(new Set(passed).size, passed.length);
          assert.ok(starts.includes(passed[0]!) || starts.includes(passed.at(-1)!));
          for (const [at, hop] of chain.hops.entries()) {
            const { triple } = graph.links[hop.link]!;
            assert.ok(!triple.negated && (hedged || !triple.hedged));
            assert.equal(hop.join === null, at === 0);
          }
        }
      },
    ),
  );
});

test('on any graph: expansions stay within width times the most links of a concept, a depth', () => {
  fc.assert(
    fc.property(
      edges,
      fc.uniqueArray(concept, { minLength: 1 }),
      fc.constantFrom<DirectionLabel>('forward', 'backward'),
      fc.integer({ min: 1, max: 4 }),
      (list, starts, direction, width) => {
        const graph = syntheticGraph(COUNT, list, (at) => near(at / COUNT));
        const branching = Math.max(
          ...(direction === 'forward' ? graph.outgoing : graph.incoming).map((links) => links.length),
        );
        for (const maxHops of [1, 2, 3, 4]) {
          const { expansions } = walk(graph, starts, direction, { width, maxHops });
          assert.ok(expansions <= branching * (starts.length + (maxHops - 1) * width));
        }
      },
    ),
  );
});

test('the same question twice gives the same chains', () => {
  fc.assert(
    fc.property(edges, way, (list, direction) => {
      const graph = syntheticGraph(COUNT, list, (at) => near(at / COUNT));
      assert.deepEqual(walk(graph, [0, 3], direction), walk(graph, [0, 3], direction));
    }),
  );
});

test('over 10,000 concepts a search looks at no more links than its beam allows', () => {
  const count = 10_000;
  const branching = 8;
  const list = Array.from({ length: count * branching }, (_, at) => ({
    cause: Math.floor(at / branching),
    effect: (Math.floor(at / branching) * 7 + (at % branching) * 131 + 1) % count,
  }));
  const graph = syntheticGraph(count, list, (at) => near((at % 100) / 100));
  const starts = Array.from({ length: 12 }, (_, at) => at * 17);
  const { chains, expansions } = walk(graph, starts, 'forward');
  assert.ok(chains.length > 0);
  assert.ok(expansions <= branching * (starts.length + 5 * OPTIONS.width), `${expansions}`);
});
