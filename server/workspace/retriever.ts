/** Passages for a question: BM25 and dense vectors, fused by reciprocal rank (paper, section 3.1). */
import type { Embedder, Passage, PassageId, Phrase, RetrievedPassage, Retriever } from '../sarg/types.ts';
import { VectorMatrix } from './matrix.ts';
import { type PassageRow, toPassage } from './passagerow.ts';
import type { IndexStore } from './store.ts';

export interface RetrieverOptions {
  /** Constant of the reciprocal rank fusion: a passage at rank r (from 1) of a list scores 1 / (k + r). Default 60. */
  readonly k?: number;
  /** How many passages each list hands to the fusion, at least; default 100. */
  readonly depth?: number;
  /** Told why a question was answered by words alone: the embedding failed. */
  readonly onDegraded?: (reason: string) => void;
}

/** One ranking that takes part in a fusion: texts with their ranks from 1; equals share a rank. */
type Ranking = readonly { readonly textId: number; readonly rank: number }[];

/** What one text gathered in a fusion, by the text's number. */
interface Fused {
  readonly textId: number;
  score: number;
}

/**
 * Finds passages in an index. Works by words alone while vectors are missing. Of passages with the same words, only
 * the first (by file and order) is given. The order of results is the same for the same index contents.
 */
export class IndexRetriever implements Retriever {
  readonly #store: IndexStore;
  readonly #embedder: Embedder | null;
  readonly #matrix: VectorMatrix;
  readonly #options: RetrieverOptions;
  readonly #k: number;
  readonly #depth: number;
  #question: Float32Array | null = null;

  constructor(
    store: IndexStore,
    embedder: Embedder | null,
    options: RetrieverOptions = {},
    matrix = new VectorMatrix(store.vectors),
  ) {
    this.#store = store;
    this.#embedder = embedder;
    this.#matrix = matrix;
    this.#options = options;
    this.#k = options.k ?? 60;
    this.#depth = options.depth ?? 100;
  }

