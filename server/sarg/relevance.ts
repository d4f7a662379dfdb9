/**
 * How likely a link is to belong to the answer. Similarity of names alone prunes the very hop that answers, since the
 * far end of a chain looks nothing like the question; so a link is judged by many signs together: its sentence and its
 * words against the question, the end that the question gives and the end it asks for, its passage's rank, the
 * extractor's confidence, and how much activation reaches it from the question over the graph. A logistic regression
 * over these gives log-odds, which add up along a chain.
 */
import type { DirectionLabel, Link } from './types.ts';
import { dot } from './vectors.ts';
import { stemSet, stems } from './words.ts';

export const LINK_FEATURES = [
  'bias',
  'sentence',
  'sentenceZ',
  'words',
  'wordsZ',
  'given',
  'asked',
  'givenStems',
  'askedStems',
  'sentenceStems',
  'passageZ',
  'confidence',
  'hedged',
  'order',
  'spatial',
  'condition',
  'fileZ',
  'laterRound',
  'explicit',
  'thinCause',
  'thinEffect',
] as const;

/** What is known about a link before the question, and its vectors. */
export interface LinkSigns {
  readonly link: Link;
  readonly cause: Float32Array;
  readonly effect: Float32Array;
  /** Of the evidence sentences. */
  readonly sentence: Float32Array;
  /** Of the link's two ends together. */
  readonly words: Float32Array;
  /** Cosine of the link's passage to the question. */
  readonly passageSimilarity: number;
  /** The best such cosine among the passages of its file. */
  readonly fileSimilarity: number;
  /** Round in which the passage was fetched. */
  readonly round: number;
}

/** What is known about the question. */
export interface QuestionSigns {
  /** With the embedder's query instruction. */
  readonly query: Float32Array;
  readonly phrases: readonly Float32Array[];
  readonly topic: ReadonlySet<string>;
  readonly direction: DirectionLabel;
  /** Rarity of a stem among the folder's links, 0 to 1. */
  readonly rarity: (stem: string) => number;
}

/**
 * A row of {@link LINK_FEATURES} for each link.
 */
export function linkFeatures(signs: readonly LinkSigns[], question: QuestionSigns): number[][] {
  const sentence = signs.map((sign) => dot(question.query, sign.sentence));
  const own = signs.map((sign) => dot(question.query, sign.words));
  const sentenceZ = standardise(sentence);
  const wordsZ = standardise(own);
  const passageZ = standardise(signs.map((sign) => sign.passageSimilarity));
  const fileZ = standardise(signs.map((sign) => sign.fileSimilarity));
  return signs.map((sign, at) => {
    const { triple } = sign.link;
    const causeNear = nearest(sign.cause, question.phrases);
    const effectNear = nearest(sign.effect, question.phrases);
    const causeStems = coverage(triple.cause.text, question);
    const effectStems = coverage(triple.effect.text, question);
    const [given, asked, givenStems, askedStems] =
      question.direction === 'forward'
        ? [causeNear, effectNear, causeStems, effectStems]
        : question.direction === 'backward'
          ? [effectNear, causeNear, effectStems, causeStems]
          : [
              Math.max(causeNear, effectNear),
              Math.min(causeNear, effectNear),
              Math.max(causeStems, effectStems),
              Math.min(causeStems, effectStems),
            ];
    const evidence = triple.passage.text.slice(triple.evidence.start, triple.evidence.end);
    return [
      1,
      sentence[at]!,
      sentenceZ[at]!,
      own[at]!,
      wordsZ[at]!,
      given,
      asked,
      givenStems,
      askedStems,
      coverage(evidence, question),
      passageZ[at]!,
      triple.confidence,
      triple.hedged ? 1 : 0,
      triple.type === 'precedes' ? 1 : 0,
      triple.type === 'spatial' ? 1 : 0,
      triple.type === 'condition' ? 1 : 0,
      fileZ[at]!,
      sign.round > 0 ? 1 : 0,
      triple.relation ? 1 : 0,
      stems(triple.cause.text).length <= 1 ? 1 : 0,
      stems(triple.effect.text).length <= 1 ? 1 : 0,
    ];
  });
}

function nearest(vector: Float32Array, phrases: readonly Float32Array[]): number {
  return phrases.reduce((most, phrase) => Math.max(most, dot(vector, phrase)), 0);
}

/** Share of the question's topic that the text's words cover, rare words counting more. */
function coverage(text: string, question: QuestionSigns): number {
  const own = stemSet(text);
  let all = 0;
  let covered = 0;
  for (const stem of question.topic) {
    const weight = question.rarity(stem);
    all += weight;
    if (own.has(stem)) covered += weight;
  }
  return all > 0 ? covered / all : 0;
}

/** Zero mean and unit deviation; all zeros where there is no spread. */
export function standardise(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
  const spread = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(values.length, 1),
  );
  return values.map((value) => (spread > 1e-9 ? (value - mean) / spread : 0));
}
