/** Builds clean text from a source, with the map back to it. */
import type { Block, DocumentPart } from '../types.ts';

/**
 * A run of white space or of what prints; signs that print nothing fall between. U+FEFF is one of them (files joined
 * with their marks hold it in the middle), though patterns count it as white space; U+0085 is a line's end.
 */
const PIECES =
  /[^\s\u0000-\u001f\u007f\u0085\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+|(?:(?!\ufeff)[\s\u0085])+/g;
const SPACE = /[\s\u0085]/;
/** Scripts that are written without spaces: a line break inside them is no space. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

type Gap = 'none' | 'space' | 'line';

/**
 * Collects the clean text of one {@link DocumentPart}, block after block, in the order of the source.
 *
 * White space is collapsed: a run of it becomes one space, which only stays in a segment if it is one plain space in
 * the source too. Control signs, soft hyphens, zero-width spaces and direction marks are dropped. A break of lines
 * between two signs of an unspaced script (Chinese, Japanese) is dropped as well.
 */
export class TextBuilder {
  readonly source: string;
  readonly #chunks: string[] = [];
  readonly #blocks: Block[] = [];
  readonly #segments: number[] = [];
  #length = 0;
  #last = '';
  #gap: Gap = 'none';
  /** Where the one plain space of the gap stands in the source, or -1. */
  #spaceAt = -1;
  #sourceEnd = 0;
  #label = '';
  #open: { kind: Block['kind']; level: number | undefined; start: number } | null = null;

  constructor(source: string) {
    this.source = source;
  }

  /** Ends the block before, and begins one at the first unit written after. */
  begin(kind: Block['kind'], level?: number): void {
    this.end();
    this.#open = { kind, level, start: -1 };
  }

  /** Ends the block; one in which nothing was written leaves no trace. */
  end(): void {
    const open = this.#open;
    this.#open = null;
    this.#label = '';
    this.#gap = 'none';
    this.#spaceAt = -1;
    if (open === null || open.start < 0) return;
    const span = { start: open.start, end: this.#length };
    this.#blocks.push(
      open.level === undefined ? { kind: open.kind, span } : { kind: open.kind, span, level: open.level },
    );
  }

  /** Whether the open block has text. */
  get written(): boolean {
    return this.#open !== null && this.#open.start >= 0;
  }

  /** Last unit of the open block, or the empty string. */
  get lastUnit(): string {
    return this.written ? this.#last.slice(-1) : '';
  }

  /** Where the last thing copied ends in the source. */
  get sourceEnd(): number {
    return this.#sourceEnd;
  }

  /** Appends source[start, end) with white space collapsed. Ranges must come in ascending order. */
  copy(start: number, end: number): void {
    if (start < this.#sourceEnd) start = this.#sourceEnd;
    if (start >= end) return;
    // On the slice, so that many short ranges of one long run cost no more than their own length.
    for (const match of this.source.slice(start, end).matchAll(PIECES)) {
      const piece = match[0];
      const from = start + match.index;
      if (SPACE.test(piece[0]!)) this.#space(piece, from);
      else {
        this.#beforeUnit(piece);
        this.#append(piece, from, from + piece.length);
      }
    }
    if (end > this.#sourceEnd) this.#sourceEnd = end;
  }

  /** Appends `text`, which source[start, end) stands for as a whole. */
  atom(text: string, start: number, end: number): void {
    if (start < this.#sourceEnd) return;
    if (text.trim() === '') {
      if (text !== '') this.space();
    } else if (text.length === end - start) {
      // Equal lengths promise equal units, so a sign that only looks otherwise is kept as the source has it.
      this.copy(start, end);
    } else {
      this.#beforeUnit(text);
      this.#begin();
      this.#segments.push(this.#length, text.length, start, end - start);
      this.#write(text);
    }
    if (end > this.#sourceEnd) this.#sourceEnd = end;
  }

  /** A space that stands for something else in the source; a run of them gives one. */
  space(): void {
    if (!this.written || this.#label !== '') return;
    if (this.#gap === 'none') this.#gap = 'space';
    this.#spaceAt = -1;
  }

  /** Takes back a space that nothing has followed yet. */
  dropSpace(): void {
    this.#gap = 'none';
    this.#spaceAt = -1;
  }

  /** A break of lines in the source: a space, save inside an unspaced script. */
  lineBreak(): void {
    if (!this.written || this.#label !== '') return;
    this.#gap = 'line';
    this.#spaceAt = -1;
  }

  /**
   * Begins the next cell of a row. Its header and the marks between cells have no place in the source, and are
   * written only if the cell holds something.
   */
  cell(header: string): void {
    this.#gap = 'none';
    this.#spaceAt = -1;
    const name = Array.from(header.matchAll(PIECES), (match) => match[0]).join('');
    this.#label = `${this.written ? '; ' : ''}${name === '' ? '' : `${name}: `}`;
  }

  /** Ends a row with a full stop, unless its last cell brought one. */
  endRow(): void {
    if (this.written && !/[.!?。！？;:]/.test(this.lastUnit)) this.#write('.');
    this.end();
  }

  /** The finished part. */
  part(cell?: number): DocumentPart {
    this.end();
    const part = {
      source: this.source,
      text: this.#chunks.join(''),
      blocks: this.#blocks,
      segments: this.#segments,
    };
    return cell === undefined ? part : { ...part, cell };
  }

  #space(piece: string, from: number): void {
    if (!this.written || this.#label !== '') return;
    const plain = piece === ' ' && this.#gap === 'none';
    this.#spaceAt = plain ? from : -1;
    if (piece.includes('\n') || piece.includes('\r')) this.#gap = 'line';
    else if (this.#gap === 'none') this.#gap = 'space';
  }

  #beforeUnit(next: string): void {
    if (this.#label !== '') {
      const label = this.#label;
      this.#label = '';
      this.#begin();
      this.#write(label);
    }
    if (this.#gap === 'none') return;
    const gap = this.#gap;
    this.#gap = 'none';
    if (gap === 'line' && UNSPACED.test(this.#last) && UNSPACED.test(firstSign(next))) return;
    if (this.#spaceAt >= 0) this.#append(' ', this.#spaceAt, this.#spaceAt + 1);
    else this.#write(' ');
    this.#spaceAt = -1;
  }

  #append(text: string, start: number, end: number): void {
    this.#begin();
    const s = this.#segments;
    const n = s.length;
    const joins =
      n > 0 &&
      s[n - 3] === s[n - 1] &&
      s[n - 4]! + s[n - 3]! === this.#length &&
      s[n - 2]! + s[n - 1]! === start;
    if (joins) {
      s[n - 3] = s[n - 3]! + text.length;
      s[n - 1] = s[n - 1]! + text.length;
    } else s.push(this.#length, text.length, start, end - start);
    this.#write(text);
  }

  #begin(): void {
    if (this.#open === null) this.begin('prose');
    const open = this.#open!;
    if (open.start >= 0) return;
    if (this.#length > 0) {
      this.#chunks.push('\n\n');
      this.#length += 2;
    }
    open.start = this.#length;
  }

  #write(text: string): void {
    this.#chunks.push(text);
    this.#length += text.length;
    this.#last = lastSign(text);
  }
}

function firstSign(text: string): string {
  return String.fromCodePoint(text.codePointAt(0)!);
}

function lastSign(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xdc00 && last <= 0xdfff && text.length > 1 ? text.slice(-2) : text.slice(-1);
}
