/**
 * Judges whether the effect of one link and the cause of another name the same thing, so that a chain may go on from
 * the one to the other. Documents seldom name the end of one link and the start of the next alike; a hard merge at a
 * safe threshold loses most of these joins, a loose one makes two stories into one. So the judgement is a probability
 * from several signs, its price is paid by the chain, and the join is shown ("taken as the same").
 */
import { difference } from './opposites.ts';
import type { Mention, Passage } from './types.ts';
import { dot } from './vectors.ts';
import { overlap, stems } from './words.ts';

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
  return { mention, passage, stems: new Set(stems(mention.text)), vector, evidence };
}

/** The signs, in the order of {@link JOIN_FEATURES}. */
export function joinFeatures(a: JoinEnd, b: JoinEnd, rarity: Rarity): number[] {
  const similarity = dot(a.vector, b.vector);
  let shared = 0;
  let all = 0;
  for (const stem of a.stems) {
    all += rarity(stem);
    if (b.stems.has(stem)) shared += rarity(stem);
  }
  for (const stem of b.stems) if (!a.stems.has(stem)) all += rarity(stem);
  const [small, large] = a.stems.size <= b.stems.size ? [a.stems, b.stems] : [b.stems, a.stems];
  const contained = small.size > 0 && [...small].every((stem) => large.has(stem));
  const lengths = [a.mention.text.length, b.mention.text.length];
  return [
    1,
    similarity,
    similarity * similarity,
    overlap(a.stems, b.stems),
    all > 0 ? shared / all : 0,
    contained ? 1 : 0,
    a.passage.id === b.passage.id ? 1 : 0,
    a.passage.file === b.passage.file ? 1 : 0,
    dot(a.evidence, b.evidence),
    difference(a.mention.text, b.mention.text) === null ? 0 : 1,
    Math.min(...lengths) / Math.max(...lengths, 1),
  ];
}
