/** Keeps the index in step with a folder. */
import { hash } from 'node:crypto';
import type { Embedder } from '../sarg/types.ts';
import type { FileInFolder, Folder } from './folder.ts';
import { makePassages } from './passages.ts';
import type { FileRecord, IndexStore } from './store.ts';
import type { TripleCache } from './triplecache.ts';
import { type ReadDocument, UnreadableError } from './types.ts';

/** Reads one file's bytes, or an editor's unsaved text; throws {@link UnreadableError}. */
export interface DocumentReaders {
  readDocument(bytes: Uint8Array, file: string): ReadDocument;
  readText(text: string, file: string): ReadDocument;
}

export interface IndexerParts {
  readonly folder: Folder;
  readonly readers: DocumentReaders;
  readonly store: IndexStore;
  /** Without one, passages are found by their words alone. */
  readonly embedder?: Embedder | null;
  /** With `extractAll`, reads the triples of every passage ahead of any question. */
  readonly triples?: TripleCache | null;
  /** Passages embedded a call; default 32. */
  readonly batch?: number;
}

export interface UpdateOptions {
  /** Pauses the update: what is done stays, and the next update goes on from there. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Unsaved texts of open editors by file; they stand in for what is on disk. */
  readonly overlay?: ReadonlyMap<string, string>;
  /** Read the triples of all passages too. */
  readonly extractAll?: boolean;
}

export interface IndexProgress {
  readonly phase: 'files' | 'embed' | 'extract';
  readonly done: number;
  readonly total: number;
  /** The file just looked at, in phase files. */
  readonly file?: string;
}

export interface FileTrouble {
  readonly file: string;
  readonly reason: string;
}

/** What an update did, and what the index holds now. */
export interface IndexReport {
  /** Files found in the folder. */
  readonly seen: number;
  /** Files read because they are new or have another content. */
  readonly changed: number;
  readonly removed: number;
  /** All files that could not be read, now or before, with the reason. */
  readonly failed: readonly FileTrouble[];
  /** Passages in the index. */
  readonly passages: number;
  /** Passages embedded and read for triples in this update; 0 for all that was known. */
  readonly embedded: number;
  readonly extracted: number;
  /** What stopped a part of the work, in words: the index is usable, but not complete. */
  readonly problems: readonly string[];
}

/** A file changed within this time, in ms, before it was last read may have changed again without a new time stamp. */
const COARSE_CLOCK = 2000;
/** Texts taken from the index at a time, to put texts of like length into one batch. */
const SHELF = 512;

export class Indexer {
  readonly #parts: IndexerParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /**
   * Brings the index up to date. Files first, each searchable by its words as soon as it is read; then vectors; then,
   * if asked, triples. Updates called for at the same time run one after another.
   * @throws the signal's reason when paused; FolderError if the folder cannot be listed
   */
  update(options: UpdateOptions = {}): Promise<IndexReport> {
    const run = this.#last.then(() => this.#update(options));
    this.#last = run.catch(() => {});
    return run;
  }

