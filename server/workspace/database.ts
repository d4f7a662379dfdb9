/** The index's SQLite file: opening, checking, transactions, and errors in words. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** The index could not be opened or written at all. */
export class IndexUnavailableError extends Error {
  override readonly name: string = 'IndexUnavailableError';
  readonly path: string;
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`The index ${path} cannot be used: ${reason}`, options);
    this.path = path;
  }
}

/** Another process holds the index's write lock for too long. */
export class IndexBusyError extends IndexUnavailableError {
  override readonly name: string = 'IndexBusyError';
  constructor(path: string, options?: ErrorOptions) {
    super(
      path,
      'another Causeway process is writing to it. Wait until it has finished, or close it.',
      options,
    );
  }
}

/** The index's file is damaged. It is set aside and built anew when it is next opened. */
export class IndexDamagedError extends IndexUnavailableError {
  override readonly name: string = 'IndexDamagedError';
  constructor(path: string, options?: ErrorOptions) {
    super(path, 'its file is damaged. It is set aside and built anew when Causeway starts again.', options);
  }
}

export type Row = Record<string, SQLInputValue>;

/** A statement prepared once, whose errors name the index. */
export class Statement {
  readonly #inner: StatementSync;
  readonly #database: Database;

  constructor(inner: StatementSync, database: Database) {
    this.#inner = inner;
    this.#database = database;
  }

  run(...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#database.guard(() => this.#inner.run(...values));
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  get<T = Row>(...values: SQLInputValue[]): T | undefined {
    return this.#database.guard(() => this.#inner.get(...values)) as T | undefined;
  }

  all<T = Row>(...values: SQLInputValue[]): T[] {
    return this.#database.guard(() => this.#inner.all(...values)) as T[];
  }

  /** Rows one after another; the statement must not be run again before the end. */
  *iterate<T = Row>(...values: SQLInputValue[]): Generator<T, void, undefined> {
    const rows = this.#database.guard(() => this.#inner.iterate(...values));
    for (;;) {
      const next = this.#database.guard(() => rows.next());
      if (next.done === true) return;
      yield next.value as T;
    }
  }
}

/** One connection. Dispose it to let go of the file. */
export class Database implements Disposable {
  readonly path: string;
  readonly #inner: DatabaseSync;
  #inTransaction = false;

  private constructor(path: string, inner: DatabaseSync) {
    this.path = path;
    this.#inner = inner;
  }

  /**
   * Opens a file, or memory for ":memory:". Waits `busyTimeout` ms for another process's writing.
   * A file that is no database or is damaged is moved aside to `path`.damaged; `onDamaged` then tells why.
   * @throws IndexUnavailableError, IndexBusyError
   */
  static open(
    path: string,
    busyTimeout: number,
    onDamaged: (reason: string, movedTo: string) => void,
  ): Database {
    if (path === ':memory:') return Database.#connect(path, busyTimeout);
    try {
      mkdirSync(dirname(path), { recursive: true });
    } catch (error) {
      throw new IndexUnavailableError(path, (error as Error).message, { cause: error });
    }
    if (existsSync(damageMark(path))) {
      onDamaged('it was found damaged while in use', setAside(path));
    }
    try {
      return Database.#connect(path, busyTimeout);
    } catch (error) {
      if (!(error instanceof IndexDamagedError)) throw error;
      onDamaged((error.cause as Error | undefined)?.message ?? error.message, setAside(path));
      return Database.#connect(path, busyTimeout);
    }
  }

  static #connect(path: string, busyTimeout: number): Database {
    let inner: DatabaseSync;
    try {
      inner = new DatabaseSync(path, { timeout: busyTimeout });
    } catch (error) {
      throw translate(error, path);
    }
    const database = new Database(path, inner);
    try {
      // A write-ahead log where the file system allows one: readers never wait, and a kill at any moment leaves the
      // last whole transaction. Elsewhere SQLite keeps its rollback journal, which is as safe.
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = NORMAL');
      database.#check();
      return database;
    } catch (error) {
      inner.close();
      throw error;
    }
  }

  /** Reads every page of a file that is not too large for it; of a larger one, the first of each table. */
  #check(): void {
    const size = this.path === ':memory:' ? 0 : statSync(this.path).size;
    if (size > 0 && size <= 64 * 2 ** 20) {
      const found = this.prepare('PRAGMA quick_check(1)').get<{ quick_check: string }>();
      if (found?.quick_check !== 'ok')
        throw new IndexDamagedError(this.path, { cause: new Error(found?.quick_check ?? 'no answer') });
    }
    this.prepare('SELECT count(*) FROM sqlite_master').get();
  }

  prepare(sql: string): Statement {
    return new Statement(
      this.guard(() => this.#inner.prepare(sql)),
      this,
    );
  }

  exec(sql: string): void {
    this.guard(() => this.#inner.exec(sql));
  }

  /** Runs `work` as one transaction; nested calls join the outer one. Anything thrown undoes all of it. */
  transaction<T>(work: () => T): T {
    if (this.#inTransaction) return work();
    this.exec('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite may have rolled back by itself; the first error is the one to tell.
      try {
        this.#inner.exec('ROLLBACK');
      } catch {}
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /** Runs a call into SQLite and puts its errors in words. */
  guard<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      const told = translate(error, this.path);
      if (told instanceof IndexDamagedError && this.path !== ':memory:') markDamaged(this.path);
      throw told;
    }
  }

  [Symbol.dispose](): void {
    if (this.#inner.isOpen) this.#inner.close();
  }
}

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** Read-only, I/O, full disk, cannot open, permissions. */
const UNUSABLE = new Set([3, 8, 10, 13, 14, 23]);

function translate(error: unknown, path: string): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined) return error;
  const primary = code & 0xff;
  if (primary === BUSY || primary === LOCKED) return new IndexBusyError(path, { cause: error });
  if (primary === CORRUPT || primary === NOT_A_DATABASE) return new IndexDamagedError(path, { cause: error });
  if (UNUSABLE.has(primary))
    return new IndexUnavailableError(path, (error as Error).message, { cause: error });
  return error;
}

function damageMark(path: string): string {
  return `${path}.is-damaged`;
}

/** Leaves word for the next opening, which rebuilds; this connection and its statements cannot. */
function markDamaged(path: string): void {
  try {
    writeFileSync(damageMark(path), '');
  } catch {
    // The file is found damaged again then.
  }
}

function setAside(path: string): string {
  const aside = `${path}.damaged`;
  try {
    rmSync(aside, { force: true });
    if (existsSync(path)) renameSync(path, aside);
    for (const suffix of ['-wal', '-shm', '-journal', '.is-damaged']) rmSync(path + suffix, { force: true });
  } catch (error) {
    throw new IndexUnavailableError(path, `it is damaged and cannot be moved: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return aside;
}
