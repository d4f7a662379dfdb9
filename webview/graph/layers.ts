/** First half of the layered layout: cycles are cut, every node gets a layer. Pure. */

export interface FlowEdge {
  readonly id: string;
  readonly source: number;
  readonly target: number;
  /** Heavier edges stay forward, short and straight: chains weigh more than the rest. */
  readonly weight: number;
}

export interface Oriented extends FlowEdge {
  /** Source and target were swapped to cut a cycle; the drawing swaps them back. */
  readonly reversed: boolean;
}

/**
 * Turns edges around until no cycle is left. Heavy edges are placed first, so a chain runs forward wherever chains
 * do not contradict each other. Self-loops are left out.
 */
export function acyclic(edges: readonly FlowEdge[]): Oriented[] {
  const next = new Map<number, number[]>();
  const reaches = (from: number, to: number): boolean => {
    const seen = new Set<number>([from]);
    const stack = [from];
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (node === to) return true;
      for (const other of next.get(node) ?? []) {
        if (!seen.has(other)) {
          seen.add(other);
          stack.push(other);
        }
      }
    }
    return false;
  };
  const result: Oriented[] = [];
  const ordered = edges.filter((edge) => edge.source !== edge.target).sort((a, b) => b.weight - a.weight);
  for (const edge of ordered) {
    const reversed = reaches(edge.target, edge.source);
    const source = reversed ? edge.target : edge.source;
    const target = reversed ? edge.source : edge.target;
    const list = next.get(source);
    if (list) list.push(target);
    else next.set(source, [target]);
    result.push({ ...edge, source, target, reversed });
  }
  return result;
}

/** Layer of each node from 0: longest path from the sources, then sources drawn up to what they lead to. */
export function layer(nodes: readonly number[], edges: readonly Oriented[]): Map<number, number> {
  const outgoing = new Map<number, number[]>(nodes.map((node) => [node, []]));
  const incoming = new Map<number, number[]>(nodes.map((node) => [node, []]));
  for (const edge of edges) {
    outgoing.get(edge.source)!.push(edge.target);
    incoming.get(edge.target)!.push(edge.source);
  }
  const order: number[] = [];
  const open = new Map(nodes.map((node) => [node, incoming.get(node)!.length]));
  const ready = nodes.filter((node) => open.get(node) === 0);
  for (let at = 0; at < ready.length; at += 1) {
    const node = ready[at]!;
    order.push(node);
    for (const other of outgoing.get(node)!) {
      const left = open.get(other)! - 1;
      open.set(other, left);
      if (left === 0) ready.push(other);
    }
  }
  const layers = new Map<number, number>();
  for (const node of order) {
    layers.set(node, Math.max(0, ...incoming.get(node)!.map((other) => layers.get(other)! + 1)));
  }
  // Longest path leaves late-joining causes far to the left; bring them next to what they cause.
  for (const node of order.toReversed()) {
    const targets = outgoing.get(node)!;
    if (targets.length === 0 || incoming.get(node)!.length > targets.length) continue;
    layers.set(
      node,
      Math.max(layers.get(node)!, Math.min(...targets.map((other) => layers.get(other)!)) - 1),
    );
  }
  const least = Math.min(...layers.values());
  if (least > 0 && Number.isFinite(least)) for (const [node, at] of layers) layers.set(node, at - least);
  return layers;
}

/** Groups of nodes that edges tie together, each in the order given. */
export function components(nodes: readonly number[], edges: readonly FlowEdge[]): number[][] {
  const parent = new Map(nodes.map((node) => [node, node]));
  const find = (node: number): number => {
    let root = node;
    while (parent.get(root) !== root) root = parent.get(root)!;
    let at = node;
    while (at !== root) {
      const up = parent.get(at)!;
      parent.set(at, root);
      at = up;
    }
    return root;
  };
  for (const edge of edges) parent.set(find(edge.source), find(edge.target));
  const groups = new Map<number, number[]>();
  for (const node of nodes) {
    const root = find(node);
    const group = groups.get(root);
    if (group) group.push(node);
    else groups.set(root, [node]);
  }
  return [...groups.values()];
}
