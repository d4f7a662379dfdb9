/** Plain text: paragraphs, items and headings by how the lines look. */
import type { DocumentPart, ReadDocument, Reader } from '../types.ts';
import { TextBuilder } from './builder.ts';
import { titleFromHeadings, titleFromName } from './title.ts';

interface Line {
  /** Where the text begins, after quote marks and indentation. */
  readonly start: number;
  /** Where it ends, before trailing white space and the line break. */
  readonly end: number;
  readonly text: string;
  /** How deep it is quoted. */
  readonly quote: number;
  readonly indented: boolean;
  /** "Key: value", as in the head of a letter or a mail. */
  readonly key: boolean;
  readonly bullet: number;
}

const QUOTE = /^[ \t]{0,8}(?:>[ \t]?)+/;
const BULLET = /^(?:[-*+•‣◦▪–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|\[[ xX]\])[ \t]+(?=\S)/;
const KEY = /^\p{Lu}[\p{L}\p{N} ()/.'-]{0,38}:(?:[ \t]|$)/u;
const RULE = /^(?:={3,}|-{3,}|\*{3,}|_{3,}|~{3,}|#{3,}|(?:[-=*_~] ){2,}[-=*_~])$/;
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,})$/;
const LONGEST_HEADING = 80;

/** Reads plain text. */
export const textReader: Reader = {
  name: 'plain text',
  extensions: ['.txt', '.text'],
  read(text: string, file: string): ReadDocument {
    const part = readPlain(text);
    if (part.text === '') return { title: titleFromName(file), parts: [], notes: ['no text'] };
    const title = firstLine(text) ?? titleFromHeadings(part) ?? titleFromName(file);
    return { title, parts: [part], notes: [] };
  },
};

/**
 * Reads one plain text. Lines of a paragraph are joined; bullets, "Key: value" lines and mail headers are items of
 * their own; underlined, capital or numbered short lines that stand alone are headings.
 */
export function readPlain(source: string, cell?: number): DocumentPart {
  const out = new TextBuilder(source);
  writePlain(out, 0, source.length);
  return out.part(cell);
}

/** Writes source[start, end) of the builder as {@link readPlain} reads a whole text. */
export function writePlain(out: TextBuilder, start: number, end: number): void {
  const source = out.source.slice(start, end);
  const lines = splitLines(source, start);
  const widths = paragraphWidths(lines);
  let words: ReadonlySet<string> | undefined;
  let open = false;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]!;
    const before = lines[i - 1];
    const after = lines[i + 1];
    if (line.text === '' || RULE.test(line.text)) {
      open = false;
      continue;
    }
    const level = headingLevel(line, open, after);
    if (level > 0) {
      out.begin('heading', level);
      out.copy(line.start, line.end);
      out.end();
      open = false;
      continue;
    }
    if (line.bullet > 0 || (line.key && startsKey(open, before))) {
      out.begin('item');
      // A number is the item's name in the text; a dash or a dot is only a mark.
      out.copy(line.start + (/^[\p{L}\p{N}(]/u.test(line.text) ? 0 : line.bullet), trimmedEnd(line, after));
    } else {
      if (!open || startsParagraph(line, lines, i, widths[i]!)) out.begin('prose');
      else if (!joinsWord(lines[i - 1]!, line)) out.lineBreak();
      out.copy(line.start, trimmedEnd(line, after));
    }
    open = true;
  }
  out.end();

  /** End of the line without a hyphen that only breaks a word. */
  function trimmedEnd(line: Line, after: Line | undefined): number {
    if (after === undefined || !joinsWord(line, after) || line.text.endsWith('\u00ad')) return line.end;
    words ??= new Set(Array.from(source.matchAll(/\p{L}+(?:-\p{L}+)*/gu), (match) => match[0].toLowerCase()));
    const head = /\p{L}+(?=-$)/u.exec(line.text.slice(-40))?.[0] ?? '';
    const tail = /^\p{L}+/u.exec(after.text.slice(0, 40))?.[0] ?? '';
    const whole = `${head}${tail}`.toLowerCase();
    return words.has(whole) && !words.has(`${head}-${tail}`.toLowerCase()) ? line.end - 1 : line.end;
  }
}

