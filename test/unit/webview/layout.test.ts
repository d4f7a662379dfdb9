import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acyclic, layer } from '../../../webview/graph/layers.ts';
import { type Layout, type LayoutEdge, type LayoutNode, layOut } from '../../../webview/graph/layout.ts';

interface Drawing {
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly LayoutEdge[];
}

const drawing: fc.Arbitrary<Drawing> = fc
  .record({
    sizes: fc.array(
      fc.record({ width: fc.integer({ min: 40, max: 200 }), height: fc.integer({ min: 20, max: 70 }) }),
      {
        minLength: 1,
        maxLength: 24,
      },
    ),
    ends: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 10 }), fc.boolean()), {
      maxLength: 40,
    }),
  })
  .map(({ sizes, ends }) => ({
    nodes: sizes.map((size, id) => ({ id, ...size })),
    edges: ends.map(([source, target, weight, labelled], index) => ({
      id: `e${index}`,
      source: source % sizes.length,
      target: target % sizes.length,
      weight,
      ...(labelled ? { label: { width: 90, height: 20 } } : {}),
    })),
  }));

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boxes({ nodes, edges }: Drawing, layout: Layout): Box[] {
  const box = ([x, y]: readonly [number, number], width: number, height: number): Box => ({
    left: x - width / 2,
    right: x + width / 2,
    top: y - height / 2,
    bottom: y + height / 2,
  });
  const labels = edges.flatMap((edge) => {
    const at = layout.edges.get(edge.id)?.label;
    return edge.label && at ? [box(at, edge.label.width, edge.label.height)] : [];
  });
  return [...nodes.map((node) => box(layout.nodes.get(node.id)!, node.width, node.height)), ...labels];
}

for (const flow of ['right', 'down'] as const) {
  test(`no node and no label lies over another (${flow})`, () => {
    fc.assert(
      fc.property(drawing, (input) => {
        const all = boxes(input, layOut(input.nodes, input.edges, flow));
        for (const [index, a] of all.entries()) {
          for (const b of all.slice(index + 1)) {
            const apart =
              a.right <= b.left + 0.01 ||
              b.right <= a.left + 0.01 ||
              a.bottom <= b.top + 0.01 ||
              b.bottom <= a.top + 0.01;
            assert.ok(apart, `${JSON.stringify(a)} and ${JSON.stringify(b)}`);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test(`every edge runs with the flow unless it closes a cycle (${flow})`, () => {
    const axis = flow === 'right' ? 0 : 1;
    fc.assert(
      fc.property(drawing, (input) => {
        const layout = layOut(input.nodes, input.edges, flow);
        for (const edge of input.edges) {
          if (edge.source === edge.target) continue;
          const placed = layout.edges.get(edge.id)!;
          const from = layout.nodes.get(edge.source)![axis];
          const to = layout.nodes.get(edge.target)![axis];
          assert.equal(from > to, placed.back);
        }
      }),
      { numRuns: 150 },
    );
  });
}

test('a heavy chain runs forward even where lighter links close a cycle', () => {
  const ids = [1, 2, 3, 4];
  const nodes = ids.map((id) => ({ id, width: 80, height: 30 }));
  const edges = [
    { id: 'back', source: 4, target: 1, weight: 1 },
    { id: 'a', source: 1, target: 2, weight: 10 },
    { id: 'b', source: 2, target: 3, weight: 10 },
    { id: 'c', source: 3, target: 4, weight: 10 },
  ];
  const layout = layOut(nodes, edges, 'right');
  const xs = ids.map((id) => layout.nodes.get(id)![0]);
  assert.deepEqual(
    xs,
    xs.toSorted((a, b) => a - b),
  );
  assert.equal(layout.edges.get('back')!.back, true);
});

test('a chain without branches is drawn as a straight line', () => {
  const nodes = [1, 2, 3, 4, 5].map((id) => ({ id, width: 60 + id * 10, height: 24 + id * 4 }));
  const edges = [1, 2, 3, 4].map((id) => ({
    id: `e${id}`,
    source: id,
    target: id + 1,
    weight: 5,
    label: { width: 80, height: 20 },
  }));
  const layout = layOut(nodes, edges, 'right');
  const ys = [...layout.nodes.values(), ...[...layout.edges.values()].map((edge) => edge.label!)].map(
    ([, y]) => y,
  );
  assert.ok(Math.max(...ys) - Math.min(...ys) < 0.01, ys.join(' '));
});

test('the same graph is always drawn the same', () => {
  fc.assert(
    fc.property(drawing, (input) => {
      assert.deepEqual(layOut(input.nodes, input.edges, 'right'), layOut(input.nodes, input.edges, 'right'));
    }),
    { numRuns: 40 },
  );
});

test('an edge touches the sides of its two nodes', () => {
  fc.assert(
    fc.property(drawing, (input) => {
      const layout = layOut(input.nodes, input.edges, 'right');
      for (const edge of input.edges) {
        if (edge.source === edge.target) continue;
        const { points, back } = layout.edges.get(edge.id)!;
        const [source, target] = [edge.source, edge.target].map((id) => ({
          at: layout.nodes.get(id)!,
          size: input.nodes[id]!,
        }));
        const side = back ? -1 : 1;
        assert.ok(Math.abs(points[0]![0] - (source!.at[0] + (side * source!.size.width) / 2)) < 0.01);
        assert.ok(Math.abs(points.at(-1)![0] - (target!.at[0] - (side * target!.size.width) / 2)) < 0.01);
        assert.ok(Math.abs(points[0]![1] - source!.at[1]) <= source!.size.height / 2);
      }
    }),
    { numRuns: 100 },
  );
});

test('turning cycles keeps every edge but self-loops, and leaves none that closes one', () => {
  fc.assert(
    fc.property(drawing, ({ nodes, edges }) => {
      const oriented = acyclic(edges);
      assert.equal(oriented.length, edges.filter((edge) => edge.source !== edge.target).length);
      const layers = layer(
        nodes.map((node) => node.id),
        oriented,
      );
      for (const edge of oriented) assert.ok(layers.get(edge.source)! < layers.get(edge.target)!);
    }),
  );
});

test('edges to concepts that are not drawn are left out', () => {
  const layout = layOut(
    [{ id: 1, width: 50, height: 20 }],
    [{ id: 'x', source: 1, target: 9, weight: 1 }],
    'right',
  );
  assert.equal(layout.edges.size, 0);
  assert.equal(layout.nodes.size, 1);
});
