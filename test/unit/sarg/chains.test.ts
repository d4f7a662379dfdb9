import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conceptsOf, type Join } from '../../../server/sarg/chains.ts';
import type { LinkId } from '../../../server/sarg/types.ts';
import { syntheticGraph } from './fakes.ts';

const graph = syntheticGraph(4, [
  { cause: 0, effect: 1 },
  { cause: 1, effect: 2 },
  { cause: 3, effect: 0 },
]);

function hops(join: Join, ...links: number[]) {
  return {
    hops: links.map((link, at) => ({ link: link as LinkId, join: at === 0 ? null : join, also: [] })),
  };
}

test('a chain passes its first cause and every effect', () => {
  assert.deepEqual(conceptsOf(hops({ kind: 'same' }, 0, 1), graph), [0, 1, 2]);
  assert.deepEqual(conceptsOf({ hops: [] }, graph), []);
});

test('a join of two near concepts passes both', () => {
  assert.deepEqual(conceptsOf(hops({ kind: 'near', similarity: 0.9, price: 1 }, 0, 2), graph), [0, 1, 3, 0]);
});
