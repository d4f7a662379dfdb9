/** Writes the prose of a TeX source to a builder. */
import type { Block } from '../types.ts';
import { TextBuilder } from './builder.ts';
import { SYMBOLS, writeMath } from './math.ts';
import {
  ACCENTS,
  LEADING_SILENT,
  LETTERS,
  LISTS,
  PARAGRAPH_COMMANDS,
  REFERENCES,
  SECTIONS,
  SILENT_COMMANDS,
  SPACE_COMMANDS,
  TABLES,
} from './tex-commands.ts';
import { tableRows } from './tex-table.ts';
import type { TexToken } from './tex-tokens.ts';

const ACCENT_ARGUMENT = /(?:\s*\{\s*(\\[ij]|\p{L})\s*\}|\s*(\\[ij](?![a-zA-Z])|\p{L}))/uy;
/** Silent environments that part paragraphs; a displayed formula stands in the middle of one. */
const BREAKING = /^(?:verbatim|Verbatim|lstlisting|minted|thebibliography|algorithm|filecontents)/;
const CLOSING_SIGN = /^[.,;:!?)\]]/;
/** Definitions whose name and body both are no text. */
const DEFINITIONS = new Set(['def', 'gdef', 'edef', 'let']);

/** One pass over tokens, iterative, so that no depth of braces is too much. */
export class TexWalk {
  readonly #out: TextBuilder;
  readonly #source: string;
  readonly #tokens: readonly TexToken[];
  /** What the document's own commands without arguments print. */
  readonly #own: ReadonlyMap<string, string>;
  /** By index of a closing brace: where to go on, and whether a block ends there. */
  readonly #closing = new Map<number, { readonly next: number; readonly endsBlock: boolean }>();
  /** In a heading, a caption or a cell: blocks are not begun anew. */
  #inline: boolean;
  #open: boolean;
  /** Index of the token that ends a heading whose brace is never closed, or -1. */
  #lineEnd = -1;
  #lists = 0;
  readonly #sectionBase: number;
  /** Footnotes that would have broken a sentence. */
  notesLeftOut = 0;

  constructor(
    out: TextBuilder,
    tokens: readonly TexToken[],
    own: ReadonlyMap<string, string>,
    options: { readonly inline?: boolean; readonly sectionBase?: number } = {},
  ) {
    this.#out = out;
    this.#source = out.source;
    this.#tokens = tokens;
    this.#own = own;
    this.#inline = options.inline ?? false;
    this.#open = this.#inline;
    this.#sectionBase = options.sectionBase ?? 0;
  }

