/** From words in a passage's clean text to the exact place in the file. */
import type { Span } from '../../models/protocol.ts';
import type { Passage, PassageSource, Place, Position } from '../sarg/types.ts';

/**
 * The place in the file of a span of a passage's clean text.
 *
 * Outer white space of the span is left out. An end that falls inside an atom (a decoded entity) takes the whole atom;
 * an end in text without a source (a joining space, a row's header) moves inwards to the next mapped unit; a span
 * wholly without source gives the mapped stretch behind it (a header stands before its value), else the one before it.
 * `quote` is exactly the source text at `offsets`, mark-up between the words included.
 */
export function locate(passage: Passage, span: Span): Place {
  const { source } = passage;
  const stretch = sourceStretch(source.segments, withoutOuterSpace(passage.text, span));
  const quote = source.text.slice(stretch.start, stretch.end);
  return {
    file: passage.file,
    ...(source.cell === undefined ? {} : { cell: source.cell }),
    range: { start: positionAt(source, stretch.start), end: positionAt(source, stretch.end) },
    offsets: { start: source.offset + stretch.start, end: source.offset + stretch.end },
    quote,
  };
}

function sourceStretch(segments: readonly number[], span: Span): Span {
  const first = 4 * firstEndingAfter(segments, span.start);
  const last = 4 * (firstStartingFrom(segments, span.end) - 1);
  if (first <= last)
    return { start: sourceStart(segments, first, span.start), end: sourceEnd(segments, last, span.end) };
  const near = first < segments.length ? first : last;
  if (near < 0) return { start: 0, end: 0 };
  // An empty span between two mapped units stays empty.
  if (span.start === span.end) {
    const at = first < segments.length ? segments[first + 2]! : segments[last + 2]! + segments[last + 3]!;
    return { start: at, end: at };
  }
  return { start: segments[near + 2]!, end: segments[near + 2]! + segments[near + 3]! };
}

function sourceStart(segments: readonly number[], at: number, textOffset: number): number {
  const inside = Math.max(0, textOffset - segments[at]!);
  return segments[at + 2]! + (segments[at + 1] === segments[at + 3] ? inside : 0);
}

function sourceEnd(segments: readonly number[], at: number, textOffset: number): number {
  const inside = Math.min(segments[at + 1]!, textOffset - segments[at]!);
  return segments[at + 2]! + (segments[at + 1] === segments[at + 3] ? inside : segments[at + 3]!);
}

/** Index of the first segment that ends behind a text offset. */
function firstEndingAfter(segments: readonly number[], offset: number): number {
  return lowest(segments.length / 4, (at) => segments[4 * at]! + segments[4 * at + 1]! > offset);
}

/** Index of the first segment that starts at or behind a text offset. */
function firstStartingFrom(segments: readonly number[], offset: number): number {
  return lowest(segments.length / 4, (at) => segments[4 * at]! >= offset);
}

/** The lowest index below `count` for which an ascending test holds, else `count`. */
function lowest(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function withoutOuterSpace(text: string, span: Span): Span {
  let start = Math.min(Math.max(0, span.start), text.length);
  let end = Math.min(Math.max(start, span.end), text.length);
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  if (start === end)
    return { start: Math.min(span.start, text.length), end: Math.min(span.start, text.length) };
  // Never half of a character.
  if (isTrail(text.charCodeAt(start)) && start > 0) start--;
  if (isTrail(text.charCodeAt(end))) end++;
  return { start, end };
}

function isTrail(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** LSP position of an offset in the passage's source. A line ends with \n, \r\n or a lone \r. */
function positionAt(source: PassageSource, offset: number): Position {
  let { line, character } = source.position;
  let lineStart = -character;
  for (let at = 0; at < offset; at++) {
    const code = source.text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && source.text.charCodeAt(at + 1) !== 0x0a)) {
      line++;
      lineStart = at + 1;
    }
  }
  character = offset - lineStart;
  return { line, character };
}
