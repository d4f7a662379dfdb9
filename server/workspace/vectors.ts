/** Vectors in the index: of passages, by their text, and of names of concepts. */
import type { Database, Statement } from './database.ts';
import { IndexUnavailableError } from './database.ts';
import { bumpGeneration, type EmbedderIdentity, embedderKey, readHeader } from './schema.ts';

/** A text that has no vector yet. */
export interface MissingText {
  readonly textId: number;
  readonly text: string;
}

/** The vectors of passages' texts, all of one embedder. */
export class VectorTable {
  readonly #database: Database;
  readonly #embedder: EmbedderIdentity | undefined;
  readonly #insert: Statement;
  readonly #missing: Statement;
  readonly #missingCount: Statement;
  readonly #count: Statement;
  readonly #after: Statement;
  readonly #generation: Statement;

  constructor(database: Database, embedder: EmbedderIdentity | undefined) {
    this.#database = database;
    this.#embedder = embedder;
    this.#insert = database.prepare(
      "INSERT OR REPLACE INTO vectors (text_id, kind, vector) SELECT ?1, 'passage', ?2 WHERE EXISTS (SELECT 1 FROM texts WHERE id = ?1)",
    );
    const missing =
      "FROM passages WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.text_id = passages.text_id AND kind = 'passage')";
    this.#missing = database.prepare(
      `SELECT id AS row, text_id AS textId, text ${missing} AND id > ? ORDER BY id LIMIT ?`,
    );
    this.#missingCount = database.prepare(`SELECT count(DISTINCT text_id) AS count ${missing}`);
    this.#count = database.prepare("SELECT count(*) AS count FROM vectors WHERE kind = 'passage'");
    this.#after = database.prepare(
      "SELECT id, text_id AS textId, vector FROM vectors WHERE id > ? AND kind = 'passage' ORDER BY id",
    );
    this.#generation = database.prepare("SELECT value FROM header WHERE key = 'generation'");
  }

  /** Width of the vectors; 0 if the index was opened without an embedder. */
  get dimensions(): number {
    return this.#embedder?.dimensions ?? 0;
  }

  /** Rises whenever vectors were taken away, by whatever process. */
  get generation(): string {
    return this.#generation.get<{ value: string }>()?.value ?? '0';
  }

  get count(): number {
    return this.#count.get<{ count: number }>()!.count;
  }

  get missingCount(): number {
    return this.#missingCount.get<{ count: number }>()!.count;
  }

  /** Texts of passages behind row `after` that have no vector, each once, and the row to go on behind. */
  missing(after: number, limit: number): { texts: MissingText[]; last: number } {
    const rows = this.#missing.all<MissingText & { row: number }>(after, limit);
    const texts = new Map(rows.map(({ textId, text }) => [textId, { textId, text }]));
    return { texts: [...texts.values()], last: rows.at(-1)?.row ?? after };
  }

  /**
   * Keeps vectors, as one transaction.
   * @throws IndexUnavailableError if another process has since put the index on another embedder
   */
  put(entries: readonly { readonly textId: number; readonly vector: Float32Array }[]): void {
    this.#database.transaction(() => {
      checkEmbedder(this.#database, this.#embedder);
      for (const { textId, vector } of entries) this.#insert.run(textId, toBlob(vector, this.dimensions));
    });
  }

  /** Hands each vector added behind `after` to `take`, in order of their ids. The array is only lent. */
  forEachAfter(after: number, take: (id: number, textId: number, vector: Float32Array) => void): void {
    for (const { id, textId, vector } of this.#after.iterate<{
      id: number;
      textId: number;
      vector: Uint8Array;
    }>(after))
      take(id, textId, fromBlob(vector));
  }
}

/** Vectors of short texts that are embedded again and again: names of concepts, phrases of questions. */
export class NameTable {
  readonly #database: Database;
  readonly #embedder: EmbedderIdentity | undefined;
  readonly #get: Statement;
  readonly #insert: Statement;

  constructor(database: Database, embedder: EmbedderIdentity | undefined) {
    this.#database = database;
    this.#embedder = embedder;
    this.#get = database.prepare('SELECT vector FROM names WHERE hash = ?');
    this.#insert = database.prepare('INSERT OR REPLACE INTO names (hash, vector) VALUES (?, ?)');
  }

  get(hash: string): Float32Array | undefined {
    const row = this.#get.get<{ vector: Uint8Array }>(hash);
    return row === undefined ? undefined : fromBlob(row.vector);
  }

  /** As one transaction. */
  put(entries: readonly { readonly hash: string; readonly vector: Float32Array }[]): void {
    this.#database.transaction(() => {
      checkEmbedder(this.#database, this.#embedder);
      for (const { hash, vector } of entries)
        this.#insert.run(hash, toBlob(vector, this.#embedder?.dimensions ?? 0));
    });
  }
}

/** Takes away vectors and triples of texts, and the texts. */
export function forgetTexts(database: Database, condition: string, ...values: number[]): number {
  return database.transaction(() => {
    database.exec('CREATE TEMP TABLE IF NOT EXISTS forgotten (id INTEGER PRIMARY KEY)');
    database.exec('DELETE FROM forgotten');
    database.prepare(`INSERT INTO forgotten SELECT id FROM texts WHERE ${condition}`).run(...values);
    database.exec('DELETE FROM triples WHERE text_id IN (SELECT id FROM forgotten)');
    database.exec('DELETE FROM vectors WHERE text_id IN (SELECT id FROM forgotten)');
    const { changes } = database.prepare('DELETE FROM texts WHERE id IN (SELECT id FROM forgotten)').run();
    if (changes > 0) bumpGeneration(database);
    return changes;
  });
}

function checkEmbedder(database: Database, embedder: EmbedderIdentity | undefined): void {
  const kept = readHeader(database, 'embedder');
  const ours = embedder === undefined ? null : embedderKey(embedder);
  if (ours === null || kept !== ours)
    throw new IndexUnavailableError(
      database.path,
      ours === null
        ? 'it was opened without an embedding model, so vectors cannot be kept.'
        : `another process has put it on the embedding model ${kept ?? 'none'}, and this one uses ${ours}. Close one of them.`,
    );
}

function toBlob(vector: Float32Array, dimensions: number): Uint8Array {
  if (vector.length !== dimensions)
    throw new RangeError(`A vector of ${vector.length} numbers where the index holds ${dimensions}.`);
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function fromBlob(blob: Uint8Array): Float32Array {
  const whole = blob.byteOffset % 4 === 0 ? blob : Uint8Array.from(blob);
  return new Float32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4);
}