  /** Writes tokens [from, to). */
  run(from: number, to: number): void {
    for (let i = from; i < to; ) i = this.#step(i, to);
    if (!this.#inline) this.#endBlock();
  }

  #step(i: number, to: number): number {
    const token = this.#tokens[i]!;
    const { start, end } = token;
    if (this.#lineEnd >= 0 && i >= this.#lineEnd) {
      this.#lineEnd = -1;
      this.#endBlock();
    }
    switch (token.kind) {
      case 'text':
      case 'bracket':
        this.#ensureOpen();
        this.#out.copy(start, end);
        return i + 1;
      case 'quote':
        this.#ensureOpen();
        this.#out.atom(this.#source[start] === '`' ? '“' : '”', start, end);
        return i + 1;
      case 'dash':
        this.#ensureOpen();
        this.#out.atom(end - start === 2 ? '–' : '—', start, end);
        return i + 1;
      case 'space':
        this.#out.copy(start, end);
        return i + 1;
      case 'tie':
      case 'cell':
        this.#out.space();
        return i + 1;
      case 'nothing':
        // A comment joins what it parts; a formula doesn't.
        if (BREAKING.test(token.name)) this.#endParagraph();
        else if (this.#source[start] !== '%') this.#out.space();
        return i + 1;
      case 'paragraph':
        this.#endParagraph();
        return i + 1;
      case 'math':
        this.#math(token);
        return i + 1;
      case 'verbatim':
        this.#ensureOpen();
        this.#out.copy(start + token.name.length + 2, end - 1);
        return i + 1;
      case 'open':
        return i + 1;
      case 'close':
        return this.#close(i);
      case 'begin':
        return this.#begin(i, to);
      case 'end':
        if (LISTS.has(token.name)) this.#lists = Math.max(0, this.#lists - 1);
        this.#endParagraph();
        return i + 1;
      case 'command':
        return this.#command(i, to);
    }
  }

  #command(i: number, to: number): number {
    const { name, start, end } = this.#tokens[i]!;
    const own = this.#own.get(name);
    if (own !== undefined) {
      this.#ensureOpen();
      const next = this.#emptyGroup(i + 1);
      this.#out.atom(own, start, this.#tokens[next - 1]!.end);
      return next;
    }
    const section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name]! : 0;
    if (section > 0 && !this.#inline)
      return this.#block(i, 'heading', Math.max(1, section - this.#sectionBase));
    if ((name === 'caption' || name === 'captionof') && !this.#inline) return this.#block(i, 'caption');
    if (name === 'item') return this.#item(i);
    if (name === 'footnote') return this.#footnote(i);
    if (name === 'texorpdfstring') return this.#firstOfTwo(i);
    if (DEFINITIONS.has(name)) return this.#definition(i, to);
    if (SILENT_COMMANDS.has(name)) return this.#silent(i, name);
    if (PARAGRAPH_COMMANDS.has(name)) {
      this.#endParagraph();
      return i + 1;
    }
    const accented = this.#accent(name, end);
    if (accented !== undefined) {
      this.#ensureOpen();
      this.#out.atom(accented.text, start, accented.end);
      let next = i + 1;
      while (next < to && this.#tokens[next]!.end <= accented.end) next += 1;
      // The letter may be the first of a longer run of text.
      if (next < to && this.#tokens[next]!.start < accented.end) {
        this.#out.copy(accented.end, this.#tokens[next]!.end);
        next += 1;
      }
      return next;
    }
    const letter = LETTERS.get(name) ?? SYMBOLS.get(name);
    if (letter !== undefined && name.length > 1 ? true : LETTERS.has(name)) {
      this.#ensureOpen();
      const next = this.#emptyGroup(i + 1);
      this.#out.atom(letter!, start, this.#tokens[next - 1]!.end);
      return this.#tokens[next]?.kind === 'space' && /^\p{Ll}$/u.test(letter!) ? next + 1 : next;
    }
    if (/^[%&$#_{}]$/.test(name)) {
      this.#ensureOpen();
      this.#out.copy(start + 1, end);
      return i + 1;
    }
    if (SPACE_COMMANDS.has(name) || /^\s/.test(name)) {
      this.#out.space();
      return name === '\\' ? this.#afterOptions(i + 1) : i + 1;
    }
    return this.#unknown(i, name);
  }

  /** A command that only dresses its last argument, or one of the document's own. */
  #unknown(i: number, name: string): number {
    if (!/^[a-zA-Z]/.test(name)) return i + 1;
    let next = this.#afterOptions(i + 1);
    const known = Object.hasOwn(LEADING_SILENT, name) ? LEADING_SILENT[name]! : undefined;
    const groups = this.#groups(next, known !== undefined);
    const skip = known ?? Math.max(0, groups.length - 1);
    if (skip > 0 && groups.length > 0) next = groups[Math.min(skip, groups.length) - 1]!.after;
    if (known === 0 && groups.length > 1)
      this.#closing.set(groups[0]!.close, { next: groups[1]!.open, endsBlock: false });
    return next;
  }

  #silent(i: number, name: string): number {
    // "\cmidrule(lr){2-3}"
    const trimmed = name === 'cmidrule' && this.#tokens[i + 1]?.kind === 'text' ? i + 2 : i + 1;
    // The parts of a definition may stand on lines of their own; after "\cite{x}" a space ends the command.
    const defines = /^(?:re)?new|^provide|^Declare/.test(name);
    let next = trimmed;
    for (let parts = 0; parts < 8; parts += 1) {
      const from = this.#afterOptions(next);
      const group = this.#groups(from, defines || parts === 0)[0];
      next = group?.after ?? from;
      if (group === undefined) break;
    }
    if (
      REFERENCES.has(name) &&
      CLOSING_SIGN.test(
        this.#source.slice(this.#tokens[next]?.start ?? 0, (this.#tokens[next]?.start ?? 0) + 1),
      )
    ) {
      this.#out.dropSpace();
    }
    return next;
  }

  /** A heading or a caption, as long as its argument. */
  #block(i: number, kind: Block['kind'], level?: number): number {
    const first =
      this.#tokens[i]!.name === 'captionof' ? (this.#groups(i + 1, true)[0]?.after ?? i + 1) : i + 1;
    const next = this.#afterOptions(this.#skipSpace(first));
    const open = this.#skipSpace(next);
    const token = this.#tokens[open];
    if (token?.kind !== 'open') return next;
    this.#endBlock();
    this.#out.begin(kind, level);
    this.#open = true;
    if (token.match >= 0) this.#closing.set(token.match, { next: token.match + 1, endsBlock: true });
    else if (this.#lineEnd < 0) this.#lineEnd = this.#endOfLine(open);
    return open + 1;
  }

  #item(i: number): number {
    if (!this.#inline) {
      this.#endBlock();
      this.#out.begin('item');
      this.#open = true;
    }
    const bracket = this.#skipSpace(i + 1);
    const close = this.#closingBracket(bracket);
    if (close < 0) return i + 1;
    // The label is text: it is what the item is about.
    for (let k = bracket + 1; k < close; ) k = this.#step(k, close);
    this.#out.space();
    return close + 1;
  }

