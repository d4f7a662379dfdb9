/** Vectors of names, kept in the index, so that a warm question embeds nothing it has embedded before. */
import type { Embedder } from '../sarg/types.ts';
import { IndexBusyError } from './database.ts';
import { textHash } from './passages.ts';
import type { IndexStore } from './store.ts';

type Role = Parameters<Embedder['embed']>[1];

/** An embedder that asks another one only for what the index does not hold. Passages have a store of their own. */
export class CachedEmbedder implements Embedder {
  readonly dimensions: number;
  readonly #store: IndexStore;
  readonly #embedder: Embedder;
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
      const vector = this.#store.names.get(key(text, role));
      if (vector === undefined) missing.push(text);
      else found.set(text, vector);
    }
    if (missing.length > 0) {
      const vectors = await this.#embedder.embed(missing, role, signal);
      this.#embedded += missing.length;
      missing.forEach((text, at) => {
        found.set(text, vectors[at]!);
      });
      this.#keep(missing.map((text, at) => ({ hash: key(text, role), vector: vectors[at]! })));
      signal?.throwIfAborted();
    }
    return texts.map((text) => found.get(text)!);
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
