/** Draws the placed graph into SVG with d3: one group for each edge and node, joined by id. */
import { type Selection, select } from 'd3-selection';
import 'd3-transition';
import { type Card, type EdgeTag, MARK, TAG_FONT } from './cards.ts';
import { nameEdge, nameNode } from './describe.ts';
import type { Edge, Knowledge, Node } from './knowledge.ts';
import type { Flow, Layout } from './layout.ts';
import { ARROWS, type ArrowForm, drawEdge, JOIN } from './shapes.ts';
import type { VisibleGraph } from './visible.ts';

export interface Picture {
  readonly known: Knowledge;
  readonly graph: VisibleGraph;
  readonly layout: Layout;
  readonly cards: ReadonlyMap<number, Card>;
  readonly tags: ReadonlyMap<string, EdgeTag>;
  readonly flow: Flow;
}

type G<Datum> = Selection<SVGGElement, Datum, SVGGElement, unknown>;

/** Brings the scene up to the picture. With `animate`, nodes that stay glide to their new places. */
export function drawScene(scene: SVGGElement, picture: Picture, animate: boolean): void {
  const root = select(scene);
  const edgesLayer = root.selectChild<SVGGElement>('g.edges');
  const nodesLayer = root.selectChild<SVGGElement>('g.nodes');
  const drawable = picture.graph.edges.filter((edge) => picture.layout.edges.has(edge.id));
  // Chains are drawn last, so that nothing lies over them.
  const edges = [...drawable].sort((a, b) => Number(a.chains.length > 0) - Number(b.chains.length > 0));

  edgesLayer
    .selectChildren<SVGGElement, Edge>('g.edge')
    .data(edges, (edge) => edge.id)
    .join((enter) => enter.append('g').attr('role', 'button').attr('tabindex', -1))
    .order()
    .each(function (edge) {
      drawOneEdge(select<SVGGElement, Edge>(this) as unknown as G<Edge>, edge, picture);
    });

  const nodes = nodesLayer
    .selectChildren<SVGGElement, Node>('g.node')
    .data(picture.graph.nodes, (node) => String(node.id))
    .join((enter) =>
      enter
        .append('g')
        .attr('role', 'button')
        .attr('tabindex', -1)
        .attr('transform', (node) => translate(picture, node)),
    )
    .order()
    .each(function (node) {
      drawOneNode(select<SVGGElement, Node>(this) as unknown as G<Node>, node, picture);
    });
  if (animate)
    nodes
      .transition()
      .duration(220)
      .attr('transform', (node) => translate(picture, node));
  else nodes.interrupt().attr('transform', (node) => translate(picture, node));
}

function translate({ layout }: Picture, node: Node): string {
  const [x, y] = layout.nodes.get(node.id)!;
  return `translate(${round(x)},${round(y)})`;
}

function drawOneEdge(group: G<Edge>, edge: Edge, picture: Picture): void {
  const placed = picture.layout.edges.get(edge.id)!;
  const form = edge.type ? ARROWS[edge.type] : JOIN;
  const drawn = drawEdge(placed.points, picture.flow, form, edge.source === edge.target);
  const classes = ['edge', edge.kind, form.family];
  if (edge.chains.length > 0) classes.push('on-chain');
  if (edge.hedged) classes.push('hedged');
  if (edge.negated) classes.push('negated');
  if (edge.contradicted) classes.push('contradicted');
  group
    .attr('class', classes.join(' '))
    .attr('data-edge', edge.id)
    .attr('aria-label', nameEdge(edge, picture.tags.get(edge.id), picture.known));
  group.selectChildren().remove();
  group.append('path').attr('class', 'hit').attr('d', drawn.path);
  group.append('path').attr('class', 'line').attr('d', drawn.path).attr('stroke-width', form.width);
  if (form.head !== '') {
    const head = group
      .append('g')
      .attr('transform', `translate(${round(drawn.tip[0])},${round(drawn.tip[1])}) rotate(${drawn.angle})`);
    head
      .append('path')
      .attr('class', form.filled ? 'head filled' : 'head')
      .attr('d', form.head);
  }
  drawSign(group, form, drawn.tip, drawn.angle);
  const tag = picture.tags.get(edge.id);
  if (tag && placed.label) drawTag(group, tag, placed.label);
}

function drawSign(group: G<Edge>, form: ArrowForm, tip: readonly [number, number], angle: number): void {
  if (!form.sign) return;
  const radians = (angle * Math.PI) / 180;
  const x = tip[0] - Math.cos(radians) * 17;
  const y = tip[1] - Math.sin(radians) * 17;
  const sign = group
    .append('g')
    .attr('class', 'sign')
    .attr('transform', `translate(${round(x)},${round(y)})`);
  sign.append('circle').attr('r', 5.5);
  sign.append('path').attr('d', form.sign === '+' ? 'M-3,0H3M0,-3V3' : 'M-3,0H3');
}

