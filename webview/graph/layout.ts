/**
 * The layered layout: causes on the left, effects on the right (or from top to bottom in a narrow view). Labels of
 * edges get room like nodes do, so nothing overlaps. Deterministic and pure.
 */
import { settle } from './coordinates.ts';
import { acyclic, components, type FlowEdge, layer } from './layers.ts';
import { order, rank, type Size, type Slot } from './ranks.ts';

export type Flow = 'right' | 'down';
export type Point = readonly [x: number, y: number];

export interface LayoutNode extends Size {
  readonly id: number;
}

export interface LayoutEdge extends FlowEdge {
  /** Room to keep for a label in the middle of the edge. */
  readonly label?: Size;
}

export interface PlacedEdge {
  /** From source to target, whichever way it runs; between each two points the edge may bend. */
  readonly points: readonly Point[];
  readonly label: Point | null;
  /** Where a mark on the edge goes. */
  readonly middle: Point;
  /** It runs against the flow, to close a cycle. */
  readonly back: boolean;
}

export interface Layout {
  /** Centres. */
  readonly nodes: ReadonlyMap<number, Point>;
  readonly edges: ReadonlyMap<string, PlacedEdge>;
  readonly width: number;
  readonly height: number;
}

export interface Spacing {
  /** Between ranks, along the flow. */
  readonly along: number;
  /** Between nodes of a rank. */
  readonly across: number;
  /** Extent along the flow that unconnected parts are wrapped at. */
  readonly wrapAt: number;
}

const DEFAULTS: Spacing = { along: 28, across: 20, wrapAt: 1200 };

/** Places nodes and edges. Edges whose ends are not among `nodes` are ignored. */
export function layOut(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  flow: Flow,
  spacing: Spacing = DEFAULTS,
): Layout {
  const known = new Set(nodes.map((node) => node.id));
  const usable = edges.filter((edge) => known.has(edge.source) && known.has(edge.target));
  const sizeOf = new Map(nodes.map((node) => [node.id, turn(node, flow)]));
  const parts = components(
    nodes.map((node) => node.id),
    usable,
  );
  const partOf = new Map(parts.flatMap((part, index) => part.map((node) => [node, index] as const)));
  const edgesOf = parts.map((): LayoutEdge[] => []);
  for (const edge of usable) edgesOf[partOf.get(edge.source)!]!.push(edge);

  const placed = parts.map((part, index) => layOutPart(part, edgesOf[index]!, sizeOf, flow, spacing));
  return pack(placed, flow, spacing);
}

interface Part {
  readonly nodes: Map<number, Point>;
  readonly edges: Map<string, PlacedEdge>;
  /** Extents along and across the flow; coordinates in a part are (along, across). */
  readonly along: number;
  readonly across: number;
}

type Extent = { along: number; across: number };

function layOutPart(
  nodes: readonly number[],
  edges: readonly LayoutEdge[],
  sizeOf: ReadonlyMap<number, Extent>,
  flow: Flow,
  spacing: Spacing,
): Part {
  const oriented = acyclic(edges);
  const layers = layer(nodes, oriented);
  const labels = new Map<string, Extent>();
  for (const edge of edges)
    if (edge.label && edge.source !== edge.target) labels.set(edge.id, turn(edge.label, flow));
  const { ranks, slotOfNode, pathOfEdge } = rank({ nodes, edges: oriented, layers, sizes: sizeOf, labels });
  order(ranks);
  settle(ranks, (a, b) => (a.kind === 'node' && b.kind === 'node' ? spacing.across : spacing.across * 0.6));

  const starts: number[] = [];
  let along = 0;
  let end = 0;
  for (const slots of ranks) {
    starts.push(along);
    end = along + Math.max(...slots.map((item) => item.along));
    // Steep edges need length to bend in, or they run into one another.
    let steepest = 0;
    for (const item of slots) {
      for (const next of item.after)
        steepest = Math.max(steepest, Math.abs(next.slot.position - item.position));
    }
    along = end + spacing.along + Math.min(flow === 'right' ? 110 : 50, Math.max(0, steepest - 60) * 0.16);
  }
  along = end;
  const widths = ranks.map((slots) => Math.max(...slots.map((item) => item.along)));
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const slots of ranks) {
    for (const item of slots) {
      least = Math.min(least, item.position - item.across / 2);
      most = Math.max(most, item.position + item.across / 2);
    }
  }
  for (const slots of ranks) for (const item of slots) item.position -= least;

  const centre = (item: Slot): Point => [starts[item.rank]! + widths[item.rank]! / 2, item.position];
  const placedNodes = new Map<number, Point>();
  for (const [node, item] of slotOfNode) placedNodes.set(node, centre(item));

  const ports = portsOf(slotOfNode, pathOfEdge);
  const placedEdges = new Map<string, PlacedEdge>();
  for (const edge of oriented) {
    const path = pathOfEdge.get(edge.id)!;
    const first = path[0]!;
    const last = path[path.length - 1]!;
    const points: Point[] = [[centre(first)[0] + first.along / 2, first.position + ports.out.get(edge.id)!]];
    let label: Point | null = null;
    for (const item of path.slice(1, -1)) {
      const [middle, across] = centre(item);
      const half = widths[item.rank]! / 2;
      // Straight through the rank, so that bends happen between ranks only, where no node stands.
      points.push([middle - half, across], [middle + half, across]);
      if (item.kind === 'label') label = [middle, across];
    }
    points.push([centre(last)[0] - last.along / 2, last.position + ports.in.get(edge.id)!]);
    if (edge.reversed) points.reverse();
    placedEdges.set(edge.id, { points, label, middle: label ?? middleOf(points), back: edge.reversed });
  }
  for (const edge of edges) {
    if (edge.source !== edge.target) continue;
    const [x, y] = placedNodes.get(edge.source)!;
    const size = sizeOf.get(edge.source)!;
    const top = y - size.across / 2;
    placedEdges.set(edge.id, {
      points: [
        [x - 14, top],
        [x - 14, top - 16],
        [x + 14, top - 16],
        [x + 14, top],
      ],
      label: null,
      middle: [x, top - 16],
      back: false,
    });
  }
  return { nodes: placedNodes, edges: placedEdges, along, across: most - least };
}

