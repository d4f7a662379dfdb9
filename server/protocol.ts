/**
 * What the server answers with: the shapes that the command line prints as JSON and that the client and the webview
 * show. Imports nothing but types.
 */
import type { DirectionLabel, LinkType } from '../models/protocol.ts';
import type { Place } from './sarg/types.ts';

export type { DirectionLabel, LinkType, Place };

/** One end of a link: clean words, their place in the file, and the concept they belong to. */
export interface MentionView {
  readonly text: string;
  readonly concept: number;
  readonly place: Place;
}

/** The words that make a link checkable. `quote` is the exact text of the file at the place. */
export interface EvidenceView extends Place {
  /** The same sentences without mark-up. */
  readonly text: string;
  /** Headings above the passage, outermost first. */
  readonly headings: readonly string[];
  /** The passage the evidence was read in. */
  readonly passage: string;
}

export interface LinkView {
  readonly id: number;
  readonly cause: MentionView;
  readonly relation: { readonly text: string; readonly place: Place | null };
  readonly effect: MentionView;
  readonly type: LinkType;
  readonly negated: boolean;
  readonly hedged: boolean;
  readonly confidence: number;
  readonly evidence: EvidenceView;
  readonly extractor: string;
}

/** How a hop joins the one before it. */
export type JoinView =
  | { readonly kind: 'same'; readonly concept: number }
  | { readonly kind: 'taken-as-same'; readonly from: string; readonly to: string; readonly similarity: number; readonly price: number };

export interface HopView extends LinkView {
  /** Number by which the answer's sentences cite it, from 1 over all chains. */
  readonly number: number;
  /** Null for a chain's first hop. */
  readonly join: JoinView | null;
  /** Other links that state the same step elsewhere. */
  readonly also: readonly LinkView[];
  /** Why the link was chosen: log-odds that it belongs to the answer, and the signs that make them up; null for the paper's method. */
  readonly why: { readonly logOdds: number; readonly parts: Readonly<Record<string, number>> } | null;
}

export interface ChainView {
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  /** Cause first, whichever way it was walked. */
  readonly hops: readonly HopView[];
  /** The parts of the score, by name. */
  readonly parts: Readonly<Record<string, number>>;
}

export interface ConceptView {
  readonly id: number;
  readonly name: string;
  /** Every wording with its place and the reason it was put here. */
  readonly mentions: readonly { readonly text: string; readonly place: Place; readonly reason: string }[];
}

export interface RetrievedView {
  readonly file: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly place: Place;
  readonly score: number;
  readonly round: number;
}

export interface AnswerSentence {
  readonly text: string;
  /** Numbers of the hops it rests on. */
  readonly cites: readonly number[];
}

export interface AnswerTextView {
  /** composed: put together from chains and quotes; generated: a language model's; none: the documents do not say. */
  readonly kind: 'composed' | 'generated' | 'none';
  readonly text: string;
  readonly sentences: readonly AnswerSentence[];
  /** Probability that the chains answer the question, 0 to 1. */
  readonly confidence: number;
}

/** Everything about one asked question. */
export interface AnswerView {
  readonly question: string;
  readonly method: 'causeway' | 'paper';
  readonly direction: {
    readonly label: DirectionLabel;
    readonly scores: Readonly<Record<DirectionLabel, number>>;
    /** classifier; person, when set by hand; unsure, when the classifier's confidence was too low and both ways were walked. */
    readonly by: 'classifier' | 'person' | 'unsure';
  };
  readonly retrieved: readonly RetrievedView[];
  readonly concepts: readonly ConceptView[];
  readonly links: readonly LinkView[];
  readonly starts: readonly { readonly concept: number; readonly phrase: string; readonly similarity: number }[];
  readonly chains: readonly ChainView[];
  /** The evidence part of the prompt (equation 6): chains first, then the passages behind and around them. */
  readonly context: string;
  readonly answer: AnswerTextView;
  /** Milliseconds a step. */
  readonly timings: Readonly<Record<string, number>>;
  readonly counts: {
    readonly passagesRead: number;
    readonly triplesExtracted: number;
    readonly triplesFromCache: number;
    readonly passagesFailed: number;
    readonly concepts: number;
    readonly links: number;
    readonly expansions: number;
    readonly rounds: number;
  };
  readonly models: Readonly<Record<'embedder' | 'direction' | 'extractor', { readonly name: string; readonly version: string }>>;
}
