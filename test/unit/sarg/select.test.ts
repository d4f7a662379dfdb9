import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Chain, conceptsOf } from '../../../server/sarg/chains.ts';
import { select } from '../../../server/sarg/select.ts';
import type { LinkId } from '../../../server/sarg/types.ts';
import { syntheticGraph } from './fakes.ts';

// Links by place: 0 and 1 both 0>1, 2: 1>2, 3: 2>3, 4: 4>5, 5: 11>2.
const GRAPH = syntheticGraph(12, [
  { cause: 0, effect: 1 },
  { cause: 0, effect: 1 },
  { cause: 1, effect: 2 },
  { cause: 2, effect: 3 },
  { cause: 4, effect: 5 },
  { cause: 11, effect: 2 },
]);

function chain(score: number, ...links: number[]): Chain {
  return {
    score,
    parts: {},
    hops: links.map((link, at) => ({
      link: link as LinkId,
      join: at === 0 ? null : { kind: 'same' },
      also: [],
    })),
  };
}

function links(chains: readonly Chain[]): string[] {
  return chains.map(({ hops }) => hops.map((hop) => hop.link).join());
}

test('the best are kept, best first, at most as many as asked', () => {
  const found = select([chain(0.1, 4), chain(0.9, 0, 2), chain(0.5, 3)], GRAPH, 2);
  assert.deepEqual(links(found), ['0,2', '3']);
});

test('a chain within a longer one of at least its score is left out', () => {
  assert.deepEqual(links(select([chain(0.5, 2), chain(0.5, 0, 2, 3)], GRAPH, 3)), ['0,2,3']);
  assert.deepEqual(links(select([chain(0.6, 2), chain(0.5, 0, 2, 3)], GRAPH, 3)), ['2', '0,2,3']);
});

test('concept 1 is not taken for a piece of concept 11', () => {
  assert.deepEqual(links(select([chain(0.5, 2), chain(0.9, 5, 3)], GRAPH, 3)), ['5,3', '2']);
});

test('chains over the same concepts become one, with the other links as further evidence', () => {
  const [first, ...rest] = select([chain(0.5, 1, 2), chain(0.7, 0, 2), chain(0.2, 0, 2)], GRAPH, 3);
  assert.equal(rest.length, 0);
  assert.deepEqual(
    first!.hops.map((hop) => [hop.link, ...hop.also]),
    [[0, 1], [2]],
  );
});

test('of any chains: none twice, none within a better longer one, none made up', () => {
  const walks = [[0], [1], [2], [3], [4], [5], [0, 2], [1, 2], [2, 3], [0, 2, 3], [1, 2, 3], [5, 3]];
  const some = fc.array(fc.tuple(fc.constantFrom(...walks), fc.constantFrom(0.1, 0.5, 0.9)), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 5 }), (list, count) => {
      const all = list.map(([path, score]) => chain(score, ...path));
      const found = select(all, GRAPH, count);
      assert.ok(found.length <= count);
      const path = (one: Chain) => `,${conceptsOf(one, GRAPH).join()},`;
      assert.equal(new Set(found.map(path)).size, found.length);
      for (const [at, one] of found.entries()) {
        assert.ok(all.some((other) => other.score === one.score && path(other) === path(one)));
        assert.ok(at === 0 || found[at - 1]!.score >= one.score);
        for (const other of all) {
          assert.ok(
            !(
              path(other).length > path(one).length &&
              path(other).includes(path(one)) &&
              other.score >= one.score
            ),
          );
        }
      }
    }),
  );
});
