/** The triples of passages, from the index or freshly read, so that an unchanged passage is never read twice. */
import type { SpanTriple } from '../../models/protocol.ts';
import type { Passage } from '../sarg/types.ts';
import { textHash } from './passages.ts';
import type { IndexStore } from './store.ts';
import type { Reading } from './triples.ts';

/** Reads triples out of texts: the tagger, or a language model. */
export interface Tagger {
  /** Name and version of model and prompt: readings are kept under it. */
  readonly version: string;
  /**
   * One result for each text, in order: its triples, or why this text could not be read.
   * Throws when it cannot work at all (the model process died).
   */
  tag(texts: readonly string[], signal?: AbortSignal): Promise<readonly TagResult[]>;
}

export type TagResult = readonly SpanTriple[] | { readonly failed: string };

/** What {@link TripleCache.read} found, one reading for each passage in order. */
export interface Readings {
  readonly readings: readonly Reading[];
  /** Of each passage whether it was read just now. */
  readonly readNow: readonly boolean[];
  /** Passages read just now, and passages known from before. */
  readonly fresh: number;
  readonly cached: number;
  readonly failed: number;
}

export interface ReadOptions {
  /** Reads again what failed before. */
  readonly retryFailed?: boolean;
  /** Called as readings become known, first for all that are cached. */
  readonly onReading?: (passage: Passage, reading: Reading) => void;
}

/** No reading could be had for any passage of a call. */
export class ExtractionUnavailableError extends Error {
  override readonly name = 'ExtractionUnavailableError';
}

export class TripleCache {
  readonly #store: IndexStore;
  readonly #tagger: Tagger;
  readonly #batch: number;

  /** @param batch passages a call of the tagger; each batch is kept as it comes */
  constructor(store: IndexStore, tagger: Tagger, batch = 8) {
    this.#store = store;
    this.#tagger = tagger;
    this.#batch = batch;
  }

  get version(): string {
    return this.#tagger.version;
  }

  /**
   * Readings of passages; give those first that are needed first.
   * @throws ExtractionUnavailableError if the extractor answers nothing at all; what was read before is kept
   */
  async read(
    passages: readonly Passage[],
    options: ReadOptions = {},
    signal?: AbortSignal,
  ): Promise<Readings> {
    signal?.throwIfAborted();
    const known = new Map<string, Reading>();
    const missing = new Map<string, string>();
    const hashes = passages.map((passage) => textHash(passage.text));
    let cached = 0;
    passages.forEach((passage, at) => {
      const hash = hashes[at]!;
      const reading = known.get(hash) ?? this.#store.triples.get(hash, this.version);
      if (reading === undefined || (reading.state === 'failed' && options.retryFailed))
        missing.set(hash, passage.text);
      else {
        cached++;
        known.set(hash, reading);
        options.onReading?.(passage, reading);
      }
    });
    const unread = Map.groupBy(
      passages.filter((_, at) => missing.has(hashes[at]!)),
      (passage) => textHash(passage.text),
    );
    await this.#readTexts(
      [...missing].map(([hash, text]) => ({ hash, text })),
      (hash, reading) => {
        known.set(hash, reading);
        for (const passage of unread.get(hash) ?? []) options.onReading?.(passage, reading);
      },
      signal,
    );
    const readings = hashes.map((hash) => known.get(hash)!);
    const failed = readings.filter((reading) => reading.state === 'failed').length;
    const readNow = hashes.map((hash) => missing.has(hash));
    return { readings, readNow, fresh: passages.length - cached, cached, failed };
  }

  /**
   * Reads every passage of the index that has not been read.
   * @returns how many texts were read, and how many of them failed
   */
  async readAll(
    onProgress: (done: number, total: number) => void = () => {},
    signal?: AbortSignal,
  ): Promise<{ read: number; failed: number }> {
    const total = this.#store.triples.missingCount(this.version);
    let read = 0;
    let failed = 0;
    for (let after = 0; ; ) {
      const { texts, last } = this.#store.triples.missing(this.version, after, 16 * this.#batch);
      if (texts.length === 0) return { read, failed };
      after = last;
      // Texts of like length together: a batch costs as much as its longest.
      const entries = texts
        .toSorted((a, b) => a.text.length - b.text.length)
        .map(({ text }) => ({ hash: textHash(text), text }));
      await this.#readTexts(
        entries,
        (_, reading) => {
          read++;
          if (reading.state === 'failed') failed++;
          onProgress(read, total);
        },
        signal,
      );
    }
  }

  async #readTexts(
    entries: readonly { readonly hash: string; readonly text: string }[],
    take: (hash: string, reading: Reading) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let from = 0; from < entries.length; from += this.#batch) {
      const batch = entries.slice(from, from + this.#batch);
      const readings = await this.#readBatch(
        batch.map((entry) => entry.text),
        signal,
      );
      const found = batch.map(({ hash }, at) => ({ hash, reading: readings[at]! }));
      // What has been read is kept even when the call was cancelled meanwhile.
      this.#store.triples.put(this.version, found);
      for (const { hash, reading } of found) take(hash, reading);
      signal?.throwIfAborted();
    }
  }

  async #readBatch(texts: readonly string[], signal?: AbortSignal): Promise<Reading[]> {
    try {
      return await this.#tag(texts, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (texts.length === 1) throw unavailable(error);
      return this.#readOneByOne(texts, error, signal);
    }
  }

  /** After a batch that brought the extractor down: one text may be to blame, and the others shall not suffer. */
  async #readOneByOne(texts: readonly string[], first: unknown, signal?: AbortSignal): Promise<Reading[]> {
    const readings: Reading[] = [];
    let alive = false;
    for (const text of texts) {
      try {
        readings.push(...(await this.#tag([text], signal)));
        alive = true;
      } catch (error) {
        signal?.throwIfAborted();
        readings.push({ state: 'failed', reason: message(error) });
      }
    }
    if (!alive) throw unavailable(first);
    return readings;
  }

  async #tag(texts: readonly string[], signal?: AbortSignal): Promise<Reading[]> {
    const results = await this.#tagger.tag(texts, signal);
    if (results.length !== texts.length)
      throw new Error(`${this.version} gave ${results.length} results for ${texts.length} passages`);
    return results.map((result, at) =>
      'failed' in result
        ? { state: 'failed', reason: result.failed }
        : { state: 'read', triples: result.filter((triple) => fits(triple, texts[at]!)) },
    );
  }
}

/** Spans that lie in the text; anything else is no quotation of it. */
function fits({ cause, effect, relation }: SpanTriple, text: string): boolean {
  return [cause, effect, ...(relation === null ? [] : [relation])].every(
    ({ start, end }) =>
      Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start < end && end <= text.length,
  );
}

function unavailable(error: unknown): ExtractionUnavailableError {
  return new ExtractionUnavailableError(`Passages cannot be read: ${message(error)}`, { cause: error });
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
