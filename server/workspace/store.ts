/**
 * The index: files, passages, words, vectors and triples in one SQLite file. All of it is derived from the documents:
 * delete the file and it is built anew. Every change is a transaction, so that a kill at any moment leaves it whole.
 */
import type { Passage, PassageId } from '../sarg/types.ts';
import { Database, type Statement } from './database.ts';
import { LexicalIndex } from './lexical.ts';
import { type PassageRow, packNumbers, packSpans, SELECT_PASSAGE, toPassage } from './passagerow.ts';
import { textHash } from './passages.ts';
import { type EmbedderIdentity, prepareSchema, type StoreNotice } from './schema.ts';
import { TripleTable } from './triples.ts';
import { forgetTexts, NameTable, VectorTable } from './vectors.ts';

export type { EmbedderIdentity, StoreNotice } from './schema.ts';

export interface StoreOptions {
  /** The index's file, or ":memory:". Folders above it are made. */
  readonly path: string;
  /** Whose vectors the index holds. Without one the index keeps what vectors it has and takes no new ones. */
  readonly embedder?: EmbedderIdentity;
  /** Told what the person should know: a damaged file set aside, an index of another version or model. */
  readonly onNotice?: (notice: StoreNotice) => void;
  /** How long to wait for another process's writing, in ms; default 10,000. */
  readonly busyTimeout?: number;
}

/** What the index knows of one file. */
export interface FileRecord {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Last change, in ms since 1970. */
  readonly mtime: number;
  /** SHA-256 of the content, shortened. */
  readonly hash: string;
  readonly state: 'indexed' | 'failed' | 'skipped';
  /** Why it was not indexed. */
  readonly reason: string | null;
  readonly title: string;
  /** What its reader left out or found odd. */
  readonly notes: readonly string[];
  /** When the content was last compared, in ms since 1970. */
  readonly checked: number;
}

/** Texts without a passage whose vectors and triples are kept, beside as many as half the present ones. */
const SPARE_TEXTS = 10_000;
const SPARE_NAMES = 200_000;

export class IndexStore implements Disposable {
  readonly path: string;
  readonly vectors: VectorTable;
  readonly names: NameTable;
  readonly triples: TripleTable;
  readonly lexical: LexicalIndex;
  readonly #database: Database;
  readonly #file: Statement;
  readonly #files: Statement;
  readonly #putFile: Statement;
  readonly #touchFile: Statement;
  readonly #removeFile: Statement;
  readonly #oldRows: Statement;
  readonly #text: Statement;
  readonly #addText: Statement;
  readonly #insertPassage: Statement;
  readonly #updatePassage: Statement;
  readonly #removePassage: Statement;
  readonly #byKey: Statement;
  readonly #byFile: Statement;
  readonly #paths: Statement;
  readonly #textsOfRows: Statement;
  readonly #presentTexts: Statement;
  readonly #byTexts: Statement;
  readonly #counts: Statement;

