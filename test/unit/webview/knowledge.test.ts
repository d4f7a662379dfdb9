import assert from 'node:assert/strict';
import { test } from 'node:test';
import { know } from '../../../webview/graph/knowledge.ts';
import { layOut } from '../../../webview/graph/layout.ts';
import { lightFor, matching } from '../../../webview/graph/light.ts';
import { MOST_NODES, visible } from '../../../webview/graph/visible.ts';
import { walk } from '../../../webview/graph/walk.ts';
import { ferryAnswer } from '../../webview/fixtures/ferry.ts';
import { largeAnswer } from '../../webview/fixtures/large.ts';

const CHAINS_ONLY = { all: false, expanded: [], hiddenTypes: [], hiddenFiles: [] } as const;
const ALL = { ...CHAINS_ONLY, all: true } as const;

function named(view: ReturnType<typeof ferryAnswer>, name: string): number {
  return view.concepts.find((concept) => concept.name === name)!.id;
}

test('both sides of a contradiction are marked, and nothing else', () => {
  const view = ferryAnswer();
  const marked = [...know(view).edges.values()].filter((edge) => edge.contradicted);
  const frost = named(view, 'first hard frost');
  assert.deepEqual(
    marked.map((edge) => [edge.source, edge.negated]),
    [
      [frost, false],
      [frost, true],
    ],
  );
});

test('a denied link without a statement to deny is no contradiction', () => {
  const view = ferryAnswer();
  const pump = named(view, 'fuel pump');
  const edge = [...know(view).edges.values()].find((candidate) => candidate.source === pump)!;
  assert.equal(edge.negated, true);
  assert.equal(edge.contradicted, false);
});

test('a negated edge is on no chain', () => {
  for (const edge of know(ferryAnswer()).edges.values()) if (edge.negated) assert.deepEqual(edge.chains, []);
});

test('a hop joined by similarity is tied to the one before it', () => {
  const view = ferryAnswer();
  const joins = [...know(view).edges.values()].filter((edge) => edge.kind === 'join');
  assert.equal(joins.length, 1);
  assert.equal(joins[0]!.source, named(view, 'postponed cabinet inspection'));
  assert.equal(joins[0]!.target, named(view, 'skipped inspections'));
  assert.equal(joins[0]!.similarity, 0.83);
});

test('an edge that two chains walk carries both hop numbers', () => {
  const edge = [...know(ferryAnswer()).edges.values()].find((candidate) => candidate.hops.includes(4))!;
  assert.deepEqual(edge.hops, [4, 7]);
  assert.deepEqual(edge.chains, [0, 1]);
});

test('an edge is hedged only when every statement of it is', () => {
  const view = ferryAnswer();
  const sure = view.links.find((link) => link.hedged)!;
  const both = know({ ...view, links: [...view.links, { ...sure, id: 999, hedged: false }] });
  assert.equal(both.edges.get(both.edgeOfLink.get(999)!)!.hedged, false);
});

test('a link whose concept is not listed still gets a node, named by its own words', () => {
  const view = ferryAnswer();
  const known = know({ concepts: [], links: view.links, chains: [], starts: [] });
  assert.equal(known.nodes.get(view.links[0]!.cause.concept)!.name, view.links[0]!.cause.text);
});

test('chains are drawn first; the rest is counted and comes on demand', () => {
  const known = know(ferryAnswer());
  const first = visible(known, CHAINS_ONLY);
  assert.ok(first.nodes.every((node) => node.chains.length > 0));
  const all = visible(known, ALL);
  assert.equal(all.nodes.length, first.nodes.length + first.offChain);
  assert.equal(all.offChain, 0);
});

test('a chain drawn alone still shows what contradicts it', () => {
  const edges = visible(know(ferryAnswer()), CHAINS_ONLY).edges;
  assert.ok(edges.some((edge) => edge.negated && edge.contradicted));
});

test('expanding a concept brings in exactly its neighbours', () => {
  const view = ferryAnswer();
  const known = know(view);
  const ferry = named(view, 'morning ferry cancelled');
  const before = visible(known, CHAINS_ONLY);
  const after = visible(known, { ...CHAINS_ONLY, expanded: [ferry] });
  assert.equal(before.hiddenNeighbours.get(ferry), 4);
  assert.equal(after.nodes.length - before.nodes.length, 4);
  assert.equal(after.hiddenNeighbours.get(ferry), undefined);
});

test('hiding a type or a document hides its links, and says how many concepts went', () => {
  const view = ferryAnswer();
  const known = know(view);
  const noPrevents = visible(known, { ...ALL, hiddenTypes: ['prevents'] });
  assert.ok(noPrevents.edges.every((edge) => edge.type !== 'prevents'));
  assert.equal(noPrevents.filtered, 1);
  const noLog = visible(known, { ...ALL, hiddenFiles: ['log/harbour-log.md'] });
  assert.ok(
    noLog.edges.every(
      (edge) =>
        edge.kind === 'join' || edge.links.some((link) => link.evidence.file !== 'log/harbour-log.md'),
    ),
  );
  assert.ok(noLog.filtered > 0);
});

test('more concepts than stay fluid are folded with their number, chains never', () => {
  const known = know(largeAnswer(600));
  const { nodes, folded } = visible(known, ALL);
  assert.equal(nodes.length, MOST_NODES);
  assert.equal(folded, 600 - MOST_NODES);
  const onChains = [...known.nodes.values()].filter((node) => node.chains.length > 0);
  assert.ok(onChains.every((node) => nodes.includes(node)));
});

test('pointing at a hop lights its whole chain and no other', () => {
  const known = know(ferryAnswer());
  const light = lightFor(known, { kind: 'hop', hop: 2 })!;
  const numbers = [...light.edges].flatMap((id) => known.edges.get(id)!.hops);
  assert.deepEqual(numbers.toSorted(), [1, 2, 3, 4, 7]);
});

test('the search finds a concept by any of its wordings', () => {
  const view = ferryAnswer();
  const known = know(view);
  const found = matching(known, visible(known, ALL), 'The Cancellation');
  assert.deepEqual([...found!], [named(view, 'morning ferry cancelled')]);
  assert.equal(matching(known, visible(known, ALL), '  '), null);
});

test('the arrow keys walk a chain from its first cause to its last effect', () => {
  const view = ferryAnswer();
  const known = know(view);
  const graph = visible(known, CHAINS_ONLY);
  const layout = layOut(
    graph.nodes.map((node) => ({ id: node.id, width: 100, height: 30 })),
    graph.edges.map((edge) => ({
      id: edge.id,
      source: edge.source,
      target: edge.target,
      weight: edge.chains.length > 0 ? 10 : 1,
    })),
    'right',
  );
  let spot: ReturnType<typeof walk> = { kind: 'node', id: named(view, 'first hard frost') };
  const passed: string[] = [];
  while (spot) {
    if (spot.kind === 'edge') passed.push(known.edges.get(spot.id)!.hops.join('+'));
    spot = walk(spot, 'on', graph, layout);
  }
  assert.deepEqual(passed, ['1', '2', '3', '4+7']);
});
