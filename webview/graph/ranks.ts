/**
 * Middle of the layered layout: edges that cross layers get stand-ins in each, labels get room of their own between
 * layers, and each rank is ordered so that few edges cross. Pure.
 */
import type { Oriented } from './layers.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A place in a rank: a node, or the stand-in of an edge that passes through (with room for its label, if any). */
export interface Slot {
  readonly kind: 'node' | 'pass' | 'label';
  readonly node: number | null;
  readonly edge: string | null;
  /** Extent along the flow. */
  readonly along: number;
  /** Extent across the flow. */
  readonly across: number;
  rank: number;
  /** Centre across the flow. */
  position: number;
  readonly before: { slot: Slot; weight: number }[];
  readonly after: { slot: Slot; weight: number }[];
  /** Place in its rank. */
  order: number;
}

export interface RankedGraph {
  readonly ranks: Slot[][];
  readonly slotOfNode: ReadonlyMap<number, Slot>;
  /** Slots of each edge from first node to last, both included. */
  readonly pathOfEdge: ReadonlyMap<string, readonly Slot[]>;
}

export interface RankInput {
  readonly nodes: readonly number[];
  readonly edges: readonly Oriented[];
  readonly layers: ReadonlyMap<number, number>;
  /** Extent along and across the flow of each node. */
  readonly sizes: ReadonlyMap<number, { along: number; across: number }>;
  readonly labels: ReadonlyMap<string, { along: number; across: number }>;
}

/** Extent across the flow of an edge that passes between nodes. */
const PASS = 6;

/** Builds the ranks: nodes stand in even ones, labels in odd ones; odd ranks without a label fall away. */
export function rank({ nodes, edges, layers, sizes, labels }: RankInput): RankedGraph {
  const labelAt = new Map<string, number>();
  const used = new Set<number>();
  for (const node of nodes) used.add(layers.get(node)! * 2);
  for (const edge of edges) {
    if (!labels.has(edge.id)) continue;
    const from = layers.get(edge.source)! * 2;
    const span = layers.get(edge.target)! * 2 - from;
    const half = span / 2;
    const at = from + (half % 2 === 1 ? half : half - 1);
    labelAt.set(edge.id, at);
    used.add(at);
  }
  const compact = new Map([...used].sort((a, b) => a - b).map((at, index) => [at, index]));
  const ranks: Slot[][] = [...compact.keys()].map(() => []);
  const put = (slot: Slot): Slot => {
    slot.order = ranks[slot.rank]!.length;
    ranks[slot.rank]!.push(slot);
    return slot;
  };

  const slotOfNode = new Map<number, Slot>();
  for (const node of nodes) {
    const size = sizes.get(node)!;
    slotOfNode.set(
      node,
      put(slot('node', node, null, size.along, size.across, compact.get(layers.get(node)! * 2)!)),
    );
  }
  const pathOfEdge = new Map<string, Slot[]>();
  for (const edge of edges) {
    const path = [slotOfNode.get(edge.source)!];
    const last = slotOfNode.get(edge.target)!;
    const labelRank = labelAt.has(edge.id) ? compact.get(labelAt.get(edge.id)!)! : -1;
    for (let at = path[0]!.rank + 1; at < last.rank; at += 1) {
      const label = at === labelRank ? labels.get(edge.id) : undefined;
      path.push(
        put(slot(label ? 'label' : 'pass', null, edge.id, label?.along ?? 0, label?.across ?? PASS, at)),
      );
    }
    path.push(last);
    for (let at = 1; at < path.length; at += 1) {
      const from = path[at - 1]!;
      const to = path[at]!;
      // A long edge should run straight in its middle, and bend, if at all, at its ends.
      const inner = (from.node === null ? 1 : 0) + (to.node === null ? 1 : 0);
      const weight = edge.weight * (inner === 2 ? 4 : inner === 1 ? 2 : 1);
      from.after.push({ slot: to, weight });
      to.before.push({ slot: from, weight });
    }
    pathOfEdge.set(edge.id, path);
  }
  return { ranks, slotOfNode, pathOfEdge };
}

