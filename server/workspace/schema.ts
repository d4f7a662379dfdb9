/** The index's tables, and its header, which says what they were made with. */
import type { Database } from './database.ts';

/** Raise it with every change of the tables or of what is put into them: an index of another version is built anew. */
const SCHEMA_VERSION = 2;

const TABLES = `
CREATE TABLE header (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('indexed', 'failed', 'skipped')),
  reason TEXT,
  title TEXT NOT NULL,
  notes TEXT NOT NULL,
  checked REAL NOT NULL
);

-- Texts of passages outlive their passages for a while: what models made of them costs more than the text.
CREATE TABLE texts (id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE);

CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  file INTEGER NOT NULL REFERENCES files (id),
  ordinal INTEGER NOT NULL,
  text_id INTEGER NOT NULL REFERENCES texts (id),
  text TEXT NOT NULL,
  headings TEXT NOT NULL,
  sentences BLOB NOT NULL,
  cell INTEGER,
  source TEXT,
  source_offset INTEGER NOT NULL,
  line INTEGER NOT NULL,
  character INTEGER NOT NULL,
  segments BLOB NOT NULL
);
CREATE INDEX passages_by_file ON passages (file, ordinal);
CREATE INDEX passages_by_text ON passages (text_id);
CREATE INDEX passages_by_key ON passages (key);

-- With its own copy of the words: a table without content counts deleted rows in its scores.
CREATE VIRTUAL TABLE words USING fts5 (
  text, headings, bigrams, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text_id INTEGER NOT NULL REFERENCES texts (id),
  kind TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (text_id, kind)
);

CREATE TABLE names (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE,
  vector BLOB NOT NULL
);

CREATE TABLE triples (
  text_id INTEGER NOT NULL REFERENCES texts (id),
  extractor TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('read', 'failed')),
  reason TEXT,
  triples TEXT NOT NULL,
  PRIMARY KEY (extractor, text_id)
) WITHOUT ROWID;
`;

/** The embedding model whose vectors the index holds. */
export interface EmbedderIdentity {
  readonly name: string;
  readonly version: string;
  readonly dimensions: number;
}

/** Something about the index that the person is to be told. */
export interface StoreNotice {
  readonly kind: 'damaged' | 'schema' | 'embedder';
  readonly message: string;
}

/**
 * Makes the tables of a new index, and empties an index of another schema.
 * Vectors of another embedder are dropped, never mixed; all else stays.
 */
export function prepareSchema(
  database: Database,
  embedder: EmbedderIdentity | undefined,
  onNotice: (notice: StoreNotice) => void,
): void {
  const notices: StoreNotice[] = [];
  database.transaction(() => {
    const found = schemaVersion(database);
    if (found !== SCHEMA_VERSION) {
      if (found !== null) {
        dropAll(database);
        notices.push({
          kind: 'schema',
          message: 'The index was made by another version of Causeway and is built anew.',
        });
      }
      database.exec(TABLES);
      writeHeader(database, 'schema', String(SCHEMA_VERSION));
    }
    if (embedder === undefined) return;
    const before = readHeader(database, 'embedder');
    const now = embedderKey(embedder);
    if (before === now) return;
    const dropped = database.prepare('DELETE FROM vectors').run().changes;
    database.exec('DELETE FROM names');
    writeHeader(database, 'embedder', now);
    bumpGeneration(database);
    if (before !== null && dropped > 0)
      notices.push({
        kind: 'embedder',
        message:
          `The index held ${dropped} vectors of another embedding model (${before}, now ${now}). ` +
          'They are made anew; until then passages are found by their words alone.',
      });
  });
  for (const notice of notices) onNotice(notice);
}

/** Name, version and width of an embedder in one string. */
export function embedderKey({ name, version, dimensions }: EmbedderIdentity): string {
  return `${name}@${version} (${dimensions} wide)`;
}

export function readHeader(database: Database, key: string): string | null {
  return (
    database.prepare('SELECT value FROM header WHERE key = ?').get<{ value: string }>(key)?.value ?? null
  );
}

function writeHeader(database: Database, key: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO header (key, value) VALUES (?, ?)').run(key, value);
}

/** Vectors were taken away: whoever holds copies of them in memory reads them again. */
export function bumpGeneration(database: Database): void {
  writeHeader(database, 'generation', String(Number(readHeader(database, 'generation') ?? 0) + 1));
}

/** Null for a file without tables; NaN for tables that are not ours. */
function schemaVersion(database: Database): number | null {
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string }>()
    .map((row) => row.name);
  if (tables.length === 0) return null;
  return tables.includes('header') ? Number(readHeader(database, 'schema') ?? Number.NaN) : Number.NaN;
}

function dropAll(database: Database): void {
  const tables = database
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid DESC",
    )
    .all<{ name: string; sql: string }>();
  // Last made, first dropped: no table goes before those that point to it. A virtual table takes its own tables along.
  const virtual = tables.filter((table) => /^CREATE VIRTUAL/i.test(table.sql));
  for (const { name } of tables)
    if (!virtual.some((table) => name.startsWith(`${table.name}_`)))
      database.exec(`DROP TABLE "${name.replaceAll('"', '""')}"`);
}
