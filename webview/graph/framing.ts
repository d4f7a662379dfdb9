/** What part of the graph is in view: everything, or where that cannot be read, where the first chain begins. Pure. */
import type { Flow, Layout, Point } from './layout.ts';
import type { Size } from './ranks.ts';

/** Scale and shift of the drawing within its frame. */
export interface Framing {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

export const MARGIN = 28;
/** Below this scale 12 px text cannot be read. */
export const READABLE = 0.7;
const COMFORTABLE = 0.82;
const LARGEST = 1.15;

/** Everything in view, in the middle. */
export function whole(layout: Size, frame: Size): Framing {
  const k = Math.min(
    LARGEST,
    (frame.width - MARGIN * 2) / layout.width,
    (frame.height - MARGIN * 2) / layout.height,
  );
  return { k, x: (frame.width - layout.width * k) / 2, y: (frame.height - layout.height * k) / 2 };
}

/** The first view: everything where it can be read, else the lead node at the side where the flow begins. */
export function home(
  layout: Layout,
  lead: { point: Point; size: Size } | null,
  flow: Flow,
  frame: Size,
): Framing {
  const all = whole(layout, frame);
  if (all.k >= READABLE || lead === null) return all;
  const k = COMFORTABLE;
  const { point, size } = lead;
  if (flow === 'right') {
    const y = within(frame.height / 2 - point[1] * k, layout.height * k, frame.height);
    return { k, x: MARGIN - (point[0] - size.width / 2) * k, y };
  }
  const x = within(frame.width / 2 - point[0] * k, layout.width * k, frame.width);
  return { k, x, y: MARGIN - (point[1] - size.height / 2) * k };
}

/** Height that the drawing needs at the scale its width allows. */
export function neededHeight(layout: Size, width: number): number {
  const k = Math.max(READABLE, Math.min(1, (width - MARGIN * 2) / layout.width));
  return Math.round(layout.height * k + MARGIN * 2 + 30);
}

/** Keeps content at the frame's edges instead of leaving a gap, and in the middle where it is smaller. */
function within(wanted: number, content: number, room: number): number {
  if (content + MARGIN * 2 <= room) return (room - content) / 2;
  return Math.max(room - content - MARGIN, Math.min(MARGIN, wanted));
}
