/**
 * The fitted numbers of the default method: logistic regressions, made by `npm run eval -- fit` over the evaluation
 * workspaces of this repository; docs/EVALUATION.md tells what leave-one-folder-out gives. The sums are log-odds.
 */
import type { JOIN_FEATURES } from './joins.ts';
import type { LINK_FEATURES } from './relevance.ts';
import type { VERDICT_FEATURES } from './verdict.ts';

type Weights<Names extends readonly string[]> = Readonly<Record<Names[number], number>>;

export const LINK_WEIGHTS: Weights<typeof LINK_FEATURES> = {
  bias: -6.4019,
  sentence: 1.1061,
  sentenceZ: -0.0493,
  words: -0.907,
  wordsZ: 0.3254,
  given: 2.0189,
  asked: 0.1228,
  givenStems: 1.0937,
  askedStems: 0.2063,
  sentenceStems: 0.7696,
  passageZ: 0.2061,
  confidence: 1.3116,
  hedged: -1.0824,
  order: -1.4059,
  spatial: -2.0488,
  condition: -0.2575,
  fileZ: 0.3635,
  laterRound: -1.0681,
  explicit: 0.9156,
  thinCause: -0.3408,
  thinEffect: 0.0712,
};

export const JOIN_WEIGHTS: Weights<typeof JOIN_FEATURES> = {
  bias: -12.8317,
  similarity: 10.2534,
  similaritySquared: 1.694,
  words: -3.661,
  rareWords: 13.7486,
  contained: -0.6096,
  samePassage: 0.7148,
  sameFile: 0.7769,
  evidenceSimilarity: 1.3068,
  differs: 0.4749,
  lengthRatio: -1.234,
};

export const VERDICT_WEIGHTS: Weights<typeof VERDICT_FEATURES> = {
  bias: -14.5783,
  bestScore: 0.1402,
  coverage: 3.2948,
  nearestPassage: 19.1169,
  bestHop: 0.2467,
};
