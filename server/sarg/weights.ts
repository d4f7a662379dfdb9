/**
 * The fitted numbers of the default method: logistic regressions, made by `npm run eval -- fit` over the evaluation
 * workspaces of this repository; docs/EVALUATION.md tells what leave-one-folder-out gives. The sums are log-odds.
 */
import type { JOIN_FEATURES } from './joins.ts';
import type { LINK_FEATURES } from './relevance.ts';
import type { VERDICT_FEATURES } from './verdict.ts';

type Weights<Names extends readonly string[]> = Readonly<Record<Names[number], number>>;

export const LINK_WEIGHTS: Weights<typeof LINK_FEATURES> = {
  bias: -6.2889,
  sentence: 1.4018,
  sentenceZ: -0.0714,
  words: -1.5532,
  wordsZ: 0.3524,
  given: 1.8089,
  asked: 0.583,
  givenStems: 1.4479,
  askedStems: -0.2839,
  sentenceStems: 0.7685,
  passageZ: 0.2286,
  confidence: 1.2458,
  hedged: -1.0774,
  order: -1.4021,
  spatial: -2.0478,
  condition: -0.2847,
  fileZ: 0.3317,
  laterRound: -1.0898,
  explicit: 0.8957,
  thinCause: -0.3386,
  thinEffect: 0.0795,
};

export const JOIN_WEIGHTS: Weights<typeof JOIN_FEATURES> = {
  bias: -13.0939,
  similarity: 11.0654,
  similaritySquared: 1.1048,
  words: -3.4793,
  rareWords: 13.4046,
  contained: -0.5967,
  samePassage: 0.6799,
  sameFile: 0.7966,
  evidenceSimilarity: 1.3366,
  differs: 0.4924,
  lengthRatio: -1.2863,
};

export const VERDICT_WEIGHTS: Weights<typeof VERDICT_FEATURES> = {
  bias: -3.8036,
  bestScore: 0.1232,
  coverage: 0.3273,
  nearestPassage: 6.3237,
  bestHop: 0.0256,
};
