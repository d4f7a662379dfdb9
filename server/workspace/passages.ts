/** From a read document to passages: whole sentences under one heading, each with the map back to its source. */
import { hash } from 'node:crypto';
import type { Span } from '../../models/protocol.ts';
import type { Passage, PassageId, PassageSource, Position } from '../sarg/types.ts';
import { cutLong, splitSentences, weigh } from './sentences.ts';
import type { Block, DocumentPart, ReadDocument } from './types.ts';

/** Sizes in words; a Chinese character counts half a word. */
const SMALLEST = 100;
const LARGEST = 200;
/** What may be left over at the end of a section without being joined to the passage before. */
const SMALLEST_REST = 50;
/** A longer list is cut between its items. */
const LARGEST_LIST = 240;
/** A longer sentence is cut inside, into pieces of the usual size. */
const LONGEST_SENTENCE = 400;
const PIECE = 150;

/** A sentence on its way into a passage. */
interface Atom extends Span {
  /** Number of its block. */
  readonly block: number;
  readonly item: boolean;
  readonly weight: number;
  /** A passage may end after it. */
  cut: boolean;
  /** It is the last of its block: the better place to end. */
  blockEnd: boolean;
}

/**
 * Cuts a document into passages of about 100 to 200 words. None reaches over a heading, a table row or a notebook
 * cell; a list stays with the sentence that leads to it. Where a run of sentences is cut depends only on the sentences
 * around the cut, so that an edit changes the passages near it and no others.
 * @param file path relative to the folder, with forward slashes
 */
export function makePassages(document: ReadDocument, file: string): Passage[] {
  const passages: Passage[] = [];
  const headings: { level: number; text: string }[] = [];
  for (const part of document.parts) {
    const source = new SourceMap(part);
    const emit = (atoms: readonly Atom[]): void => {
      const built = build(part.text, atoms, source);
      if (built === null) return;
      passages.push({
        id: passageId(file, passages.length, built.text),
        file,
        title: document.title,
        headings: headings.map((heading) => heading.text),
        ordinal: passages.length,
        ...built,
      });
    };
    let run: Atom[] = [];
    const flush = (): void => {
      for (const atoms of pack(run, part.text)) emit(atoms);
      run = [];
    };
    part.blocks.forEach((block, number) => {
      if (block.kind === 'heading' || block.kind === 'row') flush();
      const atoms = atomsOf(part.text, block, number);
      if (block.kind === 'heading') {
        const level = block.level ?? 1;
        while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
        // A heading that is a sentence says something of its own.
        if (/[.!。！]$/.test(part.text.slice(block.span.start, block.span.end).trimEnd())) emit(atoms);
        headings.push({
          level,
          text: part.text.slice(block.span.start, block.span.end).replace(/\s+/g, ' ').trim(),
        });
      } else if (block.kind === 'row') {
        for (const row of pack(atoms, part.text, 2 * LARGEST)) emit(row);
      } else {
        if (block.kind === 'item') bindItem(run, atoms, part.text);
        run.push(...atoms);
      }
    });
    flush();
  }
  return passages;
}

/** Key of a text in the caches of vectors and triples: 128 bits of its SHA-256, in hexadecimal. */
export function textHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

function passageId(file: string, ordinal: number, text: string): PassageId {
  return hash('sha256', `${file}\0${ordinal}\0${text}`, 'hex').slice(0, 16) as PassageId;
}

function atomsOf(text: string, { span, kind }: Block, block: number): Atom[] {
  const atoms: Atom[] = [];
  const item = kind === 'item';
  for (const sentence of splitSentences(text, span.start, span.end))
    for (const { start, end } of cutLong(text, sentence, LONGEST_SENTENCE, PIECE))
      atoms.push({ start, end, block, item, weight: weigh(text, start, end), cut: true, blockEnd: false });
  const last = atoms.at(-1);
  if (last !== undefined) last.blockEnd = true;
  return atoms;
}

/** Keeps a list item whole and ties it to the item before it, or to the sentence that leads to the list. */
function bindItem(run: readonly Atom[], item: readonly Atom[], text: string): void {
  for (const atom of item) if (!atom.blockEnd) atom.cut = false;
  const before = run.at(-1);
  if (before === undefined || item.length === 0) return;
  const closed = /[.!?。！？…]["'”’)\]」』]*$/.test(
    text.slice(Math.max(before.start, before.end - 8), before.end),
  );
  if (before.item || !closed) before.cut = false;
}

/** Groups of atoms, one a passage. */
function pack(run: readonly Atom[], text: string, most = LARGEST): Atom[][] {
  loosenLongLists(run);
  const packed: Atom[][] = [];
  let rest = total(run, 0, run.length);
  for (let from = 0; from < run.length; ) {
    const to = rest <= most ? run.length : endOfPassage(run, from, rest, text);
    const atoms = run.slice(from, to);
    for (const atom of atoms) rest -= atom.weight;
    packed.push(atoms);
    from = to;
  }
  return packed;
}

