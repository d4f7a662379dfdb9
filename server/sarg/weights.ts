/**
 * The fitted numbers of the default method: two logistic regressions, made by `npm run eval -- fit` over evaluation
 * folders; docs/EVALUATION.md tells over which, and what leave-one-folder-out gives. Each list is in the order of
 * {@link LINK_FEATURES} and {@link JOIN_FEATURES}; the sums are log-odds.
 */
import type { JOIN_FEATURES } from './joins.ts';
import type { LINK_FEATURES } from './relevance.ts';
import type { VERDICT_FEATURES } from './verdict.ts';

type Weights<Names extends readonly string[]> = Readonly<Record<Names[number], number>>;

export const LINK_WEIGHTS: Weights<typeof LINK_FEATURES> = {
  bias: -3.64,
  sentence: -7.21,
  sentenceZ: 0.44,
  words: 0.59,
  wordsZ: 0.2,
  given: 2.97,
  asked: 2.59,
  givenStems: 2.91,
  askedStems: -0.3,
  sentenceStems: 9.99,
  passageZ: 0.44,
  confidence: 0,
  hedged: 0,
  order: 0,
  spatial: 0,
  condition: 0,
  fileZ: 0,
  laterRound: 0,
  explicit: 0,
  thinCause: 0,
  thinEffect: 0,
};

export const JOIN_WEIGHTS: Weights<typeof JOIN_FEATURES> = {
  bias: -13.5,
  similarity: 6.58,
  similaritySquared: 7.21,
  words: 5.89,
  rareWords: 4.54,
  contained: 3.75,
  samePassage: -5.1,
  sameFile: 2.07,
  evidenceSimilarity: 2.75,
  differs: 0.28,
  lengthRatio: -0.84,
};

export const VERDICT_WEIGHTS: Weights<typeof VERDICT_FEATURES> = {
  bias: -4,
  bestScore: 0.1,
  coverage: 3,
  nearestPassage: 4,
  bestHop: 0.3,
};
