/** The numbers of the method. The paper's values are the defaults wherever it gives one. */
import type { DirectionLabel } from './types.ts';

export type Method = 'causeway' | 'paper';

export interface AskOptions {
  /** causeway: this project's scoring and selection; paper: the plain recipe of the paper. */
  readonly method: Method;
  /** Passages of the first retrieval. Paper, section 4.1: 10 to 50; 20 documents in its own corpora. */
  readonly passages: number;
  /** Passages that later rounds may add, all rounds together; 0 switches them off. */
  readonly morePassages: number;
  /** Rounds that fetch passages for newly reached concepts. */
  readonly rounds: number;
  readonly direction: DirectionLabel | 'auto';
  /** Below this probability of the best label both ways are walked. */
  readonly directionConfidence: number;
  /** Key phrases taken from the question (KeyBERT). */
  readonly keyPhrases: number;
  /** Maximal marginal relevance between key phrases, 0 to 1. */
  readonly phraseDiversity: number;
  /** Equation 3's threshold, a cosine. The paper does not print its value. */
  readonly threshold: number;
  /** Starts at most. */
  readonly starts: number;
  /** Beam width. Paper, appendix E.4: 3. */
  readonly beam: number;
  readonly maxHops: number;
  /** Chains kept. Paper, appendix E.4: 3. */
  readonly top: number;
  /** Walk links that the text states only as possible. */
  readonly hedged: boolean;
  /** Cosine from which two names are one concept. */
  readonly mergeAbove: number;
  /** False leaves every wording a concept of its own. */
  readonly resolve: boolean;
  /** Lets a chain go on at a concept near in meaning, at a price. */
  readonly joins: boolean;
  /** Triples of lower confidence are left out. */
  readonly minConfidence: number;
  /** Probability that the chains answer, below which "your documents do not say". */
  readonly answerAbove: number;
  /** Words of the compiled context (equation 6). */
  readonly contextWords: number;
}

export const DEFAULT_OPTIONS: AskOptions = {
  method: 'causeway',
  passages: 20,
  morePassages: 20,
  rounds: 1,
  direction: 'auto',
  directionConfidence: 0.5,
  keyPhrases: 5,
  phraseDiversity: 0.3,
  threshold: 0.7,
  starts: 12,
  beam: 3,
  maxHops: 6,
  top: 3,
  hedged: true,
  mergeAbove: 0.92,
  resolve: true,
  joins: true,
  minConfidence: 0,
  answerAbove: 0.3,
  contextWords: 1200,
};

/** The paper's plain recipe: hard merges, no second round, similarity of names alone. */
export const PAPER_OPTIONS: AskOptions = {
  ...DEFAULT_OPTIONS,
  method: 'paper',
  morePassages: 0,
  rounds: 0,
  directionConfidence: 0,
  mergeAbove: 0.86,
  joins: false,
  answerAbove: 0,
};