  /**
   * Opens the index, making it if need be. An index that is damaged is set aside, one of another schema is emptied,
   * and one of another embedder loses its vectors; `onNotice` is told each.
   * @throws IndexBusyError if another process keeps it locked, IndexUnavailableError if the file cannot be used
   */
  constructor(options: StoreOptions) {
    this.path = options.path;
    const notify = options.onNotice ?? ((): void => {});
    const database = Database.open(options.path, options.busyTimeout ?? 10_000, (reason, movedTo) =>
      notify({
        kind: 'damaged',
        message: `The index was damaged (${reason}) and is built anew. The old file is kept as ${movedTo}.`,
      }),
    );
    this.#database = database;
    try {
      prepareSchema(database, options.embedder, notify);
      this.vectors = new VectorTable(database, options.embedder);
      this.names = new NameTable(database, options.embedder);
      this.triples = new TripleTable(database);
      this.lexical = new LexicalIndex(database);
      const fileColumns = 'path, size, mtime, hash, state, reason, title, notes, checked';
      this.#file = database.prepare(`SELECT id, ${fileColumns} FROM files WHERE path = ?`);
      this.#files = database.prepare(`SELECT ${fileColumns} FROM files ORDER BY path`);
      this.#putFile = database.prepare(`
        INSERT INTO files (${fileColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime = excluded.mtime, hash = excluded.hash,
          state = excluded.state, reason = excluded.reason, title = excluded.title, notes = excluded.notes,
          checked = excluded.checked
        RETURNING id`);
      this.#touchFile = database.prepare('UPDATE files SET size = ?, mtime = ?, checked = ? WHERE path = ?');
      this.#removeFile = database.prepare('DELETE FROM files WHERE id = ?');
      this.#oldRows = database.prepare(
        `SELECT passages.id AS row, text_id AS textId, files.title || char(10) || headings AS above
         FROM passages JOIN files ON files.id = passages.file WHERE file = ? ORDER BY ordinal`,
      );
      this.#text = database.prepare('SELECT id FROM texts WHERE hash = ?');
      this.#addText = database.prepare('INSERT INTO texts (hash) VALUES (?)');
      const passageColumns =
        'key, file, ordinal, text_id, text, headings, sentences, cell, source, source_offset, line, character, segments';
      this.#insertPassage = database.prepare(
        `INSERT INTO passages (${passageColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      this.#updatePassage = database.prepare(
        `UPDATE passages SET ${passageColumns.replaceAll(/\w+/g, '$& = ?')} WHERE id = ?`,
      );
      this.#removePassage = database.prepare('DELETE FROM passages WHERE id = ?');
      this.#byKey = database.prepare(`${SELECT_PASSAGE} WHERE key = ?`);
      this.#byFile = database.prepare(`${SELECT_PASSAGE} WHERE files.path = ? ORDER BY ordinal`);
      this.#paths = database.prepare('SELECT path FROM files ORDER BY path');
      this.#textsOfRows = database.prepare(
        'SELECT id AS row, text_id AS textId FROM passages WHERE id IN (SELECT value FROM json_each(?))',
      );
      this.#presentTexts = database.prepare(
        'SELECT DISTINCT text_id AS textId FROM passages WHERE text_id IN (SELECT value FROM json_each(?))',
      );
      this.#byTexts = database.prepare(
        `${SELECT_PASSAGE} WHERE text_id IN (SELECT value FROM json_each(?)) ORDER BY files.path, ordinal`,
      );
      this.#counts = database.prepare(
        `SELECT (SELECT count(*) FROM files WHERE state = 'indexed') AS files,
           (SELECT count(*) FROM files WHERE state <> 'indexed') AS unread,
           (SELECT count(*) FROM passages) AS passages`,
      );
    } catch (error) {
      database[Symbol.dispose]();
      throw error;
    }
  }

  /** What the index knows of a file, if anything. */
  file(path: string): FileRecord | undefined {
    const row = this.#file.get<FileRow & { id: number }>(path);
    return row === undefined ? undefined : toFile(row);
  }

  /** All files the index knows, by path. */
  files(): Map<string, FileRecord> {
    return new Map(this.#files.all<FileRow>().map((row) => [row.path, toFile(row)]));
  }

  /** Puts a file and its passages in place of what was known of it, as one transaction. */
  putFile(file: Omit<FileRecord, 'checked'>, passages: readonly Passage[]): void {
    this.#database.transaction(() => {
      const known = this.#file.get<{ id: number }>(file.path);
      const old = known === undefined ? [] : this.#oldRows.all<OldRow>(known.id);
      const { id } = this.#putFile.get<{ id: number }>(
        file.path,
        file.size,
        file.mtime,
        file.hash,
        file.state,
        file.reason,
        file.title,
        JSON.stringify(file.notes),
        Date.now(),
      )!;
      this.#putPassages(id, file.title, passages, old);
    });
  }

  /** The file was looked at and its content has not changed. */
  touchFile(path: string, size: number, mtime: number): void {
    this.#database.transaction(() => this.#touchFile.run(size, mtime, Date.now(), path));
  }

  /** Forgets a file and its passages, as one transaction. */
  removeFile(path: string): void {
    this.#database.transaction(() => {
      const known = this.#file.get<{ id: number }>(path);
      if (known === undefined) return;
      for (const { row } of this.#oldRows.all<OldRow>(known.id)) this.#dropPassage(row);
      this.#removeFile.run(known.id);
    });
  }

  /** A passage by its id. */
  passage(id: PassageId): Passage | undefined {
    const row = this.#byKey.get<PassageRow>(id);
    return row === undefined ? undefined : toPassage(row);
  }

  /** A file's passages in their order. */
  passagesOf(path: string): Passage[] {
    return this.#byFile.all<PassageRow>(path).map(toPassage);
  }

  /** All passages by file and order, read file by file as they are asked for. */
  *passages(): Generator<Passage, void, undefined> {
    for (const { path } of this.#paths.all<{ path: string }>()) yield* this.passagesOf(path);
  }

  /** Row numbers of passages with the numbers of their texts. */
  textsOfRows(rows: readonly number[]): [row: number, textId: number][] {
    return this.#textsOfRows
      .all<{ row: number; textId: number }>(JSON.stringify(rows))
      .map(({ row, textId }) => [row, textId]);
  }

  /** Those of the texts that some passage holds. */
  presentTexts(textIds: readonly number[]): number[] {
    return this.#presentTexts.all<{ textId: number }>(JSON.stringify(textIds)).map((row) => row.textId);
  }

  /** Passages with the given texts, by file and order. */
  rowsOfTexts(textIds: readonly number[]): PassageRow[] {
    return this.#byTexts.all<PassageRow>(JSON.stringify(textIds));
  }

  /** Files indexed, files that could not be, and passages. */
  counts(): { files: number; unread: number; passages: number } {
    return this.#counts.get<{ files: number; unread: number; passages: number }>()!;
  }

  /**
   * Forgets vectors and triples of texts that no passage holds any more, oldest first, beyond a reserve that makes an
   * undo or a change of branch cost nothing.
   * @param keepExtractors versions whose triples must stay
   * @returns how many texts were forgotten
   */
  prune(keepExtractors: readonly string[] = [], spare = SPARE_TEXTS): number {
    const unused = 'id NOT IN (SELECT text_id FROM passages)';
    return this.#database.transaction(() => {
      const { unusedCount, used } = this.#database
        .prepare(
          `SELECT (SELECT count(*) FROM texts WHERE ${unused}) AS unusedCount, (SELECT count(DISTINCT text_id) FROM passages) AS used`,
        )
        .get<{ unusedCount: number; used: number }>()!;
      this.triples.forgetExtractors(new Set(keepExtractors), 3);
      this.#database.exec(`DELETE FROM names WHERE id <= (SELECT max(id) FROM names) - ${SPARE_NAMES}`);
      const reserve = spare + Math.floor(used / 2);
      if (unusedCount <= reserve) return 0;
      return forgetTexts(
        this.#database,
        `id IN (SELECT id FROM texts WHERE ${unused} ORDER BY id LIMIT ?)`,
        unusedCount - Math.floor(reserve / 2),
      );
    });
  }

  /** Lets go of the file. */
  close(): void {
    this.#database[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Rows whose text and headings stay are kept, with their words, and only get their new place. */
  #putPassages(file: number, title: string, passages: readonly Passage[], old: readonly OldRow[]): void {
    const reusable = Map.groupBy(old, ({ textId, above }) => `${textId}\n${above}`);
    for (const passage of passages) {
      const hash = textHash(passage.text);
      const textId = this.#text.get<{ id: number }>(hash)?.id ?? this.#addText.run(hash).id;
      const headings = JSON.stringify(passage.headings);
      const { source } = passage;
      const values = [
        passage.id,
        file,
        passage.ordinal,
        textId,
        passage.text,
        headings,
        packSpans(passage.sentences),
        source.cell ?? null,
        source.text === passage.text ? null : source.text,
        source.offset,
        source.position.line,
        source.position.character,
        packNumbers(source.segments),
      ];
      const same = reusable.get(`${textId}\n${title}\n${headings}`)?.shift();
      if (same !== undefined) this.#updatePassage.run(...values, same.row);
      else {
        const { id } = this.#insertPassage.run(...values);
        this.lexical.insert(id, passage.text, [title, ...passage.headings].join('\n'));
      }
    }
    for (const rest of reusable.values()) for (const { row } of rest) this.#dropPassage(row);
  }

  #dropPassage(row: number): void {
    this.#removePassage.run(row);
    this.lexical.remove(row);
  }
}

interface OldRow {
  readonly row: number;
  readonly textId: number;
  readonly above: string;
}

type FileRow = Omit<FileRecord, 'notes'> & { readonly notes: string };

function toFile(row: FileRow): FileRecord {
  const { path, size, mtime, hash, state, reason, title, checked } = row;
  return { path, size, mtime, hash, state, reason, title, notes: JSON.parse(row.notes) as string[], checked };
}
