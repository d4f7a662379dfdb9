import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { conceptsOf } from '../../../server/sarg/chains.ts';
import { type Passing, type SearchInput, search } from '../../../server/sarg/search.ts';
import type { LinkId, ReasoningGraph } from '../../../server/sarg/types.ts';
import { syntheticGraph } from './fakes.ts';

/** Links pass on wherever the effect of one is the cause of another. */
function inputOf(graph: ReasoningGraph, prizes: readonly number[]): SearchInput {
  const passings = (ahead: boolean): Passing[][] =>
    graph.links.map((link) =>
      (ahead ? graph.outgoing[link.effect]! : graph.incoming[link.cause]!)
        .filter((to) => to !== link.id)
        .map((to) => ({ to, value: 0, join: { kind: 'same' } })),
    );
  return {
    graph,
    links: graph.links.map((link) => link.id),
    prizes,
    forward: passings(true),
    backward: passings(false),
    alike: (a, b) => a === b,
  };
}

const OPTIONS = { width: 6, maxHops: 6, seeds: 30 };

test('a hop that answers little is taken when it bridges two that do', () => {
  const graph = syntheticGraph(4, [
    { cause: 0, effect: 1 },
    { cause: 1, effect: 2 },
    { cause: 2, effect: 3 },
  ]);
  const [best] = search(inputOf(graph, [3, -1, 3]), OPTIONS).chains;
  assert.deepEqual(
    best!.hops.map((hop) => hop.link),
    [0, 1, 2],
  );
  assert.equal(best!.score, 5);
});

test('where every link is worth taking, chains of the longest reach are found, not none', () => {
  // A ring of layers: from each link, rewarding long arms on both sides crowd out the short ones.
  const [layers, size] = [12, 4];
  const edges = Array.from({ length: layers * size * size }, (_, at) => {
    const layer = Math.floor(at / (size * size));
    return {
      cause: layer * size + (at % size),
      effect: ((layer + 1) % layers) * size + (Math.floor(at / size) % size),
    };
  });
  const graph = syntheticGraph(layers * size, edges);
  const { chains } = search(
    inputOf(
      graph,
      edges.map(() => 1),
    ),
    OPTIONS,
  );
  assert.equal(chains[0]?.score, OPTIONS.maxHops);
});

test('without links there are no chains', () => {
  assert.deepEqual(search(inputOf(syntheticGraph(2, []), []), OPTIONS), { chains: [], expansions: 0 });
});

const COUNT = 6;
const concept = fc.integer({ min: 0, max: COUNT - 1 });
const world = fc
  .array(
    fc.record({ cause: concept, effect: concept }).filter(({ cause, effect }) => cause !== effect),
    { maxLength: 16 },
  )
  .chain((edges) =>
    fc.tuple(
      fc.constant(edges),
      fc.array(fc.integer({ min: -5, max: 5 }), { minLength: edges.length, maxLength: edges.length }),
    ),
  );

test('on any graph: chains run from cause to effect, finite, without a concept or a chain twice, best first', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 1, max: 5 }), ([edges, prizes], maxHops) => {
      const graph = syntheticGraph(COUNT, edges);
      const { chains } = search(inputOf(graph, prizes), { ...OPTIONS, maxHops });
      for (const [at, chain] of chains.entries()) {
        const passed = conceptsOf(chain, graph);
        assert.ok(chain.hops.length >= 1 && chain.hops.length <= maxHops);
        assert.equal(passed.length, chain.hops.length + 1, 'each hop sets out where the one before it ended');
        assert.equal(new Set(passed).size, passed.length);
        assert.ok(at === 0 || chains[at - 1]!.score >= chain.score);
        assert.equal(chain.hops[0]!.join, null);
        assert.ok(chain.hops.slice(1).every((hop) => hop.join !== null));
        assert.ok(Math.abs(chain.score - chain.hops.reduce((sum, hop) => sum + prizes[hop.link]!, 0)) < 1e-9);
      }
      assert.equal(
        new Set(chains.map((chain) => chain.hops.map((hop) => hop.link).join())).size,
        chains.length,
      );
    }),
  );
});

test('over 10,000 concepts a search tries no more than its beam allows', () => {
  const count = 10_000;
  const branching = 8;
  const graph = syntheticGraph(
    count,
    Array.from({ length: count * branching }, (_, at) => ({
      cause: Math.floor(at / branching),
      effect: (Math.floor(at / branching) * 7 + (at % branching) * 131 + 1) % count,
    })),
  );
  const most = Math.max(
    ...graph.outgoing.map((links) => links.length),
    ...graph.incoming.map((links) => links.length),
  );
  const seen: LinkId[] = [];
  const input = inputOf(
    graph,
    graph.links.map((link) => (link.id % 100) / 50 - 1.5),
  );
  const { chains, expansions } = search(input, { width: 6, maxHops: 6, seeds: 30 });
  for (const chain of chains) seen.push(...chain.hops.map((hop) => hop.link));
  assert.ok(seen.length > 0);
  assert.ok(expansions <= 30 * 2 * (1 + 4 * 6) * most, `${expansions}`);
});
