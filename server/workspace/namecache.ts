/** Vectors of names, kept in the index, so that a warm question embeds nothing it has embedded before. */
import type { Embedder } from '../sarg/types.ts';
import { IndexBusyError } from './database.ts';
import { textHash } from './passages.ts';
import type { IndexStore } from './store.ts';

type Role = Parameters<Embedder['embed']>[1];

/** Vectors kept in memory too, twice as many at most: a few questions' worth, 12 MB. */
const MOST_LATELY = 4_096;

/** An embedder that asks another one only for what the index does not hold. Passages have a store of their own. */
export class CachedEmbedder implements Embedder {
  readonly dimensions: number;
  readonly #store: IndexStore;
  readonly #embedder: Embedder;
  /** Vectors asked for lately, by role and text, and those before them: a folder's names would fill the memory. */
  #lately = new Map<string, Float32Array>();
  #before = new Map<string, Float32Array>();
  /** Texts embedded by the other one so far. */
  #embedded = 0;

  constructor(store: IndexStore, embedder: Embedder) {
    this.#store = store;
    this.#embedder = embedder;
    this.dimensions = embedder.dimensions;
  }

  get embedded(): number {
    return this.#embedded;
  }

  async embed(texts: readonly string[], role: Role, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const found = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const text of new Set(texts)) {
      const vector = this.#known(text, role);
      if (vector === undefined) missing.push(text);
      else found.set(text, vector);
    }
    if (missing.length > 0) {
      const vectors = await this.#embedder.embed(missing, role, signal);
      this.#embedded += missing.length;
      missing.forEach((text, at) => {
        found.set(text, vectors[at]!);
        this.#remember(`${role}\0${text}`, vectors[at]!);
      });
      this.#keep(missing.map((text, at) => ({ hash: key(text, role), vector: vectors[at]! })));
      signal?.throwIfAborted();
    }
    return texts.map((text) => found.get(text)!);
  }

  #known(text: string, role: Role): Float32Array | undefined {
    const name = `${role}\0${text}`;
    const lately = this.#lately.get(name);
    if (lately !== undefined) return lately;
    const vector = this.#before.get(name) ?? this.#store.names.get(key(text, role));
    if (vector !== undefined) this.#remember(name, vector);
    return vector;
  }

  #remember(name: string, vector: Float32Array): void {
    if (this.#lately.size >= MOST_LATELY) [this.#before, this.#lately] = [this.#lately, new Map()];
    this.#lately.set(name, vector);
  }

  #keep(entries: readonly { readonly hash: string; readonly vector: Float32Array }[]): void {
    try {
      this.#store.names.put(entries);
    } catch (error) {
      // A question does not fail because another process is writing: its names are embedded again next time.
      if (!(error instanceof IndexBusyError)) throw error;
    }
  }
}

function key(text: string, role: Role): string {
  return textHash(`${role}\0${text}`);
}