/** A cross on what the text denies, a warning on what another text contradicts. */
function drawMark(label: G<Edge>, mark: 'cross' | 'clash', x: number): void {
  const group = label
    .append('g')
    .attr('class', mark)
    .attr('transform', `translate(${round(x)},0)`);
  if (mark === 'cross') {
    group.append('circle').attr('r', 7);
    group.append('path').attr('d', 'M-3.5,-3.5 L3.5,3.5 M-3.5,3.5 L3.5,-3.5');
  } else {
    group.append('path').attr('d', 'M0,-7.5 L7.5,6 L-7.5,6 Z');
    group.append('path').attr('class', 'bang').attr('d', 'M0,-3 V1.5 M0,3.4 V4.2');
  }
}

function drawTag(group: G<Edge>, tag: EdgeTag, [x, y]: readonly [number, number]): void {
  const label = group
    .append('g')
    .attr('class', 'tag')
    .attr('transform', `translate(${round(x)},${round(y)})`);
  label
    .append('rect')
    .attr('x', -tag.width / 2)
    .attr('y', -tag.height / 2)
    .attr('width', tag.width)
    .attr('height', tag.height)
    .attr('rx', 4);
  let at = -tag.width / 2 + (tag.text === '' ? 2 : 4);
  for (const mark of ['cross', 'clash'] as const) {
    if (!tag[mark]) continue;
    drawMark(label as unknown as G<Edge>, mark, at + MARK / 2 - 1);
    at += MARK;
  }
  for (const chip of tag.chips) {
    label
      .append('rect')
      .attr('class', 'chip')
      .attr('x', at)
      .attr('y', -8)
      .attr('width', chip.width)
      .attr('height', 16)
      .attr('rx', 8);
    label
      .append('text')
      .attr('class', 'chip-text')
      .attr('x', at + chip.width / 2)
      .attr('y', 3.6)
      .text(chip.text);
    label.node()!.append(' ');
    at += chip.width + 3;
  }
  if (tag.text === '') return;
  label
    .append('text')
    .attr('class', 'relation')
    .attr('x', (at + tag.width / 2 - 4) / 2 + (tag.chips.length > 0 ? 1 : 0))
    .attr('y', TAG_FONT * 0.36)
    .text(tag.text);
}

function drawOneNode(group: G<Node>, node: Node, picture: Picture): void {
  const card = picture.cards.get(node.id)!;
  const hidden = picture.graph.hiddenNeighbours.get(node.id) ?? 0;
  const classes = ['node'];
  if (node.chains.length > 0) classes.push('on-chain');
  if (node.start) classes.push('start');
  group
    .attr('class', classes.join(' '))
    .attr('data-node', node.id)
    .attr('aria-label', nameNode(node, card, hidden));
  group.selectChildren().remove();
  const { width, height, lines, font, lineHeight } = card;
  group
    .append('rect')
    .attr('class', 'card')
    .attr('x', -width / 2)
    .attr('y', -height / 2)
    .attr('width', width)
    .attr('height', height)
    .attr('rx', 6);
  const name = group.append('g').attr('class', 'name').attr('font-size', font);
  const top = (-(lines.length - 1) * lineHeight) / 2 + font * 0.36;
  for (const [index, line] of lines.entries()) {
    const text = name
      .append('text')
      .attr('y', round(top + index * lineHeight))
      .text(line);
    // The name's lines read on as they were written: apart where a space stood, together within a broken word.
    if (index > 0 && card.spaces[index - 1]) text.node()!.before(' ');
  }
  if (node.start) {
    group
      .append('circle')
      .attr('class', 'start-dot')
      .attr('cx', -width / 2 + 1)
      .attr('cy', -height / 2 + 1)
      .attr('r', 4.5);
  }
  if (node.mentions > 1) badge(group, 'mentions', `×${node.mentions}`, width / 2 - 6, -height / 2);
  if (hidden > 0) badge(group, 'more', `+${hidden}`, width / 2 - 6, height / 2);
}

/** A small pill on the card's edge, right-aligned at x. */
function badge(group: G<Node>, name: string, text: string, x: number, y: number): void {
  const width = 10 + text.length * 6;
  group.node()!.append(' ');
  const pill = group
    .append('g')
    .attr('class', `badge ${name}`)
    .attr('transform', `translate(${round(x - width)},${round(y)})`);
  pill.append('rect').attr('y', -7).attr('width', width).attr('height', 14).attr('rx', 7);
  pill
    .append('text')
    .attr('x', width / 2)
    .attr('y', 3.4)
    .text(text);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
