/**
 * The fitted numbers of the default method: logistic regressions, made by `npm run eval -- fit` over the evaluation
 * workspaces of this repository; docs/EVALUATION.md tells what leave-one-folder-out gives. The sums are log-odds.
 */
import type { JOIN_FEATURES } from './joins.ts';
import type { LINK_FEATURES } from './relevance.ts';
import type { VERDICT_FEATURES } from './verdict.ts';

type Weights<Names extends readonly string[]> = Readonly<Record<Names[number], number>>;

export const LINK_WEIGHTS: Weights<typeof LINK_FEATURES> = {
  bias: -6.3519,
  sentence: 1.8543,
  sentenceZ: -0.1017,
  words: -1.194,
  wordsZ: 0.3573,
  given: 1.7452,
  asked: -0.0398,
  givenStems: 1.0952,
  askedStems: 0.1461,
  sentenceStems: 0.8838,
  passageZ: 0.1856,
  confidence: 1.2408,
  hedged: -1.1007,
  order: -1.4188,
  spatial: -2.0884,
  condition: -0.2739,
  fileZ: 0.38,
  laterRound: -0.9187,
  explicit: 0.9394,
  thinCause: -0.2616,
  thinEffect: 0.124,
};

export const JOIN_WEIGHTS: Weights<typeof JOIN_FEATURES> = {
  bias: -13.5564,
  similarity: 11.612,
  similaritySquared: 1.3394,
  words: -5.0792,
  rareWords: 14.4738,
  contained: -0.4628,
  samePassage: 0.5847,
  sameFile: 0.8488,
  evidenceSimilarity: 1.5234,
  differs: 0.4459,
  lengthRatio: -1.3305,
};

export const VERDICT_WEIGHTS: Weights<typeof VERDICT_FEATURES> = {
  bias: -13.6457,
  bestScore: 0.0636,
  coverage: 4.4918,
  nearestPassage: 18.4011,
  bestHop: 0.1363,
};
