/** Walking the drawn graph with the arrow keys: along links with left and right, among siblings with up and down. Pure. */
import type { Layout, Point } from './layout.ts';
import type { VisibleGraph } from './visible.ts';

/** What the keyboard stands on. */
export type Spot =
  | { readonly kind: 'node'; readonly id: number }
  | { readonly kind: 'edge'; readonly id: string };

export type Step = 'back' | 'on' | 'previous' | 'next' | 'first' | 'last';

/** Where a step leads; null where there is nothing that way. */
export function walk(from: Spot, step: Step, graph: VisibleGraph, layout: Layout): Spot | null {
  if (step === 'first' || step === 'last') {
    const nodes = byPlace(graph, layout);
    const id = step === 'first' ? nodes[0] : nodes[nodes.length - 1];
    return id === undefined ? null : { kind: 'node', id };
  }
  if (from.kind === 'edge') {
    const edge = graph.edges.find((candidate) => candidate.id === from.id);
    if (!edge) return null;
    if (step === 'on') return { kind: 'node', id: edge.target };
    if (step === 'back') return { kind: 'node', id: edge.source };
    const siblings = leaving(edge.source, graph, layout);
    const at = siblings.indexOf(edge.id) + (step === 'next' ? 1 : -1);
    const id = siblings[at];
    return id === undefined ? null : { kind: 'edge', id };
  }
  if (step === 'on' || step === 'back') {
    const edges = step === 'on' ? leaving(from.id, graph, layout) : arriving(from.id, graph, layout);
    const onChain = new Set(graph.edges.filter((edge) => edge.chains.length > 0).map((edge) => edge.id));
    const id = edges.find((edge) => onChain.has(edge)) ?? edges[0];
    return id === undefined ? null : { kind: 'edge', id };
  }
  const nodes = byPlace(graph, layout);
  const id = nodes[nodes.indexOf(from.id) + (step === 'next' ? 1 : -1)];
  return id === undefined ? null : { kind: 'node', id };
}

/** Nodes column by column, each from the top: the order of reading. */
function byPlace(graph: VisibleGraph, layout: Layout): number[] {
  const placed = graph.nodes.flatMap((node) => {
    const point = layout.nodes.get(node.id);
    return point ? [{ id: node.id, point }] : [];
  });
  return placed.sort((a, b) => a.point[0] - b.point[0] || a.point[1] - b.point[1]).map((item) => item.id);
}

function leaving(node: number, graph: VisibleGraph, layout: Layout): string[] {
  return sorted(
    graph.edges.filter((edge) => edge.source === node).map((edge) => edge.id),
    layout,
  );
}

function arriving(node: number, graph: VisibleGraph, layout: Layout): string[] {
  return sorted(
    graph.edges.filter((edge) => edge.target === node).map((edge) => edge.id),
    layout,
  );
}

function sorted(ids: string[], layout: Layout): string[] {
  const at = (id: string): Point => layout.edges.get(id)?.middle ?? [0, 0];
  return ids.sort((a, b) => at(a)[1] - at(b)[1] || at(a)[0] - at(b)[0]);
}
