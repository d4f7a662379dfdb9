/** Markdown: headings, paragraphs, list items and table rows, read from the tokens of micromark. */
import { decodeHTML } from 'entities';
import { parse, postprocess, preprocess } from 'micromark';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import type { DocumentPart, ReadDocument, Reader } from '../types.ts';
import { TextBuilder } from './builder.ts';
import { writeFragment } from './html.ts';
import { chunkMarkdown } from './markdown-chunks.ts';
import { findMarks, type Mark } from './marks.ts';
import { writeMath } from './math.ts';
import { writePlain } from './text.ts';
import { titleFromHeadings, titleFromName } from './title.ts';

type MicromarkToken = ReturnType<typeof postprocess>[number][1];
/** The extensions' types of token are not declared, so a type is any string here. */
type Token = Omit<MicromarkToken, 'type'> & { readonly type: string };
type Event = readonly ['enter' | 'exit', Token, unknown];

/** Tokens whose content is no prose. */
const SKIPPED: ReadonlySet<string> = new Set([
  'toml',
  'codeFenced',
  'codeIndented',
  'mathFlow',
  'definition',
  'thematicBreak',
  'gfmFootnoteCall',
  'gfmFootnoteDefinitionLabel',
  'resource',
  'reference',
  'taskListCheck',
  'setextHeadingLine',
  'tableDelimiterRow',
  'strikethrough',
]);

const EXTENSIONS = [
  frontmatter(['yaml', 'toml']),
  // One tilde is "about" in notes, not a deletion.
  gfm({ singleTilde: false }),
  math({ singleDollarTextMath: false }),
];

/** Reads Markdown (CommonMark, GFM, front matter, mathematics, wiki links). */
export const markdownReader: Reader = {
  name: 'Markdown',
  extensions: ['.md', '.markdown', '.mdown', '.mkd', '.rmd', '.qmd'],
  read(text: string, file: string): ReadDocument {
    const { part, title, notes } = readMarkdown(text);
    if (part.text === '')
      return { title: title ?? titleFromName(file), parts: [], notes: [...notes, 'no text'] };
    return { title: title ?? titleFromHeadings(part) ?? titleFromName(file), parts: [part], notes };
  },
};

/** Reads one Markdown source; `cell` is passed on to the part. */
export function readMarkdown(
  source: string,
  cell?: number,
): { part: DocumentPart; title: string | undefined; notes: string[] } {
  const walk = new Walk(source);
  const labels = definedLabels(source);
  const notes: string[] = [];
  for (const { start, end, kind } of chunkMarkdown(source)) {
    if (kind === 'marked') {
      walk.run(eventsOf(source.slice(start, end), labels), start);
      continue;
    }
    if (kind === 'plain') {
      walk.out.begin('prose');
      walk.out.copy(start, end);
    } else if (kind === 'bullets') {
      for (const match of source.slice(start, end).matchAll(/^[-+][ \t]+([^\r\n]*)/gm)) {
        walk.out.begin('item');
        walk.out.copy(start + match.index + 1, start + match.index + match[0].length);
      }
    } else {
      writePlain(walk.out, start, end);
      notes.push(
        `${end - start} characters were read as plain text: a paragraph is too long or too full of marks, or quotes are too deep`,
      );
    }
    walk.out.end();
  }
  return { part: walk.out.part(cell), title: walk.title, notes: [...walk.notes, ...notes] };
}

interface Labels {
  readonly links: string[];
  readonly footnotes: string[];
}

/** Labels defined anywhere in the source, as micromark compares them, since chunks are parsed one by one. */
function definedLabels(source: string): Labels {
  const links: string[] = [];
  const footnotes: string[] = [];
  for (const match of source.matchAll(/^[ \t>]{0,12}\[(\^?)((?:[^[\]\\]|\\.){1,300})\]:/gm)) {
    const label = match[2]!.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase();
    (match[1] === '^' ? footnotes : links).push(label);
  }
  return { links, footnotes };
}

