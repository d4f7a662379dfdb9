/** Sizes of nodes and edge labels, and what is written in them. Measuring is handed in. */
import { relationWords } from '../text.ts';
import type { Edge, Node } from './knowledge.ts';
import { type Measure, shorten, wrap } from './labels.ts';

/** Measures at a font size in pixels. */
export type MeasureAt = (size: number, bold: boolean) => Measure;

export interface Card {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** Whether a space stands between a line and the next. */
  readonly spaces: readonly boolean[];
  readonly cut: boolean;
  readonly font: number;
  readonly lineHeight: number;
}

/** Widths that names and relations are wrapped or cut at. */
export interface Room {
  readonly name: number;
  readonly relation: number;
}

/** A node's card: it grows with the logarithm of its mentions, up to about one and a half times the least. */
export function card(node: Node, measureAt: MeasureAt, room: Room): Card {
  const weight = Math.min(1, Math.log2(node.mentions) / 3.5);
  const font = 12 + weight * 2;
  const across = 11 + weight * 5;
  const above = 7 + weight * 6;
  const { lines, spaces, cut } = wrap(node.name, room.name + weight * 24, 3, measureAt(font, false));
  const text = Math.max(...lines.map((line) => measureAt(font, false)(line)));
  const lineHeight = Math.round(font * 1.3);
  return {
    width: Math.round(Math.max(52 + weight * 24, text + across * 2)),
    height: Math.round(lines.length * lineHeight + above * 2),
    lines,
    spaces,
    cut,
    font,
    lineHeight,
  };
}

export interface EdgeTag {
  readonly width: number;
  readonly height: number;
  readonly chips: readonly { readonly text: string; readonly width: number }[];
  readonly text: string;
  readonly cut: boolean;
  /** The text denies the link. */
  readonly cross: boolean;
  /** Another text contradicts it. */
  readonly clash: boolean;
}

export const TAG_FONT = 11;
const CHIP_FONT = 10;
/** Room for one mark in a tag. */
export const MARK = 18;

/**
 * The tag in the middle of an edge: marks of what is denied or contradicted, and for a chain's edge its hop numbers
 * and the words of its relation. Null where there is nothing to say.
 */
export function tag(edge: Edge, measureAt: MeasureAt, room: Room): EdgeTag | null {
  if (edge.kind === 'join') {
    const text = 'taken as same';
    return {
      width: Math.ceil(measureAt(TAG_FONT, false)(text)) + 8,
      height: 18,
      chips: [],
      text,
      cut: false,
      cross: false,
      clash: false,
    };
  }
  const cross = edge.negated;
  const clash = edge.contradicted;
  const marks = (cross ? MARK : 0) + (clash ? MARK : 0);
  if (edge.hops.length === 0) {
    return marks === 0
      ? null
      : { width: marks + 4, height: 18, chips: [], text: '', cut: false, cross, clash };
  }
  const full = relationWords(edge.links[0]!);
  const text = shorten(full, room.relation, measureAt(TAG_FONT, false));
  const chips = edge.hops.slice(0, 4).map((hop) => {
    const label = String(hop);
    return { text: label, width: Math.max(16, Math.ceil(measureAt(CHIP_FONT, true)(label)) + 8) };
  });
  const chipsWidth = chips.reduce((sum, chip) => sum + chip.width + 3, 0);
  return {
    width: Math.ceil(marks + chipsWidth + 2 + measureAt(TAG_FONT, false)(text)) + 8,
    height: 20,
    chips,
    text,
    cut: text !== full,
    cross,
    clash,
  };
}
