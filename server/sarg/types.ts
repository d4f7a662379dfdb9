/**
 * The shapes that the steps of the method hand to each other, and the interfaces that the rooms around it
 * implement. This room knows no file system, no LSP and no model package.
 *
 * Offsets are UTF-16 code units, end exclusive, zero-based; lines and characters are zero-based as in LSP.
 */
import type { Direction, DirectionLabel, LinkType, Span } from '../../models/protocol.ts';

export type { Direction, DirectionLabel, LinkType, Span };

declare const brand: unique symbol;
type Brand<T, B> = T & { readonly [brand]: B };

export type PassageId = Brand<string, 'PassageId'>;
export type ConceptId = Brand<number, 'ConceptId'>;
export type LinkId = Brand<number, 'LinkId'>;

export interface Position {
  readonly line: number;
  readonly character: number;
}

/**
 * A stretch of a file as an editor shows it. For a notebook, `cell` names the cell (zero-based) and range and
 * offsets count inside that cell's joined source; elsewhere they count in the file's decoded text.
 * `quote` is exactly the text at `offsets` there.
 */
export interface Place {
  readonly file: string;
  readonly cell?: number;
  readonly range: { readonly start: Position; readonly end: Position };
  readonly offsets: Span;
  readonly quote: string;
}

/**
 * The piece of the source that a passage was read from, with the map from the passage's clean text to it.
 * `segments` is a flat list of quadruples (text start, text length, source start, source length) in UTF-16 units,
 * ascending in both. Equal lengths: the stretch stands in the source unit by unit; unequal: an atom, such as a decoded
 * entity, which maps only as a whole. Text between two segments (a joining space, a row's headers) has no source.
 * Source starts are relative to `text`, the exact source between `offset` and `offset + text.length` of the file
 * (of the cell, in a notebook); `position` is where that stretch starts there.
 */
export interface PassageSource {
  readonly cell?: number;
  readonly text: string;
  readonly offset: number;
  readonly position: Position;
  readonly segments: readonly number[];
}

/** Whole sentences of one document, about 100 to 200 words, under one heading; or one table row with its headers. */
export interface Passage {
  readonly id: PassageId;
  /** Path relative to the folder asked, with forward slashes. */
  readonly file: string;
  /** The document's title: first heading or file name. */
  readonly title: string;
  readonly headings: readonly string[];
  /** Clean text without mark-up: what models read and people see. */
  readonly text: string;
  /** Sentence spans in `text`, ascending, covering all words. */
  readonly sentences: readonly Span[];
  readonly source: PassageSource;
  /** Order of the passage within its document. */
  readonly ordinal: number;
}

/** A passage with its place in the ranking of one question. */
export interface RetrievedPassage {
  readonly passage: Passage;
  /** Fused score (reciprocal rank fusion), higher is better. */
  readonly score: number;
  /** Cosine of question and passage, -1 to 1. */
  readonly similarity: number;
  /** 0 for the first retrieval, 1 and up for rounds fetched for newly reached concepts. */
  readonly round: number;
}

/** A stretch of a passage that names a cause or an effect. */
export interface Mention {
  readonly text: string;
  readonly span: Span;
}

/** One <cause, relation, effect> found in a passage, word for word. Paper, section 3.2. */
export interface Triple {
  readonly passage: Passage;
  readonly cause: Mention;
  readonly relation: Mention | null;
  readonly effect: Mention;
  readonly type: LinkType;
  readonly negated: boolean;
  readonly hedged: boolean;
  /** 0 to 1. */
  readonly confidence: number;
  /** The whole sentences of the passage that carry the triple. */
  readonly evidence: Span;
  /** Name and version of what extracted it. */
  readonly extractor: string;
}

export type MergeReason =
  | { readonly kind: 'same-words' }
  | { readonly kind: 'same-stems' }
  | { readonly kind: 'word-order' }
  | { readonly kind: 'abbreviation'; readonly short: string; readonly long: string }
  | { readonly kind: 'similar'; readonly similarity: number };

/** A mention that was put into a concept, and why. */
export interface ConceptMention {
  readonly mention: Mention;
  readonly passage: Passage;
  readonly reason: MergeReason;
}

/** The same thing under one or more names. */
export interface Concept {
  readonly id: ConceptId;
  /** Its most telling mention's own words. */
  readonly name: string;
  readonly mentions: readonly ConceptMention[];
  /** Unit vector of the name(s). */
  readonly vector: Float32Array;
}

/** A directed edge: one triple between two concepts. */
export interface Link {
  readonly id: LinkId;
  readonly cause: ConceptId;
  readonly effect: ConceptId;
  readonly triple: Triple;
}

/** The directed multigraph of one question. Paper, section 3.3. */
export interface ReasoningGraph {
  readonly concepts: readonly Concept[];
  readonly links: readonly Link[];
  readonly outgoing: readonly (readonly LinkId[])[];
  readonly incoming: readonly (readonly LinkId[])[];
}

/** Embeds texts into unit vectors, one for each text in order. */
export interface Embedder {
  readonly dimensions: number;
  embed(
    texts: readonly string[],
    role: 'query' | 'passage' | 'concept',
    signal?: AbortSignal,
  ): Promise<Float32Array[]>;
}

/** A concept just reached, by whose words and vector further passages are looked up. */
export interface Phrase {
  readonly text: string;
  readonly vector: Float32Array;
}

/** Any source of passages: the method works after retrieval, whatever did it (paper, section 3.1). */
export interface Retriever {
  /** Best first, at most `limit`. */
  retrieve(query: string, limit: number, signal?: AbortSignal): Promise<RetrievedPassage[]>;
  /** Passages that mention the phrases, best first, without those in `exclude`. */
  mentioning(
    phrases: readonly Phrase[],
    limit: number,
    exclude: ReadonlySet<PassageId>,
    signal?: AbortSignal,
  ): Promise<RetrievedPassage[]>;
}

/** Gives the triples of passages, from cache or fresh. */
export interface TripleSource {
  triples(
    passages: readonly Passage[],
    signal?: AbortSignal,
  ): Promise<{
    readonly triples: Triple[];
    /** Of the triples, how many were read out of their passages just now; the others were known. */
    readonly extracted: number;
    /** Passages read just now, and passages that could not be read. */
    readonly passagesExtracted: number;
    readonly failed: number;
  }>;
}

/** Tells which way a question asks to walk. */
export interface Director {
  direct(queries: readonly string[], signal?: AbortSignal): Promise<Direction[]>;
}
