/**
 * One folder, its index and its models, put together: what the command line and the language server both stand on.
 * The models are handed in, so that several folders share one model process.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Models } from '../models/client.ts';
import type { SpanTriple } from '../models/protocol.ts';
import type { AnswerView } from './protocol.ts';
import { type Abbreviation, findAbbreviations } from './sarg/abbreviations.ts';
import { extract } from './sarg/extract.ts';
import { type AskOptions, DEFAULT_OPTIONS } from './sarg/options.ts';
import { type Answered, ask, type Progress } from './sarg/pipeline.ts';
import { type Resolution, resolve } from './sarg/resolve.ts';
import type {
  Direction,
  Director,
  Embedder,
  Passage,
  PassageId,
  Phrase,
  Triple,
  TripleSource,
} from './sarg/types.ts';
import { answerView, type ModelNames } from './view.ts';
import type { FileInFolder, Folder } from './workspace/folder.ts';
import { Indexer, type IndexReport, type UpdateOptions } from './workspace/indexer.ts';
import { CachedEmbedder } from './workspace/namecache.ts';
import { readDocument, readText } from './workspace/readers/index.ts';
import { IndexRetriever } from './workspace/retriever.ts';
import { IndexStore, type StoreNotice } from './workspace/store.ts';
import { type Tagger, TripleCache } from './workspace/triplecache.ts';
import { UnreadableError } from './workspace/types.ts';
import { reason, walk } from './workspace/walk.ts';

export interface EngineOptions {
  /** The folder with the documents. */
  readonly root: string;
  /** The index's file, or ":memory:". */
  readonly indexPath: string;
  readonly models: Models;
  /** Globs of files to take, and to leave out. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Where the documents come from, if not from `root` on disk: several folders, for example. */
  readonly folder?: Folder;
  /** Told what a person should know, in words. */
  readonly onNotice?: (notice: string) => void;
}

export class Engine implements AsyncDisposable {
  readonly root: string;
  readonly #store: IndexStore;
  readonly #director: Director;
  readonly #embedder: Embedder;
  readonly #cache: TripleCache;
  readonly #indexer: Indexer;
  readonly #retriever: IndexRetriever;
  readonly #names: ModelNames;
  #abbreviations: readonly Abbreviation[] | null = null;