/** The first line with words, if it is short and no sentence. */
function firstLine(source: string): string | undefined {
  const line = /^\s*(\S[^\r\n]*)/.exec(source.slice(0, 2000))?.[1]?.trim();
  return line === undefined ||
    line.length > LONGEST_HEADING ||
    /[.!?;,。！？]$/.test(line) ||
    BULLET.test(line)
    ? undefined
    : line;
}

/** Lines with their places, which are shifted by `offset`. */
function splitLines(source: string, offset: number): Line[] {
  const lines: Line[] = [];
  for (const match of source.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    const raw = match[1]!;
    const mark = QUOTE.exec(raw)?.[0] ?? '';
    const rest = raw.slice(mark.length);
    const text = rest.trim();
    const start = offset + match.index + mark.length + (rest.length - rest.trimStart().length);
    lines.push({
      start,
      end: start + text.length,
      text,
      quote: mark === '' ? 0 : mark.split('>').length - 1,
      indented: /^[ \t]/.test(rest),
      key: KEY.test(text),
      bullet: BULLET.exec(text)?.[0].length ?? 0,
    });
  }
  return lines;
}

/** For each line, how long the longest line of its paragraph is. */
function paragraphWidths(lines: readonly Line[]): number[] {
  const widths = new Array<number>(lines.length).fill(0);
  for (let i = 0; i < lines.length; ) {
    let end = i;
    let widest = 0;
    while (end < lines.length && lines[end]!.text !== '') {
      widest = Math.max(widest, lines[end]!.text.length);
      end += 1;
    }
    widths.fill(widest, i, end);
    i = end + 1;
  }
  return widths;
}

/** Level of the heading that the line is, or 0. */
function headingLevel(line: Line, open: boolean, after: Line | undefined): number {
  if (open || line.text.length > LONGEST_HEADING || line.quote > 0) return 0;
  if (
    after !== undefined &&
    UNDERLINE.test(after.text) &&
    Math.abs(after.text.length - line.text.length) <= 3
  ) {
    return after.text[0] === '=' ? 1 : 2;
  }
  if (line.key || /[.!?;:,。！？]$/.test(line.text)) return 0;
  const alone = after === undefined || after.text === '';
  if (alone && /^\d{1,2}(?:\.\d{1,2}){0,3}[.)]?[ \t]+\p{Lu}/u.test(line.text) && line.text.length <= 60)
    return 2;
  const core = line.text.replace(/\([^()]*\)$/, '');
  const capitals = core.match(/\p{Lu}/gu)?.length ?? 0;
  return capitals >= 3 && !/[\p{Ll}\p{Lo}]/u.test(core) && line.bullet === 0 ? 2 : 0;
}

/** In the middle of a paragraph a "Key:" may be chance, unless lines around it are whole as well. */
function startsKey(open: boolean, before: Line | undefined): boolean {
  return !open || before === undefined || before.key || /[.!?:;。！？]$/.test(before.text);
}

function startsParagraph(line: Line, lines: readonly Line[], i: number, width: number): boolean {
  const before = lines[i - 1]!;
  if (before.quote !== line.quote) return true;
  // After the head of a mail: only an indented line goes on with the last field.
  if (before.key && lines[i - 2]?.key === true && !line.indented) return true;
  // A line that ends early and without a stop, before one that begins like a sentence, was ended on purpose.
  const early = before.text.length < 0.6 * width || width < 40;
  return early && !/[\p{P}]$/u.test(before.text) && /^[\p{Lu}\p{N}]/u.test(line.text);
}

/** Whether a word runs over the break between two lines. */
function joinsWord(line: Line, after: Line): boolean {
  if (after.quote !== line.quote || !/^\p{Ll}/u.test(after.text)) return false;
  return line.text.endsWith('\u00ad') || /\p{L}-$/u.test(line.text.slice(-3));
}