  /** At most `limit` passages for a question, best first. */
  async retrieve(query: string, limit = 20, signal?: AbortSignal): Promise<RetrievedPassage[]> {
    signal?.throwIfAborted();
    this.#matrix.refresh();
    const vector = this.#matrix.length === 0 ? null : await this.#embed(query, signal);
    signal?.throwIfAborted();
    this.#question = vector;
    const depth = Math.max(this.#depth, 3 * limit);
    const rankings = [this.#byWords(query, depth, 'OR')];
    if (vector !== null) rankings.push(this.#byVector(vector, depth));
    return this.#results(this.#fuse(rankings), limit, 0, vector === null ? [] : [vector]);
  }

  /**
   * At most `limit` passages that mention any of the phrases, by their words (passages with all words of a phrase
   * before those with some) and by their vectors; best first. For the rounds after the first, since the middle of a
   * chain shares no words with the question. `similarity` is to the question last retrieved for, if there was one,
   * else to the nearest phrase; `round` is 1.
   */
  async mentioning(
    phrases: readonly Phrase[],
    limit: number,
    exclude: ReadonlySet<PassageId>,
    signal?: AbortSignal,
  ): Promise<RetrievedPassage[]> {
    signal?.throwIfAborted();
    this.#matrix.refresh();
    const depth = Math.max(this.#depth >> 1, 2 * limit) + exclude.size;
    const rankings: Ranking[] = [];
    for (const { text, vector } of phrases) {
      const whole = this.#byWords(text, depth, 'AND');
      const partly = whole.length >= depth ? [] : this.#byWords(text, depth, 'OR');
      rankings.push(chain(whole, partly));
      if (this.#matrix.length > 0) rankings.push(this.#byVector(vector, depth));
      // Many phrases over many vectors take a while: let a cancellation through.
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    const vectors = this.#question === null ? phrases.map(({ vector }) => vector) : [this.#question];
    return this.#results(this.#fuse(rankings), limit, 1, vectors, exclude);
  }

  /**
   * A retriever of the same index for one question, where several are asked at a time: it remembers its own question.
   * The vectors in memory are shared.
   */
  forQuestion(): IndexRetriever {
    return new IndexRetriever(this.#store, this.#embedder, this.#options, this.#matrix);
  }

  /** A passage by its id. */
  byId(id: PassageId): Passage | undefined {
    return this.#store.passage(id);
  }

  /** All passages by file and order, read as they are asked for. */
  all(): Generator<Passage, void, undefined> {
    return this.#store.passages();
  }

  async #embed(query: string, signal?: AbortSignal): Promise<Float32Array | null> {
    if (this.#embedder === null) return null;
    try {
      const [vector] = await this.#embedder.embed([query], 'query', signal);
      return vector ?? null;
    } catch (error) {
      signal?.throwIfAborted();
      this.#options.onDegraded?.(
        `Searched by words alone: ${error instanceof Error ? error.message : String(error)}`,
      );
      return null;
    }
  }

  #byWords(query: string, depth: number, join: 'OR' | 'AND'): Ranking {
    const hits = this.#store.lexical.search(query, depth, join);
    const textOf = new Map(this.#store.textsOfRows(hits.map((hit) => hit.row)));
    return ranked(hits.flatMap(({ row, score }) => ({ textId: textOf.get(row) ?? -1, score })));
  }

  #byVector(vector: Float32Array, depth: number): Ranking {
    // Vectors of texts that no passage holds any more are in the array too.
    for (let reach = depth + 16; ; reach *= 4) {
      const hits = this.#matrix.nearest(vector, reach);
      const present = new Set(this.#store.presentTexts(hits.map((hit) => hit.textId)));
      if (present.size >= depth || reach >= this.#matrix.length)
        return ranked(
          hits
            .filter(({ textId }) => present.has(textId))
            .slice(0, depth)
            .map(({ textId, similarity }) => ({ textId, score: similarity })),
        );
    }
  }

  #fuse(rankings: readonly Ranking[]): Fused[] {
    const fused = new Map<number, Fused>();
    for (const ranking of rankings)
      for (const { textId, rank } of ranking) {
        const entry = fused.get(textId) ?? { textId, score: 0 };
        entry.score += 1 / (this.#k + rank);
        fused.set(textId, entry);
      }
    return [...fused.values()].sort((a, b) => b.score - a.score);
  }

  /** Reads the passages of the best texts. Equal scores stand by file and order. */
  #results(
    fused: readonly Fused[],
    limit: number,
    round: number,
    vectors: readonly Float32Array[],
    exclude: ReadonlySet<PassageId> = new Set(),
  ): RetrievedPassage[] {
    // All that might be among the first `limit`: those tied with the last of them too.
    const wanted = limit + exclude.size;
    const least = fused[wanted - 1]?.score ?? 0;
    const candidates = fused.filter((entry) => entry.score >= least);
    const first = new Map<number, PassageRow>();
    const shut = new Set<number>();
    for (const row of this.#store.rowsOfTexts(candidates.map((entry) => entry.textId))) {
      if (exclude.has(row.key as PassageId)) shut.add(row.textId);
      if (!first.has(row.textId)) first.set(row.textId, row);
    }
    return candidates
      .flatMap(({ textId, score }) => {
        const row = first.get(textId);
        return row === undefined || shut.has(textId) ? [] : [{ row, score }];
      })
      .sort(
        (a, b) =>
          b.score - a.score ||
          (a.row.path < b.row.path ? -1 : a.row.path > b.row.path ? 1 : a.row.ordinal - b.row.ordinal),
      )
      .slice(0, limit)
      .map(({ row, score }) => ({
        passage: toPassage(row),
        score,
        similarity: this.#similarity(row.textId, vectors),
        round,
      }));
  }

  #similarity(textId: number, vectors: readonly Float32Array[]): number {
    let best = Number.NEGATIVE_INFINITY;
    for (const vector of vectors) best = Math.max(best, this.#matrix.similarity(textId, vector) ?? best);
    return best === Number.NEGATIVE_INFINITY ? 0 : best;
  }
}

/** Ranks texts that stand best first; a text that stands there twice counts where it stands first. */
function ranked(hits: readonly { readonly textId: number; readonly score: number }[]): Ranking {
  const ranking: { textId: number; rank: number }[] = [];
  const seen = new Set<number>();
  let score = Number.NaN;
  let rank = 0;
  for (const hit of hits) {
    if (seen.has(hit.textId)) continue;
    seen.add(hit.textId);
    if (hit.score !== score) rank = seen.size;
    score = hit.score;
    ranking.push({ textId: hit.textId, rank });
  }
  return ranking;
}

/** One ranking and, behind it, what only the other holds. */
function chain(first: Ranking, second: Ranking): Ranking {
  const seen = new Set(first.map((entry) => entry.textId));
  const rest = second.filter((entry) => !seen.has(entry.textId));
  return [...first, ...rest.map(({ textId, rank }) => ({ textId, rank: rank + first.length }))];
}