  private constructor(options: EngineOptions, store: IndexStore, names: ModelNames) {
    this.root = options.root;
    this.#store = store;
    this.#director = new KnownDirections(options.models);
    this.#names = names;
    this.#embedder = new CachedEmbedder(store, options.models);
    this.#cache = new TripleCache(
      store,
      new ModelTagger(options.models, `${names.extractor.name} ${names.extractor.version}`),
    );
    this.#retriever = new IndexRetriever(store, this.#embedder, {
      onDegraded: (reason) => options.onNotice?.(reason),
    });
    this.#indexer = new Indexer({
      folder: options.folder ?? new DiskFolder(options.root, options.include ?? [], options.exclude ?? []),
      readers: { readDocument, readText },
      store,
      embedder: options.models,
      triples: this.#cache,
    });
  }

  /**
   * Opens the folder's index, making it if need be.
   * @throws what opening the index or starting the models throws
   */
  static async open(options: EngineOptions, signal?: AbortSignal): Promise<Engine> {
    const info = await options.models.info(signal);
    const store = new IndexStore({
      path: options.indexPath,
      embedder: info.embedder,
      onNotice: (notice: StoreNotice) => options.onNotice?.(notice.message),
    });
    return new Engine(options, store, {
      embedder: info.embedder,
      direction: info.direction,
      extractor: info.tagger,
    });
  }

  /** Brings the index in step with the folder; see {@link Indexer.update}. */
  async update(options: UpdateOptions = {}): Promise<IndexReport> {
    const report = await this.#indexer.update(options);
    if (report.changed + report.removed > 0) this.#abbreviations = null;
    return report;
  }

  /** Asks the index as it is; call {@link update} first for the folder as it is. */
  async ask(
    question: string,
    options: AskOptions,
    signal?: AbortSignal,
    onProgress?: (progress: Progress) => void,
    onRead?: (done: number, total: number) => void,
  ): Promise<Answered> {
    const sources = {
      retriever: this.#retriever.forQuestion(),
      triples: new CachedTriples(this.#cache, onRead),
      embedder: this.#embedder,
      director: this.#director,
      abbreviations: this.#knownAbbreviations(),
    };
    return ask(question, sources, options, signal, onProgress);
  }

  /**
   * Links of one concept beyond those of `known`: reads the passages of the folder that mention the phrases.
   * @param exclude passages that are not read again
   * @returns the known triples and the new ones behind them, with the concepts that all of them make
   */
  async expand(
    known: readonly Triple[],
    phrases: readonly Phrase[],
    exclude: ReadonlySet<PassageId>,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ readonly triples: readonly Triple[]; readonly resolution: Resolution }> {
    const found = await this.#retriever.forQuestion().mentioning(phrases, limit, exclude, signal);
    const passages = found.map((entry) => entry.passage);
    const { triples } = await new CachedTriples(this.#cache).triples(passages, signal);
    const all = [...known, ...triples];
    const { mergeAbove } = DEFAULT_OPTIONS;
    const resolution = await resolve(
      all,
      this.#knownAbbreviations(),
      this.#embedder,
      { mergeAbove, enabled: true },
      signal,
    );
    return { triples: all, resolution };
  }

  /** Texts of passages that have no vector yet, and are found by their words alone. */
  unembedded(): number {
    return this.#store.vectors.missingCount;
  }

  /** The models that the index and the answers stand on. */
  get models(): ModelNames {
    return this.#names;
  }

  /** Passages whose triples were read so far, and the triples found in them. */
  extraction(): { readonly read: number; readonly failed: number; readonly triples: number } {
    return this.#store.triples.counts(this.#cache.version);
  }

  view(answered: Answered): AnswerView {
    return answerView(answered, this.#names);
  }

  /** What the index knows of every file. */
  files(): ReturnType<IndexStore['files']> {
    return this.#store.files();
  }

  counts(): ReturnType<IndexStore['counts']> {
    return this.#store.counts();
  }

  /** Every triple that has been read in the folder, passage by passage; reads what is missing. */
  async triples(signal?: AbortSignal): Promise<Triple[]> {
    const { triples } = await new CachedTriples(this.#cache).triples([...this.#retriever.all()], signal);
    return triples;
  }

  /** All triples of the folder with the concepts they join. */
  async concepts(
    signal?: AbortSignal,
  ): Promise<{ readonly triples: Triple[]; readonly resolution: Resolution }> {
    const triples = await this.triples(signal);
    const { mergeAbove } = DEFAULT_OPTIONS;
    const resolution = await resolve(
      triples,
      this.#knownAbbreviations(),
      this.#embedder,
      { mergeAbove, enabled: true },
      signal,
    );
    return { triples, resolution };
  }

  #knownAbbreviations(): readonly Abbreviation[] {
    this.#abbreviations ??= [...this.#retriever.all()].flatMap((passage) => findAbbreviations(passage.text));
    return this.#abbreviations;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#store[Symbol.dispose]();
  }
}

/** The embedded tagger, as the index's cache of triples asks it. */
class ModelTagger implements Tagger {
  readonly version: string;
  readonly #models: Models;

  constructor(models: Models, version: string) {
    this.#models = models;
    this.version = version;
  }

  tag(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly SpanTriple[])[]> {
    return this.#models.tag(texts, signal);
  }
}

/** Directions kept in memory. */
const MOST_DIRECTIONS = 256;

/** The classifier, asked once for each question: the same one is asked again after an edit or with other options. */
class KnownDirections implements Director {
  readonly #models: Models;
  readonly #known = new Map<string, Direction>();

  constructor(models: Models) {
    this.#models = models;
  }

  async direct(queries: readonly string[], signal?: AbortSignal): Promise<Direction[]> {
    const missing = queries.filter((query) => !this.#known.has(query));
    const found = missing.length === 0 ? [] : await this.#models.direct(missing, signal);
    const fresh = new Map(missing.map((query, at) => [query, found[at]!]));
    const directions = queries.map((query) => fresh.get(query) ?? this.#known.get(query)!);
    if (this.#known.size + fresh.size > MOST_DIRECTIONS) this.#known.clear();
    for (const [query, direction] of fresh) this.#known.set(query, direction);
    return directions;
  }
}

/** Readings of passages as the triples of the method. */
class CachedTriples implements TripleSource {
  readonly #cache: TripleCache;
  readonly #onRead: ((done: number, total: number) => void) | undefined;

  constructor(cache: TripleCache, onRead?: (done: number, total: number) => void) {
    this.#cache = cache;
    this.#onRead = onRead;
  }

  async triples(passages: readonly Passage[], signal?: AbortSignal): ReturnType<TripleSource['triples']> {
    let done = 0;
    const { readings, readNow, fresh, failed } = await this.#cache.read(
      passages,
      { onReading: () => this.#onRead?.(++done, passages.length) },
      signal,
    );
    const triples: Triple[] = [];
    let extracted = 0;
    for (const [at, reading] of readings.entries()) {
      if (reading.state === 'failed') continue;
      const found = extract(passages[at]!, reading.triples, this.#cache.version).triples;
      triples.push(...found);
      if (readNow[at]) extracted += found.length;
    }
    return { triples, extracted, passagesExtracted: fresh, failed };
  }
}

/** The folder itself can't be listed. */
export class FolderError extends Error {
  override readonly name = 'FolderError';

  constructor(root: string, why: string) {
    super(`The folder ${root} can't be read: ${why}.`);
  }
}

/** A folder on disk. */
export class DiskFolder implements Folder {
  readonly #root: string;
  readonly #include: readonly string[];
  readonly #exclude: readonly string[];

  constructor(root: string, include: readonly string[], exclude: readonly string[]) {
    this.#root = root;
    this.#include = include;
    this.#exclude = exclude;
  }

  async list(signal?: AbortSignal): ReturnType<Folder['list']> {
    const files: FileInFolder[] = [];
    const skipped: { path: string; reason: string }[] = [];
    const globs = { include: [...this.#include], exclude: [...this.#exclude] };
    try {
      for await (const entry of walk(this.#root, globs, signal ?? new AbortController().signal)) {
        if ('skipped' in entry) skipped.push({ path: entry.file, reason: entry.skipped });
        else files.push({ path: entry.file, size: entry.size, mtime: entry.mtimeMs });
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw new FolderError(this.#root, reason(error, 'folder'));
    }
    return { files, skipped };
  }

  async read(file: string, signal?: AbortSignal): Promise<Uint8Array> {
    try {
      return await readFile(path.join(this.#root, ...file.split('/')), { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw new UnreadableError(file, reason(error, 'file'));
    }
  }
}