/** A list too long for one passage may be cut after each item, and an item too long after each sentence. */
function loosenLongLists(run: readonly Atom[]): void {
  for (let from = 0; from < run.length; from++) {
    if (!run[from]!.item) continue;
    let to = from;
    while (to < run.length && run[to]!.item) to++;
    if (total(run, from, to) > LARGEST_LIST) {
      for (let start = from; start < to; ) {
        let end = start;
        while (!run[end]!.blockEnd) end++;
        const long = total(run, start, end + 1) > LARGEST;
        for (let at = start; at <= end; at++) if (long || at === end) run[at]!.cut = true;
        start = end + 1;
      }
    }
    from = to;
  }
}

function total(run: readonly Atom[], from: number, to: number): number {
  let weight = 0;
  for (let at = from; at < to; at++) weight += run[at]!.weight;
  return weight;
}

/**
 * Where the passage that starts at `from` ends. Among the sentence ends that give a good size, the one whose sentence
 * has the smallest hash is taken, ends of blocks first: the same sentences are then cut in the same place whatever
 * stands before them.
 */
function endOfPassage(run: readonly Atom[], from: number, rest: number, text: string): number {
  let weight = 0;
  let best = -1;
  let bestKey = Number.POSITIVE_INFINITY;
  let short = -1;
  for (let at = from; at < run.length; at++) {
    const atom = run[at]!;
    weight += atom.weight;
    if (weight > LARGEST && (best >= 0 || short >= 0)) break;
    if (!atom.cut || (rest - weight < SMALLEST_REST && at < run.length - 1)) continue;
    if (weight < SMALLEST) {
      short = at;
      continue;
    }
    const key = fingerprint(text, atom) + (atom.blockEnd ? 0 : 2 ** 32);
    if (key < bestKey) {
      bestKey = key;
      best = at;
    }
    if (weight > LARGEST) break;
  }
  if (best < 0) best = short < 0 ? run.length - 1 : short;
  return best + 1;
}

/** FNV-1a over a sentence's last 200 units. */
function fingerprint(text: string, span: Span): number {
  let value = 0x811c9dc5;
  for (let at = Math.max(span.start, span.end - 200); at < span.end; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** The passage's own text, sentences and source, or null if no word of it stands in the source. */
function build(
  text: string,
  atoms: readonly Atom[],
  source: SourceMap,
): { text: string; sentences: Span[]; source: PassageSource } | null {
  let clean = '';
  const sentences: Span[] = [];
  const segments: number[] = [];
  for (let from = 0; from < atoms.length; ) {
    let to = from + 1;
    while (to < atoms.length && atoms[to]!.block === atoms[from]!.block) to++;
    const stretch = { start: atoms[from]!.start, end: atoms[to - 1]!.end };
    if (clean !== '') clean += '\n';
    const shift = clean.length - stretch.start;
    clean += text.slice(stretch.start, stretch.end);
    for (; from < to; from++)
      sentences.push({ start: atoms[from]!.start + shift, end: atoms[from]!.end + shift });
    source.copySegments(stretch, shift, segments);
  }
  if (segments.length === 0 || !/[\p{L}\p{N}]/u.test(clean)) return null;
  return { text: clean, sentences, source: source.cut(segments) };
}

/** A part's source with its lines, to cut passages' sources from. */
class SourceMap {
  readonly #part: DocumentPart;
  readonly #lines: readonly number[];

  constructor(part: DocumentPart) {
    this.#part = part;
    this.#lines = lineStarts(part.source);
  }

  /** Appends the segments that touch `stretch`, cut to it, text starts moved by `shift`, source starts as they are. */
  copySegments(stretch: Span, shift: number, into: number[]): void {
    const all = this.#part.segments;
    for (let at = 4 * this.#firstEndingAfter(stretch.start); at < all.length; at += 4) {
      const textStart = all[at]!;
      const textLength = all[at + 1]!;
      if (textStart >= stretch.end) break;
      const start = Math.max(textStart, stretch.start);
      const end = Math.min(textStart + textLength, stretch.end);
      if (start >= end) continue;
      if (textLength === all[at + 3])
        into.push(start + shift, end - start, all[at + 2]! + start - textStart, end - start);
      else into.push(start + shift, end - start, all[at + 2]!, all[at + 3]!);
    }
  }

  /** The source from the first of `segments` to the end of the last; makes their source starts relative to it. */
  cut(segments: number[]): PassageSource {
    const { source, cell } = this.#part;
    const offset = segments[2]!;
    const end = segments.at(-2)! + segments.at(-1)!;
    for (let at = 2; at < segments.length; at += 4) segments[at]! -= offset;
    const line = lineAt(this.#lines, offset);
    return {
      ...(cell === undefined ? {} : { cell }),
      text: source.slice(offset, end),
      offset,
      position: { line, character: offset - this.#lines[line]! } satisfies Position,
      segments,
    };
  }

  #firstEndingAfter(offset: number): number {
    const all = this.#part.segments;
    let low = 0;
    let high = all.length / 4;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[4 * middle]! + all[4 * middle + 1]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Offsets at which lines start, as LSP counts lines: after \n, \r\n or a lone \r. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}

/** The line that holds an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
