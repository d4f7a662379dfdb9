/**
 * The fitted numbers of the default method: logistic regressions, made by `npm run eval -- fit` over the evaluation
 * workspaces of this repository; docs/EVALUATION.md tells what leave-one-folder-out gives. The sums are log-odds.
 */
import type { JOIN_FEATURES } from './joins.ts';
import type { LINK_FEATURES } from './relevance.ts';
import type { VERDICT_FEATURES } from './verdict.ts';

type Weights<Names extends readonly string[]> = Readonly<Record<Names[number], number>>;

export const LINK_WEIGHTS: Weights<typeof LINK_FEATURES> = {
  bias: -6.8497,
  sentence: 1.7882,
  sentenceZ: -0.0863,
  words: -1.5435,
  wordsZ: 0.3261,
  given: 2.6694,
  asked: 0.1266,
  givenStems: 1.983,
  askedStems: 0.3483,
  sentenceStems: 0.7656,
  passageZ: 0.2036,
  confidence: 1.5184,
  hedged: -2.5576,
  order: -1.9307,
  spatial: -1.0425,
  condition: -0.4103,
  fileZ: 0.3394,
  laterRound: -0.9077,
  explicit: 0.7159,
  thinCause: -0.4035,
  thinEffect: 0.0988,
};

export const JOIN_WEIGHTS: Weights<typeof JOIN_FEATURES> = {
  bias: -12.109,
  similarity: 8.9561,
  similaritySquared: 2.7387,
  words: -0.128,
  rareWords: 9.2142,
  contained: -0.6118,
  samePassage: 0.865,
  sameFile: 1.1675,
  evidenceSimilarity: 0.4556,
  differs: 0.2268,
  lengthRatio: -1.0585,
};

export const VERDICT_WEIGHTS: Weights<typeof VERDICT_FEATURES> = {
  bias: -2.2146,
  bestScore: -0.0687,
  coverage: 3.0929,
  nearestPassage: 5.001,
  bestHop: -0.0376,
};
