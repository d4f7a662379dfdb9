/** Wraps names into few short lines, cutting between graphemes only. Pure: measuring is handed in. */

/** Width of a text in pixels. */
export type Measure = (text: string) => number;

export interface Wrapped {
  readonly lines: readonly string[];
  /** Whether a space stood between a line and the next; not where a long word was broken. */
  readonly spaces: readonly boolean[];
  /** Some of the text is not in `lines`; the full text must be reachable otherwise. */
  readonly cut: boolean;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Names longer than this are cut before wrapping, so that a megabyte-long name costs nothing. */
const MOST_UNITS = 400;

/** Wraps `text` into at most `most` lines no wider than `width`; the last ends in "…" when the text goes on. */
export function wrap(text: string, width: number, most: number, measure: Measure): Wrapped {
  const clean = text.slice(0, MOST_UNITS).replace(/\s+/gu, ' ').trim();
  let cut = text.length > MOST_UNITS;
  const lines: string[] = [];
  let line = '';
  const spaces: boolean[] = [];
  const words = clean.split(' ').flatMap((word) => pieces(word, width, measure));
  let at = 0;
  for (; at < words.length; at += 1) {
    const { text: word, glued } = words[at]!;
    const longer = line === '' ? word : glued ? line + word : `${line} ${word}`;
    if (line === '' || measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) break;
    lines.push(line);
    spaces.push(!glued);
    line = word;
  }
  if (at < words.length) {
    cut = true;
    // Fill the last line as far as it goes: half a word tells more than a blank.
    const rest = words[at]!;
    line = shorten(rest.glued ? line + rest.text : `${line} ${rest.text}`, width, measure, true);
  } else if (cut) {
    line = shorten(line, width, measure, true);
  }
  lines.push(line);
  return { lines, spaces, cut };
}

/** Cuts `text` to `width`, with "…" at the end when it had to (or when `always`). */
export function shorten(text: string, width: number, measure: Measure, always = false): string {
  if (!always && measure(text) <= width) return text;
  const units = [...graphemes.segment(text)].map((unit) => unit.segment);
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(`${units.slice(0, middle).join('').trimEnd()}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${units.slice(0, low).join('').trimEnd()}…`;
}

/** A word wider than a line becomes several pieces; a script without spaces breaks the same way. */
function pieces(word: string, width: number, measure: Measure): { text: string; glued: boolean }[] {
  if (measure(word) <= width) return [{ text: word, glued: false }];
  const result: { text: string; glued: boolean }[] = [];
  let piece = '';
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && measure(piece + segment) > width) {
      result.push({ text: piece, glued: result.length > 0 });
      piece = '';
    }
    piece += segment;
  }
  result.push({ text: piece, glued: result.length > 0 });
  return result;
}
