/** Shapes shared by the readers, the passage maker and the index. */
import type { Span } from '../../models/protocol.ts';

/**
 * A stretch of the extracted text with its source. Kinds decide where passages may be cut: a heading or a row never
 * shares a passage with what is around it.
 */
export interface Block {
  readonly kind: 'heading' | 'prose' | 'item' | 'row' | 'caption';
  /** In the extracted text. */
  readonly span: Span;
  /** Heading level from 1, for kind heading. */
  readonly level?: number;
}

/**
 * One stretch of source text as an editor shows it, with the clean text read from it. Most files have one part; a
 * notebook has one for each cell that holds prose.
 */
export interface DocumentPart {
  /** Zero-based cell number in a notebook. */
  readonly cell?: number;
  /** The decoded source: what the editor shows (for a cell, its joined source). */
  readonly source: string;
  /** Clean text without mark-up; blocks are separated by "\n\n". */
  readonly text: string;
  readonly blocks: readonly Block[];
  /**
   * Flat quadruples (text start, text length, source start, source length), ascending and non-overlapping in both.
   * Equal lengths: the stretch stands in `source` unit by unit. Unequal lengths: an atom (a decoded entity, a TeX
   * command that prints one sign), which maps only as a whole. Every non-space unit of `text` lies in a segment, save
   * the headers put before a table row.
   */
  readonly segments: readonly number[];
}

/** What a reader returns for one file. */
export interface ReadDocument {
  readonly title: string;
  readonly parts: readonly DocumentPart[];
  /** What was left out or looked odd, in words a person understands. */
  readonly notes: readonly string[];
}

/** Reads the decoded text of one format. Throws {@link UnreadableError} with a reason a person understands. */
export interface Reader {
  readonly name: string;
  readonly extensions: readonly string[];
  read(text: string, file: string): ReadDocument;
}

/** A file that could not be read, with the reason. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly file: string;
  constructor(file: string, reason: string) {
    super(reason);
    this.file = file;
  }
}
