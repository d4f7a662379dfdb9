/** HTML: the text of the main content, block by block, tables row by row. */
import { decodeHTML } from 'entities';
import type { Block, ReadDocument, Reader } from '../types.ts';
import { TextBuilder } from './builder.ts';
import { readTable } from './html-table.ts';
import { type HtmlElement, type HtmlText, isText, parseHtml } from './html-tree.ts';
import { titleFromHeadings, titleFromName } from './title.ts';

const OUT = words(
  'script style noscript template svg math pre textarea select option button iframe object audio video canvas head ' +
    'del s strike xmp noembed noframes',
);
const CHROME = words('nav header footer aside');
const BLOCKS = words(
  `address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3
   h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul`,
);
const KINDS: Readonly<Record<string, Block['kind']>> = {
  li: 'item',
  dt: 'item',
  dd: 'item',
  figcaption: 'caption',
  caption: 'caption',
};

/** Reads HTML. */
export const htmlReader: Reader = {
  name: 'HTML',
  extensions: ['.html', '.htm', '.xhtml'],
  read(text: string, file: string): ReadDocument {
    const root = parseHtml(text);
    const out = new TextBuilder(text);
    const walk = new HtmlWalk(out);
    const { content, chrome } = mainContent(root, text);
    walk.write(content, chrome);
    const part = out.part();
    const title = titleOf(root, text) ?? titleFromHeadings(part) ?? titleFromName(file);
    return part.text === '' ? { title, parts: [], notes: ['no text'] } : { title, parts: [part], notes: [] };
  },
};

/**
 * Writes the text of an HTML fragment whose lines stand at these places of the builder's source, each with its line
 * break. What stands between them (marks of a quote around the fragment) is no part of it.
 */
export function writeFragment(out: TextBuilder, lines: readonly HtmlText[]): void {
  const offset = lines[0]?.start ?? 0;
  let html = '';
  for (const { start, end } of lines) html = html.padEnd(start - offset) + out.source.slice(start, end);
  const root = parseHtml(html, offset);
  splitTexts(root, lines, 0);
  new HtmlWalk(out).write(root, new Set());
}

/** Cuts texts to what stands in the lines; `at` is the line that the first text begins in. Gives the last one's. */
function splitTexts(element: HtmlElement, lines: readonly HtmlText[], at: number): number {
  let line = at;
  const children: typeof element.children = [];
  for (const child of element.children) {
    if (!isText(child)) {
      line = splitTexts(child, lines, line);
      children.push(child);
      continue;
    }
    while (line < lines.length - 1 && lines[line]!.end <= child.start) line += 1;
    for (let k = line; k < lines.length && lines[k]!.start < child.end; k += 1) {
      const start = Math.max(child.start, lines[k]!.start);
      const end = Math.min(child.end, lines[k]!.end);
      if (end > start) children.push({ start, end });
    }
  }
  element.children = children;
  return line;
}

/** Writes elements to a builder. */
export class HtmlWalk {
  readonly #out: TextBuilder;
  #chrome: ReadonlySet<HtmlElement> = new Set();
  #kind: Block['kind'] = 'prose';
  #level: number | undefined;
  #open = false;

  constructor(out: TextBuilder) {
    this.#out = out;
  }

  /** Writes what stands below `root`, save the elements in `leaveOut`. */
  write(root: HtmlElement, leaveOut: ReadonlySet<HtmlElement>): void {
    this.#chrome = leaveOut;
    this.#children(root);
    this.#endBlock();
  }

  /** Writes the text of a cell, in which blocks are only separated by a space. */
  static inline(out: TextBuilder, element: HtmlElement): void {
    for (const child of element.children) {
      if (isText(child)) writeText(out, child);
      else if (child.tag === 'br') out.space();
      else if (!leftOut(child)) {
        if (BLOCKS.has(child.tag)) out.space();
        HtmlWalk.inline(out, child);
        if (BLOCKS.has(child.tag)) out.space();
      }
    }
  }

  #children(element: HtmlElement): void {
    for (const child of element.children) {
      if (isText(child)) {
        if (!this.#open) {
          this.#out.begin(this.#kind, this.#level);
          this.#open = true;
        }
        writeText(this.#out, child);
      } else this.#element(child);
    }
  }

