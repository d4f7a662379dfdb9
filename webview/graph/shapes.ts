/** The forms of arrows: one for each type of link, so that none is told by colour alone. Pure but for d3-shape. */
import { curveBumpX, curveBumpY, line } from 'd3-shape';
import type { LinkType } from '../../server/protocol.ts';
import type { Flow, Point } from './layout.ts';

export interface ArrowForm {
  /** Path with its tip at 0,0, pointing to the right. */
  readonly head: string;
  /** The head is filled; otherwise drawn as an outline over the background. */
  readonly filled: boolean;
  /** How far from the tip the line ends. */
  readonly inset: number;
  /** A sign before the head. */
  readonly sign: '+' | '−' | null;
  /** Stroke width of the line. */
  readonly width: number;
  /** What the colour says besides the form. */
  readonly family: 'drives' | 'hinders' | 'needs' | 'relates';
}

const TRIANGLE = 'M0,0 L-9,-4.5 L-9,4.5 Z';

export const ARROWS: Readonly<Record<LinkType, ArrowForm>> = {
  causes: { head: TRIANGLE, filled: true, inset: 8, sign: null, width: 1.75, family: 'drives' },
  enables: { head: TRIANGLE, filled: false, inset: 9, sign: null, width: 1.75, family: 'drives' },
  increases: { head: TRIANGLE, filled: true, inset: 8, sign: '+', width: 1.75, family: 'drives' },
  decreases: { head: TRIANGLE, filled: true, inset: 8, sign: '−', width: 1.75, family: 'hinders' },
  prevents: {
    head: 'M-1.5,-6.5 L-1.5,6.5',
    filled: false,
    inset: 2,
    sign: null,
    width: 1.75,
    family: 'hinders',
  },
  requires: {
    head: 'M0,0 L-6,-4.5 L-12,0 L-6,4.5 Z',
    filled: false,
    inset: 12,
    sign: null,
    width: 1.5,
    family: 'needs',
  },
  condition: {
    head: 'M0,0 A4,4 0 1 1 -8,0 A4,4 0 1 1 0,0 Z',
    filled: false,
    inset: 8,
    sign: null,
    width: 1.5,
    family: 'needs',
  },
  precedes: {
    head: 'M-8,-4.5 L0,0 L-8,4.5',
    filled: false,
    inset: 1,
    sign: null,
    width: 1.25,
    family: 'relates',
  },
  spatial: {
    head: 'M0,-3.5 L-7,-3.5 L-7,3.5 L0,3.5 Z',
    filled: true,
    inset: 7,
    sign: null,
    width: 1.25,
    family: 'relates',
  },
};

/** The join between two hops has no head: it says "taken as the same". */
export const JOIN: ArrowForm = {
  head: '',
  filled: false,
  inset: 0,
  sign: null,
  width: 1.25,
  family: 'relates',
};

const GAP = 3;

export interface DrawnEdge {
  readonly path: string;
  /** Where the head's tip stands and which way it points, in degrees. */
  readonly tip: Point;
  readonly angle: number;
}

/** The line of an edge from its points; ends along the flow, so that heads sit straight on their nodes. */
export function drawEdge(points: readonly Point[], flow: Flow, form: ArrowForm, loop: boolean): DrawnEdge {
  const last = points[points.length - 1]!;
  const before = points[points.length - 2]!;
  if (loop) {
    const [a, b, c, d] = points as [Point, Point, Point, Point];
    return { path: `M${a} C${b} ${c} ${d[0]},${d[1] - form.inset}`, tip: d, angle: 90 };
  }
  const axis = flow === 'right' ? 0 : 1;
  const sign = Math.sign(last[axis] - before[axis]) || 1;
  const angle = flow === 'right' ? (sign > 0 ? 0 : 180) : sign > 0 ? 90 : 270;
  const shift = (by: number): Point =>
    flow === 'right' ? [last[0] - sign * by, last[1]] : [last[0], last[1] - sign * by];
  const curve = line<Point>().curve(flow === 'right' ? curveBumpX : curveBumpY);
  return { path: curve([...points.slice(0, -1), shift(GAP + form.inset)]) ?? '', tip: shift(GAP), angle };
}