  /** A footnote after a sentence goes on as a sentence; one within it would break it, and is left out. */
  #footnote(i: number): number {
    const group = this.#groups(this.#afterOptions(i + 1), true)[0];
    if (group === undefined) return i + 1;
    if (/[.!?。！？:;]/.test(this.#out.lastUnit)) {
      this.#out.space();
      return group.open + 1;
    }
    this.notesLeftOut += 1;
    return group.after;
  }

  #firstOfTwo(i: number): number {
    const groups = this.#groups(i + 1, true);
    if (groups.length < 2) return i + 1;
    this.#closing.set(groups[0]!.close, { next: groups[1]!.after, endsBlock: false });
    return groups[0]!.open + 1;
  }

  #definition(i: number, to: number): number {
    if (this.#tokens[i]!.name === 'let') return i + 1;
    for (let k = i + 1; k < Math.min(to, i + 20); k += 1) {
      const token = this.#tokens[k]!;
      if (token.kind === 'open') return token.match >= 0 ? token.match + 1 : k + 1;
      if (token.kind === 'paragraph') break;
    }
    return i + 1;
  }

  #accent(name: string, end: number): { text: string; end: number } | undefined {
    if (!Object.hasOwn(ACCENTS, name)) return undefined;
    ACCENT_ARGUMENT.lastIndex = end;
    const match = ACCENT_ARGUMENT.exec(this.#source);
    if (match === null) return undefined;
    // "\c c" is an accent, "\cx" is another command; "\b x" within words would be a guess.
    if (/^[a-zA-Z]$/.test(name) && /^[a-zA-Z]/.test(match[0])) return undefined;
    const letter = (match[1] ?? match[2])!.replace('\\', '');
    return { text: `${letter}${ACCENTS[name]}`.normalize('NFC'), end: end + match[0].length };
  }

  #math({ start, end }: TexToken): void {
    this.#ensureOpen();
    const delimiter = this.#source[start] === '$' ? 1 : 2;
    // An index set on a word of the text belongs to the word: CO$_2$.
    const index = this.#source.startsWith('_', start + delimiter) ? 1 : 0;
    writeMath(this.#out, start + delimiter + index, end - delimiter);
  }

  #begin(i: number, to: number): number {
    const { name, match } = this.#tokens[i]!;
    this.#endParagraph();
    let next = this.#afterOptions(i + 1);
    if (LISTS.has(name)) {
      this.#lists += 1;
      return next;
    }
    const isTable = Object.hasOwn(TABLES, name);
    const groups = this.#groups(next, isTable);
    if (!isTable) return groups.length > 0 && !this.#inline ? groups.at(-1)!.after : next;
    next = this.#afterOptions(groups[Math.min(TABLES[name]!, groups.length) - 1]?.after ?? next);
    if (match < 0 || match > to || this.#inline) return next;
    this.#table(next, match);
    return match + 1;
  }

  #table(from: number, to: number): void {
    const { rows, caption, headers } = tableRows(this.#tokens, this.#source, from, to);
    if (caption >= 0) {
      const group = this.#groups(this.#afterOptions(caption + 1), true)[0];
      if (group !== undefined) {
        this.#out.begin('caption');
        this.#cell(this.#out, group.open + 1, group.close);
        this.#out.end();
      }
    }
    const names: string[] = [];
    for (const row of rows.slice(0, headers)) {
      for (const [column, cell] of row.entries()) {
        const builder = new TextBuilder(this.#source);
        this.#cell(builder, cell.from, cell.to);
        names[column] = `${names[column] ?? ''} ${builder.part().text}`.trim();
      }
    }
    for (const row of rows.slice(headers)) {
      this.#out.begin('row');
      for (const [column, cell] of row.entries()) {
        this.#out.cell(names[column] ?? '');
        this.#cell(this.#out, cell.from, cell.to);
      }
      this.#out.endRow();
    }
  }

  #cell(out: TextBuilder, from: number, to: number): void {
    new TexWalk(out, this.#tokens, this.#own, { inline: true }).run(from, to);
  }

  #close(i: number): number {
    const closing = this.#closing.get(i);
    if (closing === undefined) return i + 1;
    if (closing.endsBlock) this.#endBlock();
    else this.#out.space();
    return closing.next;
  }

  #ensureOpen(): void {
    if (this.#open) return;
    this.#out.begin(this.#lists > 0 ? 'item' : 'prose');
    this.#open = true;
  }

  #endParagraph(): void {
    if (this.#inline) this.#out.space();
    else this.#endBlock();
  }

  #endBlock(): void {
    this.#out.end();
    this.#open = false;
  }

  /** Index of the next token that holds a line's end, or past the last. */
  #endOfLine(i: number): number {
    let next = i;
    while (next < this.#tokens.length) {
      const { kind, start, end } = this.#tokens[next]!;
      if (kind === 'paragraph' || (kind === 'space' && this.#source.slice(start, end).includes('\n'))) break;
      next += 1;
    }
    return next;
  }

  #skipSpace(i: number): number {
    let next = i;
    while (
      this.#tokens[next]?.kind === 'space' ||
      (this.#tokens[next]?.kind === 'nothing' && this.#source[this.#tokens[next]!.start] === '%')
    ) {
      next += 1;
    }
    return next;
  }

  /** Past "[...]" groups that stand at `i`. */
  #afterOptions(i: number): number {
    let next = i;
    for (let close = this.#closingBracket(next); close >= 0; close = this.#closingBracket(next))
      next = close + 1;
    return next;
  }

  #closingBracket(i: number): number {
    const token = this.#tokens[i];
    if (token?.kind !== 'bracket' || this.#source[token.start] !== '[') return -1;
    let depth = 0;
    for (let k = i; k < Math.min(this.#tokens.length, i + 400); k += 1) {
      const { kind, start, match } = this.#tokens[k]!;
      if (kind === 'paragraph' || kind === 'close') return -1;
      if (kind === 'open' && match > k) k = match;
      else if (kind === 'bracket') {
        depth += this.#source[start] === '[' ? 1 : -1;
        if (depth === 0) return k;
      }
    }
    return -1;
  }

  /** The brace groups that follow directly, or after white space if `loose`. */
  #groups(i: number, loose: boolean): { open: number; close: number; after: number }[] {
    const groups: { open: number; close: number; after: number }[] = [];
    let next = i;
    while (groups.length < 8) {
      const open = loose ? this.#skipSpace(next) : next;
      const token = this.#tokens[open];
      if (token?.kind !== 'open' || token.match < 0) break;
      groups.push({ open, close: token.match, after: token.match + 1 });
      next = token.match + 1;
    }
    return groups;
  }

  /** Past "{}" that only ends a command's name. */
  #emptyGroup(i: number): number {
    return this.#tokens[i]?.kind === 'open' && this.#tokens[i]!.match === i + 1 ? i + 2 : i;
  }
}