/** Spreads the ends of edges over the sides of their nodes, in the order of what they lead to. */
function portsOf(slotOfNode: ReadonlyMap<number, Slot>, pathOfEdge: ReadonlyMap<string, readonly Slot[]>) {
  const out = new Map<string, number>();
  const into = new Map<string, number>();
  const leaving = new Map<Slot, { edge: string; next: Slot }[]>();
  const arriving = new Map<Slot, { edge: string; next: Slot }[]>();
  for (const item of slotOfNode.values()) {
    leaving.set(item, []);
    arriving.set(item, []);
  }
  for (const [edge, path] of pathOfEdge) {
    leaving.get(path[0]!)!.push({ edge, next: path[1]! });
    arriving.get(path[path.length - 1]!)!.push({ edge, next: path[path.length - 2]! });
  }
  for (const [lists, result] of [
    [leaving, out],
    [arriving, into],
  ] as const) {
    for (const [item, list] of lists) {
      list.sort((a, b) => a.next.position - b.next.position);
      const step = Math.min(14, (item.across * 0.7) / Math.max(1, list.length));
      for (const [index, { edge }] of list.entries())
        result.set(edge, (index - (list.length - 1) / 2) * step);
    }
  }
  return { out, in: into };
}

function middleOf(points: readonly Point[]): Point {
  const segment = Math.floor((points.length - 1) / 2);
  const a = points[segment]!;
  const b = points[segment + 1] ?? a;
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

/** Puts unconnected parts under each other, small ones side by side. Turns (along, across) into (x, y). */
function pack(parts: readonly Part[], flow: Flow, spacing: Spacing): Layout {
  const nodes = new Map<number, Point>();
  const edges = new Map<string, PlacedEdge>();
  const gap = spacing.across * 1.6;
  const limit = Math.max(spacing.wrapAt, ...parts.map((part) => part.along));
  let along = 0;
  let across = 0;
  let shelf = 0;
  let width = 0;
  for (const part of parts) {
    if (along > 0 && along + part.along > limit) {
      across += shelf + gap;
      along = 0;
      shelf = 0;
    }
    const move = ([a, b]: Point): Point =>
      flow === 'right' ? [a + along, b + across] : [b + across, a + along];
    for (const [node, point] of part.nodes) nodes.set(node, move(point));
    for (const [id, edge] of part.edges) {
      edges.set(id, {
        points: edge.points.map(move),
        label: edge.label && move(edge.label),
        middle: move(edge.middle),
        back: edge.back,
      });
    }
    width = Math.max(width, along + part.along);
    along += part.along + gap;
    shelf = Math.max(shelf, part.across);
  }
  const total = across + shelf;
  return { nodes, edges, width: flow === 'right' ? width : total, height: flow === 'right' ? total : width };
}

function turn(size: Size, flow: Flow): Extent {
  return flow === 'right'
    ? { along: size.width, across: size.height }
    : { along: size.height, across: size.width };
}
