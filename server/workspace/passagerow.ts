/** Passages as rows of the index and back. */
import type { Span } from '../../models/protocol.ts';
import type { Passage, PassageId } from '../sarg/types.ts';

export interface PassageRow {
  readonly row: number;
  readonly textId: number;
  readonly key: string;
  readonly path: string;
  readonly title: string;
  readonly ordinal: number;
  readonly text: string;
  readonly headings: string;
  readonly sentences: Uint8Array;
  readonly cell: number | null;
  readonly source: string | null;
  readonly offset: number;
  readonly line: number;
  readonly character: number;
  readonly segments: Uint8Array;
}

export const SELECT_PASSAGE = `
  SELECT passages.id AS row, text_id AS textId, key, path, title, ordinal, text, headings, sentences, cell, source,
    source_offset AS "offset", line, character, segments
  FROM passages JOIN files ON files.id = passages.file`;

export function toPassage(row: PassageRow): Passage {
  return {
    id: row.key as PassageId,
    file: row.path,
    title: row.title,
    headings: JSON.parse(row.headings) as string[],
    text: row.text,
    sentences: unpackSpans(row.sentences),
    ordinal: row.ordinal,
    source: {
      ...(row.cell === null ? {} : { cell: row.cell }),
      text: row.source ?? row.text,
      offset: row.offset,
      position: { line: row.line, character: row.character },
      segments: unpackNumbers(row.segments),
    },
  };
}

/** Numbers as little-endian 32-bit integers. */
export function packNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(numbers).buffer);
}

export function packSpans(spans: readonly Span[]): Uint8Array {
  return packNumbers(spans.flatMap(({ start, end }) => [start, end]));
}

function unpackNumbers(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 4 }, (_, at) => view.getInt32(4 * at, true));
}

function unpackSpans(bytes: Uint8Array): Span[] {
  const numbers = unpackNumbers(bytes);
  return Array.from({ length: numbers.length / 2 }, (_, at) => ({
    start: numbers[2 * at]!,
    end: numbers[2 * at + 1]!,
  }));
}
