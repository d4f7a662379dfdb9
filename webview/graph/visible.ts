/** What of the known graph is drawn: chains first, the rest on demand, never more than stays fluid. Pure. */
import type { LinkType } from '../../server/protocol.ts';
import type { Edge, Knowledge, Node } from './knowledge.ts';

export interface Sight {
  /** Show all concepts, not only those on chains. */
  readonly all: boolean;
  /** Concepts whose neighbours are shown too. */
  readonly expanded: readonly number[];
  readonly hiddenTypes: readonly LinkType[];
  readonly hiddenFiles: readonly string[];
}

export interface VisibleGraph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** Neighbours of a drawn node that are not drawn, by node. */
  readonly hiddenNeighbours: ReadonlyMap<number, number>;
  /** Concepts not drawn because only chains are shown. */
  readonly offChain: number;
  /** Concepts not drawn because of filters. */
  readonly filtered: number;
  /** Concepts not drawn because there are too many. */
  readonly folded: number;
}

/** More nodes than this are folded. */
export const MOST_NODES = 300;

/** Chooses nodes and edges. The order of nodes is that of importance: chains, asked-for, then well connected. */
export function visible(known: Knowledge, sight: Sight, most = MOST_NODES): VisibleGraph {
  const hiddenTypes = new Set(sight.hiddenTypes);
  const hiddenFiles = new Set(sight.hiddenFiles);
  const filtering = hiddenTypes.size > 0 || hiddenFiles.size > 0;
  const passing = new Map<string, Edge>();
  for (const edge of known.edges.values()) {
    if (edge.type && hiddenTypes.has(edge.type)) continue;
    if (edge.kind === 'link' && hiddenFiles.size > 0) {
      const links = edge.links.filter((link) => !hiddenFiles.has(link.evidence.file));
      if (links.length === 0) continue;
    }
    passing.set(edge.id, edge);
  }
  const linked = new Set<number>();
  for (const edge of passing.values()) {
    if (edge.kind === 'join') continue;
    linked.add(edge.source);
    linked.add(edge.target);
  }

  const showAll = sight.all || known.chains.length === 0;
  const wanted = new Map<number, number>();
  const want = (id: number, rank: number) => {
    if (!linked.has(id)) return;
    wanted.set(id, Math.min(rank, wanted.get(id) ?? Number.POSITIVE_INFINITY));
  };
  for (const node of known.nodes.values()) {
    if (node.chains.length > 0) want(node.id, node.chains[0]!);
    else if (showAll) want(node.id, 10_000);
  }
  for (const id of sight.expanded) {
    want(id, 1_000);
    for (const edgeId of known.nodes.get(id)?.edges ?? []) {
      const edge = passing.get(edgeId);
      if (edge) want(edge.source === id ? edge.target : edge.source, 1_001);
    }
  }

  const ranked = [...wanted.keys()].sort((a, b) => {
    const nodeA = known.nodes.get(a)!;
    const nodeB = known.nodes.get(b)!;
    return (
      wanted.get(a)! - wanted.get(b)! ||
      nodeB.edges.length + nodeB.mentions - (nodeA.edges.length + nodeA.mentions) ||
      a - b
    );
  });
  const shown = new Set(ranked.slice(0, most));
  const edges = [...passing.values()].filter((edge) => shown.has(edge.source) && shown.has(edge.target));

  const hiddenNeighbours = new Map<number, number>();
  for (const id of shown) {
    const hidden = new Set<number>();
    for (const edgeId of known.nodes.get(id)!.edges) {
      const edge = passing.get(edgeId);
      if (!edge) continue;
      const other = edge.source === id ? edge.target : edge.source;
      if (!shown.has(other)) hidden.add(other);
    }
    if (hidden.size > 0) hiddenNeighbours.set(id, hidden.size);
  }

  const everLinked = new Set<number>();
  for (const edge of known.edges.values()) {
    everLinked.add(edge.source);
    everLinked.add(edge.target);
  }
  const folded = ranked.length - shown.size;
  const filtered = filtering ? everLinked.size - linked.size : 0;
  return {
    nodes: ranked.slice(0, most).map((id) => known.nodes.get(id)!),
    edges,
    hiddenNeighbours,
    offChain: showAll ? 0 : Math.max(0, linked.size - ranked.length),
    filtered,
    folded,
  };
}
