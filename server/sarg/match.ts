/**
 * From the question's words to the concepts where walking starts. Key phrases are chosen the way KeyBERT does
 * (Grootendorst, 2020): n-grams of the question by their cosine to the whole question, with maximal marginal relevance
 * so that they differ. Starts are the concepts nearer than a threshold to any of them. Paper, section 3.3, equation 3.
 */
import type { Start } from './chains.ts';
import type { Concept, Embedder } from './types.ts';
import { dot, ROUNDING, roughDot } from './vectors.ts';
import { isAskingWord, isStopWord } from './words.ts';

export interface KeyPhrase {
  readonly text: string;
  /** Cosine to the whole question. */
  readonly relevance: number;
  readonly vector: Float32Array;
}

const MAX_PHRASE_WORDS = 4;

/** Runs of one to four words of the question that neither start nor end with a function word or a word of asking. */
export function candidatePhrases(question: string): string[] {
  const out = new Set<string>();
  for (const piece of question.split(/[.,;:!?()"“”]+/)) {
    const tokens = piece.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? [];
    for (let from = 0; from < tokens.length; from++) {
      for (let count = 1; count <= MAX_PHRASE_WORDS && from + count <= tokens.length; count++) {
        const run = tokens.slice(from, from + count);
        if ([run[0]!, run.at(-1)!].some((word) => isStopWord(word) || isAskingWord(word))) continue;
        out.add(run.join(' '));
      }
    }
  }
  return [...out];
}

/**
 * The question's key phrases, most telling first.
 * @param count at most so many
 * @param diversity 0 takes the nearest to the question, 1 the most different from each other
 */
export async function keyPhrases(
  question: string,
  embedder: Embedder,
  count: number,
  diversity: number,
  signal?: AbortSignal,
): Promise<KeyPhrase[]> {
  const candidates = candidatePhrases(question);
  if (candidates.length === 0) return [];
  const [whole, ...vectors] = await embedder.embed([question, ...candidates], 'concept', signal);
  signal?.throwIfAborted();
  const pool = candidates.map((text, at) => ({
    text,
    vector: vectors[at]!,
    relevance: dot(whole!, vectors[at]!),
  }));
  const chosen: KeyPhrase[] = [];
  while (chosen.length < count && pool.length > 0) {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [at, phrase] of pool.entries()) {
      const nearest = chosen.reduce((most, other) => Math.max(most, dot(phrase.vector, other.vector)), 0);
      const score = (1 - diversity) * phrase.relevance - diversity * nearest;
      if (score > bestScore) [best, bestScore] = [at, score];
    }
    chosen.push(...pool.splice(best, 1));
  }
  return chosen;
}

/**
 * Concepts nearer to a key phrase than the threshold (equation 3), nearest first.
 * @param threshold cosine, exclusive
 * @param limit at most so many
 */
export function matchStarts(
  phrases: readonly KeyPhrase[],
  concepts: readonly Concept[],
  threshold: number,
  limit: number,
): Start[] {
  const starts: Start[] = [];
  for (const concept of concepts) {
    let best: Start | null = null;
    for (const phrase of phrases) {
      // Few concepts are near enough.
      if (roughDot(phrase.vector, concept.vector) <= threshold - ROUNDING) continue;
      const similarity = dot(phrase.vector, concept.vector);
      if (similarity > threshold && similarity > (best?.similarity ?? -1)) {
        best = { concept: concept.id, phrase: phrase.text, similarity };
      }
    }
    if (best) starts.push(best);
  }
  return starts.sort((a, b) => b.similarity - a.similarity || a.concept - b.concept).slice(0, limit);
}
