/** What extractors read in passages, kept by text and extractor version. */
import type { SpanTriple } from '../../models/protocol.ts';
import type { Database, Statement } from './database.ts';
import type { MissingText } from './vectors.ts';

/** What is known of one text: its triples, or why they could not be read. */
export type Reading =
  | { readonly state: 'read'; readonly triples: readonly SpanTriple[] }
  | { readonly state: 'failed'; readonly reason: string };

export class TripleTable {
  readonly #database: Database;
  readonly #get: Statement;
  readonly #insert: Statement;
  readonly #missing: Statement;
  readonly #missingCount: Statement;
  readonly #counts: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#get = database.prepare(
      'SELECT state, reason, triples FROM triples WHERE extractor = ? AND text_id = (SELECT id FROM texts WHERE hash = ?)',
    );
    this.#insert = database.prepare(
      'INSERT OR REPLACE INTO triples (text_id, extractor, state, reason, triples) SELECT id, ?2, ?3, ?4, ?5 FROM texts WHERE hash = ?1',
    );
    this.#missing = database.prepare(
      `SELECT id AS row, text_id AS textId, text FROM passages
       WHERE NOT EXISTS (SELECT 1 FROM triples WHERE triples.text_id = passages.text_id AND extractor = ?)
       AND id > ? ORDER BY id LIMIT ?`,
    );
    this.#missingCount = database.prepare(
      `SELECT count(DISTINCT text_id) AS count FROM passages
       WHERE NOT EXISTS (SELECT 1 FROM triples WHERE triples.text_id = passages.text_id AND extractor = ?)`,
    );
    this.#counts = database.prepare(
      `SELECT count(*) AS read, sum(state = 'failed') AS failed, sum(json_array_length(triples)) AS triples
       FROM triples WHERE extractor = ? AND text_id IN (SELECT text_id FROM passages)`,
    );
  }

  /** What an extractor read in the text with this hash; undefined if it has not read it. */
  get(hash: string, extractor: string): Reading | undefined {
    const row = this.#get.get<{ state: Reading['state']; reason: string | null; triples: string }>(
      extractor,
      hash,
    );
    if (row === undefined) return undefined;
    if (row.state === 'failed') return { state: 'failed', reason: row.reason ?? 'unknown' };
    return { state: 'read', triples: JSON.parse(row.triples) as SpanTriple[] };
  }

  /** Keeps readings, as one transaction. Texts that the index has meanwhile forgotten are left out. */
  put(extractor: string, readings: readonly { readonly hash: string; readonly reading: Reading }[]): void {
    this.#database.transaction(() => {
      for (const { hash, reading } of readings)
        if (reading.state === 'failed') this.#insert.run(hash, extractor, 'failed', reading.reason, '[]');
        else this.#insert.run(hash, extractor, 'read', null, JSON.stringify(reading.triples));
    });
  }

  /** Texts of passages behind row `after` that an extractor has not read, each once, and the row to go on behind. */
  missing(extractor: string, after: number, limit: number): { texts: MissingText[]; last: number } {
    const rows = this.#missing.all<MissingText & { row: number }>(extractor, after, limit);
    const texts = new Map(rows.map(({ textId, text }) => [textId, { textId, text }]));
    return { texts: [...texts.values()], last: rows.at(-1)?.row ?? after };
  }

  missingCount(extractor: string): number {
    return this.#missingCount.get<{ count: number }>(extractor)!.count;
  }

  /** Over the texts of present passages: read, failed among them, and triples found. */
  counts(extractor: string): { read: number; failed: number; triples: number } {
    const row = this.#counts.get<{ read: number; failed: number | null; triples: number | null }>(extractor)!;
    return { read: row.read, failed: row.failed ?? 0, triples: row.triples ?? 0 };
  }

  /** Forgets readings of all but the given extractors and the `others` most recently kept ones. */
  forgetExtractors(keep: ReadonlySet<string>, others: number): void {
    const known = this.#database
      .prepare('SELECT extractor FROM triples GROUP BY extractor ORDER BY max(text_id) DESC')
      .all<{ extractor: string }>()
      .map((row) => row.extractor)
      .filter((extractor) => !keep.has(extractor));
    for (const extractor of known.slice(others))
      this.#database.prepare('DELETE FROM triples WHERE extractor = ?').run(extractor);
  }
}
