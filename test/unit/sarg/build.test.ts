import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Triple } from '../../../server/sarg/types.ts';
import { graphOf, marked, namesOf, tripleOf } from './fakes.ts';

async function edges(triples: readonly Triple[]): Promise<string[]> {
  const graph = await graphOf(triples);
  return graph.links.map((link) => namesOf(graph, [{ link: link.id }]).join(' > '));
}

test('an edge runs from cause to effect whatever the order of the words', async () => {
  assert.deepEqual(await edges([marked('‹Zinc shortage› caused «apple rot».')]), [
    'Zinc shortage > apple rot',
  ]);
  assert.deepEqual(await edges([marked('«Apple rot» was caused by ‹zinc shortage›.')]), [
    'zinc shortage > Apple rot',
  ]);
});

test('the active sentence and its passive are two links of one step', async () => {
  const graph = await graphOf([
    marked('‹Zinc shortage› caused «apple rot».'),
    marked('«Apple rot» was caused by ‹zinc shortage›.', { file: 'b.md' }),
  ]);
  assert.equal(graph.concepts.length, 2);
  assert.deepEqual(
    graph.links.map(({ cause, effect }) => [cause, effect]),
    [
      [0, 1],
      [0, 1],
    ],
  );
});

test('"Barge traffic fell due to the higher price of diesel." is one edge, price to traffic, decreases', async () => {
  const graph = await graphOf([
    marked('«Barge traffic» fell due to the ‹higher price of diesel›.', { type: 'decreases' }),
  ]);
  assert.deepEqual(await edges(graph.links.map((link) => link.triple)), [
    'higher price of diesel > Barge traffic',
  ]);
  assert.equal(graph.links[0]!.triple.type, 'decreases');
});

test('"Snow melt causes road closures by raising the creek." runs melt, creek, closures', async () => {
  const found = await edges([
    marked('‹Snow melt› causes road closures by raising «the creek».'),
    marked('Snow melt causes «road closures» by raising ‹the creek›.'),
  ]);
  assert.deepEqual(found, ['Snow melt > the creek', 'the creek > road closures']);
});

test('"A causes A" gives no link', async () => {
  assert.deepEqual(await edges([tripleOf('frost', 'the frost')]), []);
});

test('a denied link is in the graph, so that it can be shown', async () => {
  const graph = await graphOf([tripleOf('new valve', 'leak', { negated: true })]);
  assert.equal(graph.links.length, 1);
  assert.ok(graph.links[0]!.triple.negated);
});

test('any triples: links keep their direction, and in and out lists say the same', async () => {
  const name = fc.constantFrom('frost', 'rust', 'leak', 'flood', 'no leak', 'the frosts');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, name, fc.boolean()), { maxLength: 15 }), async (rows) => {
      const triples = rows.map(([cause, effect, passive], ordinal) =>
        passive
          ? marked(`«${effect}» is due to ‹${cause}›.`, { ordinal })
          : marked(`‹${cause}› leads to «${effect}».`, { ordinal }),
      );
      const graph = await graphOf(triples);
      for (const [at, link] of graph.links.entries()) {
        assert.equal(link.id, at);
        assert.notEqual(link.cause, link.effect);
        const has = (concept: number, side: 'cause' | 'effect') =>
          graph.concepts[concept]!.mentions.some(({ mention }) => mention === link.triple[side]);
        assert.ok(has(link.cause, 'cause') && has(link.effect, 'effect'));
        assert.ok(
          graph.outgoing[link.cause]!.includes(link.id) && graph.incoming[link.effect]!.includes(link.id),
        );
      }
      assert.equal(graph.outgoing.flat().length, graph.links.length);
      assert.equal(graph.incoming.flat().length, graph.links.length);
    }),
    { numRuns: 60 },
  );
});