function slot(
  kind: Slot['kind'],
  node: number | null,
  edge: string | null,
  along: number,
  across: number,
  at: number,
): Slot {
  return { kind, node, edge, along, across, rank: at, position: 0, before: [], after: [], order: 0 };
}

/** Orders each rank by repeated weighted means of the neighbours' places, and keeps the best order seen. */
export function order(ranks: Slot[][], sweeps = 12): void {
  const total = ranks.reduce((sum, slots) => sum + slots.length, 0);
  let best = ranks.map((slots) => [...slots]);
  let fewest = crossings(ranks);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep += 1) {
    const forward = sweep % 2 === 0;
    const from = forward ? 1 : ranks.length - 2;
    for (let at = from; forward ? at < ranks.length : at >= 0; at += forward ? 1 : -1) {
      sortByNeighbours(ranks[at]!, forward ? 'before' : 'after', sweep >= sweeps / 2);
    }
    if (total < 400) exchange(ranks);
    const count = crossings(ranks);
    if (count < fewest) {
      fewest = count;
      best = ranks.map((slots) => [...slots]);
    }
  }
  for (const [at, slots] of best.entries()) {
    ranks[at] = slots;
    for (const [place, item] of slots.entries()) item.order = place;
  }
}

function sortByNeighbours(slots: Slot[], side: 'before' | 'after', later: boolean): void {
  const keys = new Map<Slot, number>();
  for (const item of slots) {
    const neighbours = item[side];
    let sum = 0;
    let weights = 0;
    for (const { slot: other, weight } of neighbours) {
      sum += other.order * weight;
      weights += weight;
    }
    keys.set(item, weights > 0 ? sum / weights : item.order);
  }
  // Ties keep their order in the first sweeps and turn it around later, which leaves local dead ends.
  const sorted = [...slots].sort(
    (a, b) => keys.get(a)! - keys.get(b)! || (later ? b.order - a.order : a.order - b.order),
  );
  for (const [at, item] of sorted.entries()) {
    slots[at] = item;
    item.order = at;
  }
}

/** Swaps neighbours in a rank where that saves crossings. */
function exchange(ranks: Slot[][]): void {
  for (const slots of ranks) {
    for (let at = 0; at + 1 < slots.length; at += 1) {
      const upper = slots[at]!;
      const lower = slots[at + 1]!;
      if (pairCrossings(upper, lower) > pairCrossings(lower, upper)) {
        slots[at] = lower;
        slots[at + 1] = upper;
        lower.order = at;
        upper.order = at + 1;
      }
    }
  }
}

function pairCrossings(upper: Slot, lower: Slot): number {
  let count = 0;
  for (const side of ['before', 'after'] as const) {
    for (const a of upper[side]) {
      for (const b of lower[side]) if (a.slot.order > b.slot.order) count += a.weight * b.weight;
    }
  }
  return count;
}

/** Number of edge crossings between neighbouring ranks, each counted with its edges' weights. */
export function crossings(ranks: readonly Slot[][]): number {
  let total = 0;
  for (let at = 1; at < ranks.length; at += 1) {
    const ends: { order: number; weight: number }[] = [];
    for (const item of ranks[at - 1]!) {
      const sorted = item.after.map((next) => ({ order: next.slot.order, weight: next.weight }));
      ends.push(...sorted.sort((a, b) => a.order - b.order));
    }
    // Fenwick tree over the places of the right-hand rank: how much weight already ends below this place?
    const size = ranks[at]!.length;
    const tree = new Float64Array(size + 1);
    let sum = 0;
    for (const end of ends) {
      let upTo = 0;
      for (let i = end.order + 1; i > 0; i -= i & -i) upTo += tree[i]!;
      total += (sum - upTo) * end.weight;
      for (let i = end.order + 1; i <= size; i += i & -i) tree[i]! += end.weight;
      sum += end.weight;
    }
  }
  return total;
}
