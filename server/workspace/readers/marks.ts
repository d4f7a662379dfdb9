/** Marks of notes that Markdown itself doesn't know: wiki links, callouts, attributes, citations, mathematics. */

/** A stretch of the source that isn't shown as it stands; ascending and non-overlapping. */
export interface Mark {
  readonly kind: 'hidden' | 'math';
  readonly start: number;
  readonly end: number;
}

const WIKI = /(!?)\[\[([^[\]\n|]{1,200})(?:\|([^[\]\n]{1,200}))?\]\]/g;
const CALLOUT = /^[ \t>]*(\[![A-Za-z]+\][+-]?)/gm;
const ATTRIBUTES = /[ \t]{1,4}\{[#.:][^{}\n]{0,200}\}[ \t]{0,4}\r?$/gm;
/** Dollars are mathematics only as pandoc reads them, so that "$5 and $7" stays money; an index may follow a word. */
const MATH = /(?:(?<![\\$\w])\$(?=[^\s$])|(?<=\w)\$(?=[\^_]))([^$\n]{1,300})(?<=[^\s\\])\$(?![\w$])/g;
/** A formula that is a paragraph: dollars on lines of their own, or a TeX environment. */
const FORMULA =
  /^[ \t]{0,3}\$[ \t]{0,4}\r?\n[^$]{1,2000}?\$[ \t]{0,4}\r?$|^[ \t]{0,3}\\begin\{([a-z]+\*?)\}[\s\S]{0,3000}?\\end\{\1\}/gm;
/** A line that is only a TeX command, as notebooks made for print have it. */
const COMMAND_LINE = /^\\[a-z]+(?:\{[^{}\n]{0,60}\}){0,3}[ \t]{0,4}\r?$/gm;
/** Citations as pandoc writes them. */
const CITATION = /[ \t]{0,2}\[(?:[^[\]@\n]{0,80}[\s;-])?-?@[A-Za-z][^[\]\n]{0,400}\]/g;

/** Finds the marks of a Markdown source. Linear: every pattern has a bounded reach. */
export function findMarks(source: string): Mark[] {
  const marks: Mark[] = [];
  const hide = (start: number, end: number) => {
    if (end > start) marks.push({ kind: 'hidden', start, end });
  };
  for (const match of source.matchAll(WIKI)) {
    const [all, embed, target, label] = match as unknown as [string, string, string, string | undefined];
    const start = match.index;
    const end = start + all.length;
    if (embed === '!') {
      hide(start, end);
      continue;
    }
    if (label !== undefined) hide(start, end - 2 - label.length);
    else {
      hide(start, start + 2);
      const section = target.indexOf('#');
      if (section === 0) hide(start + 2, start + 3);
      else if (section > 0) hide(start + 2 + section, end - 2);
    }
    hide(end - 2, end);
  }
  for (const match of source.matchAll(CALLOUT)) {
    const end = match.index + match[0].length;
    hide(end - match[1]!.length, end);
  }
  for (const pattern of [ATTRIBUTES, FORMULA, COMMAND_LINE, CITATION]) {
    for (const match of source.matchAll(pattern)) hide(match.index, match.index + match[0].length);
  }
  for (const match of source.matchAll(MATH)) {
    marks.push({ kind: 'math', start: match.index, end: match.index + match[0].length });
  }
  marks.sort((a, b) => a.start - b.start || b.end - a.end);
  let reached = 0;
  return marks.filter((mark) => {
    if (mark.start < reached) return false;
    reached = mark.end;
    return true;
  });
}