function eventsOf(chunk: string, labels: Labels): readonly Event[] {
  const parser = parse({ extensions: EXTENSIONS });
  if (labels.links.length > 0) parser.defined = labels.links;
  if (labels.footnotes.length > 0) Object.assign(parser, { gfmFootnotes: labels.footnotes });
  return postprocess(parser.document().write(preprocess()(chunk, 'utf8', true)));
}

/** One pass over the events. */
class Walk {
  readonly out: TextBuilder;
  title: string | undefined;
  readonly #source: string;
  readonly #marks: readonly Mark[];
  #mark = 0;
  /** Where the chunk begins that the events are of. */
  #base = 0;
  /** The builder that text goes to now: the document's, or a header cell's. */
  #to: TextBuilder;
  #items = 0;
  #headers: string[] = [];
  #column = 0;
  /** In the head of a table that has rows. */
  #inHead = false;
  #struck = false;

  constructor(source: string) {
    this.#source = source;
    this.out = new TextBuilder(source);
    this.#to = this.out;
    this.#marks = findMarks(source);
  }

  get notes(): string[] {
    return this.#struck ? ['struck-through text was left out'] : [];
  }

  /** Walks the events of the chunk that begins at `base`. */
  run(events: readonly Event[], base: number): void {
    this.#base = base;
    for (let i = 0; i < events.length; i += 1) {
      const [way, token] = events[i]!;
      if (way === 'exit') this.#exit(token);
      else if (SKIPPED.has(token.type) || this.#isWordlessImage(token)) {
        if (token.type === 'strikethrough') this.#struck = true;
        i = closing(events, i);
      } else if (token.type === 'yaml') {
        this.#frontMatter(token);
        i = closing(events, i);
      } else if (token.type === 'htmlText') {
        if (/^<br\b/i.test(this.#slice(token).slice(0, 5))) this.#to.space();
        i = closing(events, i);
      } else if (token.type === 'htmlFlow') {
        const end = closing(events, i);
        this.#html(events, i, end);
        i = end;
      } else if (token.type === 'mathText') {
        this.#math(token);
        i = closing(events, i);
      } else this.#enter(token, events, i);
    }
  }

  #enter(token: Token, events: readonly Event[], i: number): void {
    const start = this.#base + token.start.offset;
    const end = this.#base + token.end.offset;
    switch (token.type) {
      case 'listItemPrefix':
        this.out.end();
        break;
      case 'listOrdered':
      case 'listUnordered':
        this.#items += 1;
        break;
      case 'paragraph':
        this.out.begin(this.#items > 0 ? 'item' : 'prose');
        break;
      case 'atxHeading':
        this.out.begin(
          'heading',
          end - start === 0 ? 1 : (/^#{1,6}/.exec(this.#slice(token))?.[0].length ?? 1),
        );
        break;
      case 'setextHeading':
        this.out.begin(
          'heading',
          this.#source[end - 1] === '-' || this.#underline(events, i) === '-' ? 2 : 1,
        );
        break;
      case 'table':
        this.#headers = [];
        this.#inHead = hasBody(events, i);
        break;
      case 'tableRow':
        this.#column = 0;
        if (!this.#inHead) this.out.begin('row');
        break;
      case 'tableHeader':
        if (this.#inHead) this.#to = new TextBuilder(this.#source);
        else this.out.cell('');
        break;
      case 'tableData':
        this.out.cell(this.#headers[this.#column] ?? '');
        this.#column += 1;
        break;
      case 'data':
        this.#text(start, end);
        break;
      case 'characterEscapeValue':
      case 'codeTextData':
        if (!this.#isMarked(start)) this.#to.copy(start, end);
        break;
      case 'lineEnding':
        this.#to.lineBreak();
        break;
      case 'characterReference':
        if (!this.#isMarked(start)) this.#to.atom(decodeHTML(this.#slice(token)), start, end);
        break;
      case 'autolinkProtocol':
      case 'autolinkEmail':
      case 'literalAutolinkHttp':
      case 'literalAutolinkWww':
      case 'literalAutolinkEmail':
        this.#to.copy(start, end);
        break;
      case 'hardBreakEscape':
      case 'hardBreakTrailing':
        this.#to.space();
        break;
    }
  }

  #exit(token: Token): void {
    switch (token.type) {
      case 'listOrdered':
      case 'listUnordered':
        this.#items -= 1;
        break;
      case 'paragraph':
      case 'atxHeading':
      case 'setextHeading':
        this.out.end();
        break;
      case 'tableHead':
        this.#inHead = false;
        break;
      case 'tableHeader':
        if (this.#to !== this.out) {
          this.#headers.push(this.#to.part().text);
          this.#to = this.out;
        }
        break;
      case 'tableRow':
        if (!this.#inHead) this.out.endRow();
        break;
    }
  }

  /** Copies text, leaving hidden marks out and writing mathematics as words. */
  #text(start: number, end: number): void {
    let at = start;
    while (this.#mark < this.#marks.length) {
      const mark = this.#marks[this.#mark]!;
      if (mark.start >= end) break;
      if (mark.end > at) {
        if (mark.start > at) this.#to.copy(at, mark.start);
        // A mark that begins before this stretch has been written with the stretch it begins in.
        if (mark.kind === 'math' && mark.start >= start) writeMath(this.#to, mark.start + 1, mark.end - 1);
        at = Math.min(mark.end, end);
        if (mark.end > end) break;
      }
      this.#mark += 1;
    }
    if (at < end) this.#to.copy(at, end);
  }

  /** The text of an HTML block, without the marks of lists and quotes around its lines. */
  #html(events: readonly Event[], from: number, to: number): void {
    const lines: { start: number; end: number }[] = [];
    for (let k = from; k < to; k += 1) {
      const [way, { type, start, end }] = events[k]!;
      if (way !== 'enter') continue;
      const last = lines.at(-1);
      if (type === 'htmlFlowData')
        lines.push({ start: this.#base + start.offset, end: this.#base + end.offset });
      else if (type === 'lineEnding' && last !== undefined) {
        // Its token may reach over the marks of the next line.
        last.end = this.#base + start.offset + 1;
      }
    }
    writeFragment(this.out, lines);
  }

  /** Whether a mark covers the place, and so has been dealt with. */
  #isMarked(at: number): boolean {
    while (this.#mark < this.#marks.length && this.#marks[this.#mark]!.end <= at) this.#mark += 1;
    const mark = this.#marks[this.#mark];
    return mark !== undefined && mark.start <= at;
  }

  #math(token: Token): void {
    const raw = this.#slice(token);
    const fence = /^\$+/.exec(raw)?.[0].length ?? 0;
    writeMath(this.#to, this.#base + token.start.offset + fence, this.#base + token.end.offset - fence);
  }

  #frontMatter(token: Token): void {
    const match = /^title[ \t]*:[ \t]*(\S.*?)[ \t]*\r?$/m.exec(this.#slice(token));
    const title = match?.[1]?.replace(/^(["'])(.*)\1$/, '$2').trim();
    if (title !== undefined && title !== '' && !/^[|>]/.test(title)) this.title = title;
  }

  /** A picture's words are prose only if they are more than a file's name. */
  #isWordlessImage(token: Token): boolean {
    return (
      token.type === 'image' && (/^!\[([^\]]*)\]/.exec(this.#slice(token))?.[1] ?? '').split(/\s+/).length < 3
    );
  }

  #underline(events: readonly Event[], i: number): string {
    for (let k = i; k < events.length; k += 1) {
      const token = events[k]![1];
      if (token.type === 'setextHeadingLineSequence') return this.#source[this.#base + token.start.offset]!;
    }
    return '=';
  }

  #slice(token: Token): string {
    return this.#source.slice(this.#base + token.start.offset, this.#base + token.end.offset);
  }
}

/** Index of the event that ends what begins at `i`. */
function closing(events: readonly Event[], i: number): number {
  const token = events[i]![1];
  let k = i + 1;
  while (k < events.length && !(events[k]![0] === 'exit' && events[k]![1] === token)) k += 1;
  return k;
}

function hasBody(events: readonly Event[], i: number): boolean {
  const end = closing(events, i);
  for (let k = i; k < end; k += 1) if (events[k]![1].type === 'tableBody') return true;
  return false;
}
