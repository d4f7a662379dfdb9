import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Chain } from '../../../server/sarg/chains.ts';
import { cover } from '../../../server/sarg/cover.ts';
import type { LinkId } from '../../../server/sarg/types.ts';
import { syntheticGraph } from './fakes.ts';

// Links by place: 0 and 1 both 0>1, 2: 1>2, 3: 2>3, 4: 0>1 denied.
const GRAPH = syntheticGraph(4, [
  { cause: 0, effect: 1 },
  { cause: 0, effect: 1 },
  { cause: 1, effect: 2 },
  { cause: 2, effect: 3 },
  { cause: 0, effect: 1, negated: true },
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

test('links that state a chosen step elsewhere are its further evidence, denials are not', () => {
  const [first] = cover([chain(1, 0, 2)], GRAPH, () => 1, 3, 0);
  assert.deepEqual(
    first!.hops.map((hop) => hop.also),
    [[1], []],
  );
});

test('a step that is told already adds nothing, by whichever link', () => {
  const found = cover([chain(2, 0, 2), chain(1.9, 1, 2), chain(1, 3)], GRAPH, () => 1, 3, 0.5);
  assert.deepEqual(
    found.map(({ hops }) => hops.map((hop) => hop.link)),
    [[0, 2], [3]],
  );
});

test('of any chains: no chain twice, none made up, no more than asked', () => {
  const walks = [[0], [1], [2], [3], [0, 2], [1, 2], [2, 3], [0, 2, 3]];
  const scores = fc.array(fc.integer({ min: -5, max: 5 }), {
    minLength: walks.length,
    maxLength: walks.length,
  });
  fc.assert(
    fc.property(
      scores,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: -6, max: 2 }),
      (values, count, minGain) => {
        const all = walks.map((path, at) => chain(values[at]!, ...path));
        const found = cover(all, GRAPH, () => -1, count, minGain).map(({ hops }) =>
          hops.map((hop) => hop.link).join(),
        );
        assert.ok(found.length >= 1 && found.length <= count);
        assert.equal(new Set(found).size, found.length, found.join(' | '));
        for (const path of found) assert.ok(walks.some((walk) => walk.join() === path));
      },
    ),
  );
});
