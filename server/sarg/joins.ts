/**
 * Judges whether the effect of one link and the cause of another name the same thing, so that a chain may go on from
 * the one to the other. Documents seldom name the end of one link and the start of the next alike; a hard merge at a
 * safe threshold loses most of these joins, a loose one makes two stories into one. So the judgement is a probability
 * from several signs, its price is paid by the chain, and the join is shown ("taken as the same").
 */
import { type Difference, difference } from './opposites.ts';
import type { Mention, Passage } from './types.ts';
import { dot, ROUNDING, roughDot, weigh } from './vectors.ts';
import { isContentFree, stemSet } from './words.ts';

/** One end of a link with what is known about it, made once and compared many times. */
export interface JoinEnd {
  readonly mention: Mention;
  readonly passage: Passage;
  readonly stems: ReadonlySet<string>;
  /** Unit vector of the mention's words. */
  readonly vector: Float32Array;
  /** Unit vector of the sentences around it. */
  readonly evidence: Float32Array;
}

export const JOIN_FEATURES = [
  'bias',
  'similarity',
  'similaritySquared',
  'words',
  'rareWords',
  'contained',
  'samePassage',
  'sameFile',
  'evidenceSimilarity',
  'differs',
  'lengthRatio',
] as const;

/** Rarity of a stem in the question's graph: ln(N / mentions with it), scaled to 0..1. */
export type Rarity = (stem: string) => number;

export function joinEnd(
  mention: Mention,
  passage: Passage,
  vector: Float32Array,
  evidence: Float32Array,
): JoinEnd {
  return { mention, passage, stems: stemSet(mention.text), vector, evidence };
}

/** The signs that cost most, looked at last. */
const EVIDENCE = JOIN_FEATURES.indexOf('evidenceSimilarity');
const DIFFERS = JOIN_FEATURES.indexOf('differs');

/** More than rounding makes of a sum of signs by their weights. */
const ROUNDING_OF_ODDS = 1e-6;

/** Names less alike than this are never joined. */
const MIN_JOIN_SIMILARITY = 0.5;

/** The signs, in the order of {@link JOIN_FEATURES}. */
export function joinFeatures(a: JoinEnd, b: JoinEnd, rarity: Rarity): number[] {
  const row = cheapSigns(a, b, rarity, dot(a.vector, b.vector));
  row[EVIDENCE] = dot(a.evidence, b.evidence);
  row[DIFFERS] = difference(a.mention.text, b.mention.text) === null ? 0 : 1;
  return row;
}

/**
 * Log-odds that the two ends name the same, or null where they are below `least`, where the names are not alike, or
 * where taking the one for the other would turn the chain's meaning. Nearly all pairs of a graph fall here, so the dear
 * signs are looked at only where the cheap ones, with the best of the dear ones, leave it open.
 * @param weights of {@link JOIN_FEATURES}
 */
export function judgeJoin(
  a: JoinEnd,
  b: JoinEnd,
  rarity: Rarity,
  weights: readonly number[],
  least: number,
): { readonly similarity: number; readonly logOdds: number } | null {
  const rough = roughDot(a.vector, b.vector);
  if (rough < MIN_JOIN_SIMILARITY - ROUNDING) return null;
  const open = weigh(weights, cheapSigns(a, b, rarity, rough)) + mostOfDear(weights);
  if (open < least - ROUNDING_OF_ODDS) return null;
  const similarity = dot(a.vector, b.vector);
  if (similarity < MIN_JOIN_SIMILARITY) return null;
  const differs = difference(a.mention.text, b.mention.text);
  if (turns(a, b, differs)) return null;
  const row = cheapSigns(a, b, rarity, similarity);
  row[EVIDENCE] = dot(a.evidence, b.evidence);
  row[DIFFERS] = differs === null ? 0 : 1;
  const logOdds = weigh(weights, row);
  return logOdds < least ? null : { similarity, logOdds };
}

/** A row of signs with 0 for the dear ones. */
function cheapSigns(a: JoinEnd, b: JoinEnd, rarity: Rarity, similarity: number): number[] {
  const [words, rareWords, contained] = wordSigns(a.stems, b.stems, rarity);
  const own = a.mention.text.length;
  const other = b.mention.text.length;
  return [
    1,
    similarity,
    similarity * similarity,
    words,
    rareWords,
    contained,
    a.passage.id === b.passage.id ? 1 : 0,
    a.passage.file === b.passage.file ? 1 : 0,
    0,
    0,
    Math.min(own, other) / Math.max(own, other, 1),
  ];
}

/** The most that the dear signs can add: a cosine lies between -1 and 1, but for rounding, and `differs` is 0 or 1. */
function mostOfDear(weights: readonly number[]): number {
  return Math.abs(weights[EVIDENCE]!) * 1.001 + Math.max(weights[DIFFERS]!, 0);
}

/** Share of the words that both have, the same with rare words counting more, and whether one holds all of the other's. */
function wordSigns(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  rarity: Rarity,
): [words: number, rareWords: number, contained: number] {
  let count = 0;
  for (const stem of a) if (b.has(stem)) count++;
  // So it is with nearly all pairs.
  if (count === 0) return [0, 0, 0];
  let shared = 0;
  let all = 0;
  for (const stem of a) {
    all += rarity(stem);
    if (b.has(stem)) shared += rarity(stem);
  }
  for (const stem of b) if (!a.has(stem)) all += rarity(stem);
  return [
    count / (a.size + b.size - count),
    all > 0 ? shared / all : 0,
    count === Math.min(a.size, b.size) ? 1 : 0,
  ];
}

/**
 * Whether taking the one for the other would turn the chain's meaning: vectors put opposites, other numbers, other
 * names and bare pronouns close. A negation alone is left to the price, since documents also tell one state both ways
 * ("could not be shipped", "spoiled").
 */
function turns(a: JoinEnd, b: JoinEnd, differs: Difference | null): boolean {
  if (isContentFree(a.mention.text) || isContentFree(b.mention.text)) return true;
  return differs !== null && differs !== 'negation';
}
