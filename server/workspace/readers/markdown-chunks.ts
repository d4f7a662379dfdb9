/**
 * Cuts a Markdown source where a cut changes nothing: before a line at the margin that ends every list, quote and
 * paragraph. Prose without any mark-up needs no parser, which is most of it, and what would make the parser slow
 * (it is not linear in nesting or in the marks of one paragraph) is told apart.
 */

export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** plain: one paragraph without marks; bullets: items of one line each, without marks; marked: for the parser; extreme: too long, too deep or too full of marks for it. */
  readonly kind: 'plain' | 'bullets' | 'marked' | 'extreme';
}

/** Units of one paragraph, and of one chunk, up to which the parser is used. */
const LONGEST_PARAGRAPH = 16_384;
/** Marks of emphasis in one paragraph up to which the parser is used: it compares each with all before it. */
const MOST_MARKS = 500;
const LONGEST_CHUNK = 262_144;
/** Small blocks are parsed together up to this length. */
const TOGETHER = 4096;

const DEEP = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){33}|^[ \t]{65,}(?:[-*+>]|\d{1,9}[.)])[ \t]/;
const MARGIN = /^(?:#{1,6}[ \t]|[\p{L}\p{Ps}\p{Pi}"'])/u;
const BULLET = /^[-*+][ \t]+\S/;
/** A line at which a paragraph's marks end. Rows and tags do so only in a table or a block of HTML. */
const FRESH = /^[ \t>]*(?:[-*+][ \t\r\n]|#{1,6}[ \t\r\n]|\d{1,9}[.)][ \t\r\n]|[-*_=]{3,}\s*$)/;
const ROW = /^[ \t>]*\|/;
const TAG = /^[ \t>]*</;
const DELIMITERS = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?\r?\n?$/;
const EMPHASIS = /\*+|_+/g;
const WORD = /[\p{L}\p{N}]/u;
const FENCE = /^ {0,3}(`{3,}|~{3,}|\${2,})/;
/** Signs that may mark something within a line. */
const MARKS = /[\\`*_[\]<{|$]|~~|&(?:#|\w+;)/;
const PLAIN_BULLET = /^[-+][ \t]{1,4}[\p{L}\p{Ps}\p{Pi}"']/u;
const MARKED = /[\\`*_[\]<{|$]|~~|&(?:#|\w+;)|^(?:[ \t]{0,3}(?:[-+=>#:~]|\d{1,9}[.)]))/m;
const RAW_HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];

/** The chunks of a source, in order, without gaps. */
export function chunkMarkdown(source: string): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let extreme = false;
  let paragraph = 0;
  let marks = 0;
  let table = false;
  /** Units of the chunk that are code or the like, which costs the parser little. */
  let silent = 0;
  let closer: ((line: string) => boolean) | undefined;
  let blank = true;

  const cut = (end: number) => {
    if (end > start) push(chunks, source, start, end, extreme || end - start - silent > LONGEST_CHUNK);
    start = end;
    extreme = false;
    silent = 0;
  };

  for (const [from, to] of lines(source)) {
    // The line's head tells what it is; only a paragraph may have long lines, and those are extreme.
    const line = source.slice(from, Math.min(to, from + 2000));
    if (closer !== undefined) {
      silent += to - from;
      if (closer(to - from > 2000 ? source.slice(from, to) : line)) closer = undefined;
      continue;
    }
    if (line.trim() === '' && to - from < 2000) {
      blank = true;
      paragraph = 0;
      marks = 0;
      table = false;
      continue;
    }
    const atMargin = blank ? MARGIN.test(line) || BULLET.test(line) : false;
    if (atMargin || (from - start >= TOGETHER && BULLET.test(line))) cut(from);
    closer = from === 0 ? frontMatter(source, line) : undefined;
    closer ??= fence(line) ?? rawHtml(line);
    table ||= DELIMITERS.test(line);
    const fresh = FRESH.test(line) || (table && ROW.test(line));
    paragraph = blank || fresh || ROW.test(line) || TAG.test(line) ? to - from : paragraph + to - from;
    if (blank || fresh) marks = 0;
    if (to - from <= LONGEST_PARAGRAPH) marks += countMarks(source.slice(from, to));
    if (paragraph > LONGEST_PARAGRAPH || marks > MOST_MARKS || DEEP.test(line)) extreme = true;
    blank = false;
  }
  cut(source.length);
  return chunks;
}

function push(chunks: Chunk[], source: string, start: number, end: number, extreme: boolean): void {
  const block = source.slice(start, end);
  const kind = isPlain(block) ? 'plain' : isBullets(block) ? 'bullets' : extreme ? 'extreme' : 'marked';
  const last = chunks.at(-1);
  if (kind === 'marked' && last?.kind === 'marked' && end - last.start <= TOGETHER) {
    chunks[chunks.length - 1] = { ...last, end };
  } else chunks.push({ start, end, kind });
}

/** Runs that may begin or end emphasis; an underscore inside a word, as names in code have, can't. */
function countMarks(line: string): number {
  let count = 0;
  for (const { 0: run, index } of line.matchAll(EMPHASIS)) {
    const inside = WORD.test(line[index - 1] ?? ' ') && WORD.test(line[index + run.length] ?? ' ');
    if (run[0] === '*' || !inside) count += 1;
  }
  return count;
}

/** One paragraph that the parser would give back as it stands. */
function isPlain(block: string): boolean {
  return (
    MARGIN.test(block) && block[0] !== '#' && !MARKED.test(block) && !/\n[ \t]*\r?\n[ \t]*\S/.test(block)
  );
}

function isBullets(block: string): boolean {
  if (!BULLET.test(block) || MARKS.test(block)) return false;
  for (const [from, to] of lines(block)) {
    const line = block.slice(from, to);
    if (!PLAIN_BULLET.test(line) && line.trim() !== '') return false;
  }
  return true;
}

function* lines(source: string): Generator<[from: number, to: number]> {
  for (let from = 0; from < source.length; ) {
    const feed = source.indexOf('\n', from);
    const to = feed < 0 ? source.length : feed + 1;
    yield [from, to];
    from = to;
  }
}

function frontMatter(source: string, line: string): ((line: string) => boolean) | undefined {
  const mark = /^(---|\+\+\+)[ \t]*\r?\n$/.exec(line)?.[1];
  const end = mark === '---' ? /^---[ \t]*\r?$/m : /^\+\+\+[ \t]*\r?$/m;
  if (mark === undefined || !end.test(source.slice(line.length))) return undefined;
  return (next) => next.trimEnd() === mark;
}

function fence(line: string): ((line: string) => boolean) | undefined {
  const mark = FENCE.exec(line)?.[1];
  // "$$ x $$" and "``` x ```" in one line are no fences.
  if (
    mark === undefined ||
    (mark[0] !== '~' && line.slice(line.indexOf(mark) + mark.length).includes(mark[0]!))
  ) {
    return undefined;
  }
  return (next) => {
    const end = FENCE.exec(next)?.[1];
    return end !== undefined && end[0] === mark[0] && end.length >= mark.length && next.trim() === end;
  };
}

function rawHtml(line: string): ((line: string) => boolean) | undefined {
  for (const [open, close] of RAW_HTML)
    if (open.test(line)) return close.test(line) ? undefined : (next) => close.test(next);
  return undefined;
}