  #element(element: HtmlElement): void {
    const { tag } = element;
    if (tag === 'br') this.#out.space();
    if (leftOut(element) || this.#chrome.has(element)) {
      if (BLOCKS.has(tag)) this.#endBlock();
      return;
    }
    if (!BLOCKS.has(tag)) {
      this.#children(element);
      return;
    }
    this.#endBlock();
    if (tag === 'table' && readTable(this.#out, element, HtmlWalk.inline)) return;
    const kind = this.#kind;
    const level = this.#level;
    const heading = /^h([1-6])$/.exec(tag);
    if (heading !== null) {
      this.#kind = 'heading';
      this.#level = Number(heading[1]);
    } else if (Object.hasOwn(KINDS, tag)) {
      this.#kind = KINDS[tag]!;
      this.#level = undefined;
    }
    this.#children(element);
    this.#endBlock();
    this.#kind = kind;
    this.#level = level;
  }

  #endBlock(): void {
    this.#out.end();
    this.#open = false;
  }
}

function leftOut(element: HtmlElement): boolean {
  return OUT.has(element.tag) || isHidden(element) || isNoteMark(element);
}

function isHidden({ attributes }: HtmlElement): boolean {
  return attributes.has('hidden') || /display\s*:\s*none/i.test(attributes.get('style')?.slice(0, 500) ?? '');
}

/** A raised link within the page is the mark of a footnote. */
function isNoteMark({ tag, children }: HtmlElement): boolean {
  const only = tag === 'sup' && children.length === 1 ? children[0]! : undefined;
  return (
    only !== undefined &&
    !isText(only) &&
    only.tag === 'a' &&
    only.attributes.get('href')?.startsWith('#') === true
  );
}

// With the empty end tag, which browsers drop without a token.
const ENTITY = /&(?:#[xX]?[0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?|<\/>/g;

function writeText(out: TextBuilder, { start, end }: HtmlText): void {
  const raw = out.source.slice(start, end);
  let at = 0;
  for (const match of raw.matchAll(ENTITY)) {
    const decoded = match[0] === '</>' ? '' : decodeHTML(match[0]);
    if (decoded === match[0]) continue;
    // "&copy2024" decodes its head only.
    let tail = 0;
    while (tail < decoded.length - 1 && decoded.at(-1 - tail) === match[0].at(-1 - tail)) tail += 1;
    const length = match[0].length - tail;
    out.copy(start + at, start + match.index);
    out.atom(decoded.slice(0, decoded.length - tail), start + match.index, start + match.index + length);
    at = match.index + length;
  }
  out.copy(start + at, end);
}

/** The element to read, and what in it is furniture of the page. */
function mainContent(
  root: HtmlElement,
  source: string,
): { content: HtmlElement; chrome: ReadonlySet<HtmlElement> } {
  const chrome = new Set<HtmlElement>();
  let main: HtmlElement | undefined;
  const visit = (element: HtmlElement, inArticle: boolean) => {
    for (const child of element.children) {
      if (isText(child) || OUT.has(child.tag)) continue;
      const isMain = child.tag === 'main' || child.attributes.get('role') === 'main';
      if (isMain) main ??= child;
      const keepsTitle = child.tag === 'header' && (inArticle || find(child, 'h1') !== undefined);
      const note = inArticle && child.tag === 'footer';
      if (CHROME.has(child.tag) && !keepsTitle && !note) chrome.add(child);
      else visit(child, inArticle || isMain || child.tag === 'article');
    }
  };
  visit(root, false);
  const all = wordUnits(root, source, new Set());
  const kept = wordUnits(root, source, chrome);
  // A page that is all furniture is a page built another way.
  if (kept === 0 || kept * 5 < all) return { content: root, chrome: new Set() };
  if (main !== undefined && wordUnits(main, source, chrome) * 2 >= kept) return { content: main, chrome };
  return { content: root, chrome };
}

function wordUnits(element: HtmlElement, source: string, without: ReadonlySet<HtmlElement>): number {
  let units = 0;
  for (const child of element.children) {
    if (isText(child)) units += source.slice(child.start, child.end).trim().length;
    else if (!OUT.has(child.tag) && !without.has(child)) units += wordUnits(child, source, without);
  }
  return units;
}

function titleOf(root: HtmlElement, source: string): string | undefined {
  const title = find(root, 'title');
  const raw = (title?.children ?? [])
    .map((child) => (isText(child) ? source.slice(child.start, child.end) : ''))
    .join('');
  const text = decodeHTML(raw).replace(/\s+/g, ' ').trim();
  return text === '' ? undefined : text;
}

function find(element: HtmlElement, tag: string): HtmlElement | undefined {
  for (const child of element.children) {
    if (isText(child) || child.tag === 'svg') continue;
    const found = child.tag === tag ? child : find(child, tag);
    if (found !== undefined) return found;
  }
  return undefined;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
