/** What is lit: the chains of what is pointed at, links under the cursor, what the search finds. Pure. */
import type { Target } from '../protocol.ts';
import type { Knowledge } from './knowledge.ts';
import type { VisibleGraph } from './visible.ts';
import type { Spot } from './walk.ts';

export interface Light {
  readonly nodes: ReadonlySet<number>;
  readonly edges: ReadonlySet<string>;
}

/** What the host and the other parts call a spot. */
export function targetOf(known: Knowledge, spot: Spot): Target | null {
  if (spot.kind === 'node') return { kind: 'concept', concept: spot.id };
  const edge = known.edges.get(spot.id);
  if (!edge) return null;
  if (edge.hops.length > 0) return { kind: 'hop', hop: edge.hops[0]! };
  if (edge.links[0]) return { kind: 'link', link: edge.links[0].id };
  return edge.chains.length > 0 ? { kind: 'chain', chain: edge.chains[0]! } : null;
}

/** Where a target stands in the graph. */
export function spotOf(known: Knowledge, target: Target | null): Spot | null {
  switch (target?.kind) {
    case 'concept':
      return { kind: 'node', id: target.concept };
    case 'link':
    case 'hop': {
      const link = target.kind === 'link' ? target.link : known.hops.get(target.hop)?.id;
      const id = link === undefined ? undefined : known.edgeOfLink.get(link);
      return id === undefined ? null : { kind: 'edge', id };
    }
    case 'chain': {
      const first = known.chains[target.chain]?.hops[0];
      return first ? { kind: 'node', id: first.cause.concept } : null;
    }
    default:
      return null;
  }
}

/** What lights up for a target: the chains it is on, or its own surroundings. */
export function lightFor(known: Knowledge, target: Target | null): Light | null {
  if (target === null) return null;
  const chains = new Set<number>();
  const own = new Set<string>();
  if (target.kind === 'chain') chains.add(target.chain);
  else if (target.kind === 'concept') {
    const node = known.nodes.get(target.concept);
    if (!node) return null;
    for (const chain of node.chains) chains.add(chain);
    if (chains.size === 0) for (const edge of node.edges) own.add(edge);
  } else {
    const spot = spotOf(known, target);
    const edge = spot?.kind === 'edge' ? known.edges.get(spot.id) : undefined;
    if (!edge) return null;
    own.add(edge.id);
    if (target.kind === 'hop') chains.add(known.chainOfHop.get(target.hop)!);
    else for (const chain of edge.chains) chains.add(chain);
  }
  const edges = new Set(own);
  for (const edge of known.edges.values())
    if (edge.chains.some((chain) => chains.has(chain))) edges.add(edge.id);
  const light = withEnds(known, edges);
  if (target.kind === 'concept') light.nodes.add(target.concept);
  return light;
}

/** What lights up for links under the editor's cursor. */
export function lightForLinks(known: Knowledge, links: readonly number[]): Light | null {
  const edges = new Set(links.flatMap((link) => known.edgeOfLink.get(link) ?? []));
  return edges.size > 0 ? withEnds(known, edges) : null;
}

function withEnds(known: Knowledge, edges: Set<string>): { nodes: Set<number>; edges: Set<string> } {
  const nodes = new Set<number>();
  for (const id of edges) {
    const edge = known.edges.get(id);
    if (!edge) continue;
    nodes.add(edge.source);
    nodes.add(edge.target);
  }
  return { nodes, edges };
}

/** Shown concepts that the search finds, by any of their wordings; null without a search. */
export function matching(known: Knowledge, shown: VisibleGraph | null, search: string): Set<number> | null {
  const wanted = search.trim().toLocaleLowerCase();
  if (wanted === '' || shown === null) return null;
  const found = new Set<number>();
  for (const node of shown.nodes) {
    const wordings = [
      node.name,
      ...(known.concepts.get(node.id)?.mentions.map((mention) => mention.text) ?? []),
    ];
    if (wordings.some((text) => text.toLocaleLowerCase().includes(wanted))) found.add(node.id);
  }
  return found;
}