  async #update(options: UpdateOptions): Promise<IndexReport> {
    const { store, triples } = this.#parts;
    options.signal?.throwIfAborted();
    const problems: string[] = [];
    const files = await this.#updateFiles(options);
    const embedded = await this.#embedMissing(options, problems);
    const extracted = options.extractAll ? await this.#extractMissing(options, problems) : 0;
    if (files.changed + files.removed > 0) store.prune(triples ? [triples.version] : []);
    const failed = [...store.files().values()]
      .filter((file) => file.state !== 'indexed')
      .map((file) => ({ file: file.path, reason: file.reason ?? 'unknown' }));
    return { ...files, failed, passages: store.counts().passages, embedded, extracted, problems };
  }

  async #updateFiles(options: UpdateOptions): Promise<{ seen: number; changed: number; removed: number }> {
    const { signal, onProgress } = options;
    const { folder, store } = this.#parts;
    const { files, skipped } = await folder.list(signal);
    signal?.throwIfAborted();
    const known = store.files();
    const gone = new Set(known.keys());
    const total = files.length;
    let changed = 0;
    let done = 0;
    for (const file of files) {
      gone.delete(file.path);
      if (await this.#updateFile(file, known.get(file.path), options)) changed++;
      signal?.throwIfAborted();
      onProgress?.({ phase: 'files', done: ++done, total, file: file.path });
    }
    for (const { path, reason } of skipped) {
      gone.delete(path);
      const before = known.get(path);
      if (before?.state === 'skipped' && before.reason === reason) continue;
      store.putFile(
        { path, size: 0, mtime: 0, hash: '', state: 'skipped', reason, title: path, notes: [] },
        [],
      );
    }
    for (const path of gone) store.removeFile(path);
    return { seen: total, changed, removed: gone.size };
  }

  /** @returns whether the file was read */
  async #updateFile(
    file: FileInFolder,
    known: FileRecord | undefined,
    { overlay, signal }: UpdateOptions,
  ): Promise<boolean> {
    const { folder, readers, store } = this.#parts;
    const { path } = file;
    const unsaved = overlay?.get(path);
    // An unsaved text is kept under no size, so that the file on disk is looked at again once the editor is closed.
    const stamp = unsaved === undefined ? file : { path, size: -1, mtime: 0 };
    if (unsaved === undefined && known !== undefined && isUntouched(file, known)) return false;
    let bytes: Uint8Array | null = null;
    if (unsaved === undefined) {
      try {
        bytes = await folder.read(path, signal);
      } catch (error) {
        signal?.throwIfAborted();
        this.#putFailed({ ...stamp, hash: '' }, error);
        return true;
      }
      signal?.throwIfAborted();
    }
    const content = contentHash(unsaved ?? bytes!);
    if (known !== undefined && known.hash === content && known.state !== 'skipped') {
      store.touchFile(path, stamp.size, stamp.mtime);
      return false;
    }
    try {
      const document =
        unsaved === undefined ? readers.readDocument(bytes!, path) : readers.readText(unsaved, path);
      const { title, notes } = document;
      store.putFile(
        { ...stamp, hash: content, state: 'indexed', reason: null, title, notes },
        makePassages(document, path),
      );
    } catch (error) {
      this.#putFailed({ ...stamp, hash: content }, error);
    }
    return true;
  }

  #putFailed(file: FileInFolder & { readonly hash: string }, error: unknown): void {
    // The index's own errors are not the file's.
    if (error instanceof Error && error.name.startsWith('Index')) throw error;
    const told = error instanceof Error ? error.message : String(error);
    const reason = error instanceof UnreadableError ? told : `could not be read: ${told}`;
    this.#parts.store.putFile({ ...file, state: 'failed', reason, title: file.path, notes: [] }, []);
  }

  async #embedMissing({ signal, onProgress }: UpdateOptions, problems: string[]): Promise<number> {
    const { store, embedder, batch = 32 } = this.#parts;
    if (!embedder) return 0;
    const total = store.vectors.missingCount;
    let done = 0;
    for (let after = 0; done < total; ) {
      const { texts, last } = store.vectors.missing(after, SHELF);
      if (texts.length === 0) break;
      after = last;
      const shelf = texts.toSorted((a, b) => a.text.length - b.text.length);
      for (let from = 0; from < shelf.length; from += batch) {
        const entries = shelf.slice(from, from + batch);
        let vectors: Float32Array[];
        try {
          vectors = await embedder.embed(
            entries.map((entry) => entry.text),
            'passage',
            signal,
          );
          checkVectors(vectors, entries.length, embedder.dimensions);
        } catch (error) {
          signal?.throwIfAborted();
          problems.push(
            `Passages are found by their words alone: ${error instanceof Error ? error.message : error}`,
          );
          return done;
        }
        // What has been computed is kept even when the update was paused meanwhile.
        store.vectors.put(entries.map(({ textId }, at) => ({ textId, vector: vectors[at]! })));
        done += entries.length;
        signal?.throwIfAborted();
        onProgress?.({ phase: 'embed', done, total });
      }
    }
    return done;
  }

  async #extractMissing({ signal, onProgress }: UpdateOptions, problems: string[]): Promise<number> {
    const { triples } = this.#parts;
    if (!triples) return 0;
    let read = 0;
    try {
      await triples.readAll((done, total) => {
        read = done;
        onProgress?.({ phase: 'extract', done, total });
      }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Error && error.name.startsWith('Index')) throw error;
      problems.push(error instanceof Error ? error.message : String(error));
    }
    return read;
  }
}

function isUntouched(file: FileInFolder, known: FileRecord): boolean {
  return (
    known.size === file.size &&
    known.mtime === file.mtime &&
    known.checked - known.mtime > COARSE_CLOCK &&
    known.hash !== '' &&
    known.state !== 'skipped'
  );
}

function contentHash(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex').slice(0, 32);
}

function checkVectors(vectors: readonly Float32Array[], count: number, dimensions: number): void {
  if (vectors.length !== count)
    throw new Error(`the embedder gave ${vectors.length} vectors for ${count} passages`);
  for (const vector of vectors)
    if (vector.length !== dimensions || !Number.isFinite(vector[0]))
      throw new Error(`the embedder gave a vector that is not ${dimensions} numbers`);
}
