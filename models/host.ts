import { join } from 'node:path';
import { type Catalog, type CatalogEntry, checkFiles, loadCatalog } from './catalog.ts';
import { DirectionClassifier } from './direction.ts';
import { Embedder } from './embedder.ts';
import { loadRuntime } from './onnx.ts';
import type { ModelRequests } from './protocol.ts';
import { Tagger } from './tagger.ts';
import { threadCount } from './threads.ts';
import { type Tokenizer, WordPieceTokenizer } from './tokenizer.ts';

export interface ModelHostOptions {
  /** Folder that holds catalog.json and weights/; by default this file's. */
  readonly folder?: string | undefined;
  /** Threads within one operation; by default what affinity and quota allow. */
  readonly threads?: number | undefined;
  /** Where lines for the log go. */
  readonly log?: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
}

type Result<Method extends keyof ModelRequests> = Promise<ModelRequests[Method]['result']>;

/**
 * What the model process does, without its wire: loads each model at its first use, once, and serves calls in the
 * order they came, one at a time. A call whose signal is aborted while it waits is never begun.
 */
export class ModelHost implements AsyncDisposable {
  readonly #catalog: Catalog;
  readonly #threads: number;
  readonly #log: NonNullable<ModelHostOptions['log']>;
  readonly #loaded = new Map<string, Promise<unknown>>();
  readonly #disposables: AsyncDisposable[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** @throws CatalogError */
  constructor(options: ModelHostOptions = {}) {
    this.#catalog = loadCatalog(options.folder);
    this.#threads = options.threads ?? threadCount();
    this.#log = options.log ?? (() => {});
  }

  /** Names and versions. Loads the native runtime but no model, so that it serves as the probe of a new process. */
  async info(): Result<'models/info'> {
    await loadRuntime();
    const { embedder, direction, tagger } = this.#catalog;
    const identity = ({ name, version }: CatalogEntry) => ({ name, version });
    return {
      embedder: { ...identity(embedder), dimensions: embedder.dimensions },
      direction: identity(direction),
      tagger: identity(tagger),
      threads: this.#threads,
      node: process.versions.node,
      pid: process.pid,
    };
  }

  embed(
    { texts, role }: ModelRequests['models/embed']['params'],
    signal: AbortSignal,
  ): Result<'models/embed'> {
    return this.#inTurn(signal, async () => {
      const embedder = await this.#embedder();
      const rows = await embedder.embed(texts, role, signal);
      const vectors = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('base64');
      return { dimensions: embedder.dimensions, vectors };
    });
  }

  tag({ passages }: ModelRequests['models/tag']['params'], signal: AbortSignal): Result<'models/tag'> {
    return this.#inTurn(signal, async () => {
      const tagger = await this.#load(this.#catalog.tagger, (options) => Tagger.load(options));
      return { triples: await tagger.tag(passages, signal) };
    });
  }

  direct(
    { queries }: ModelRequests['models/direct']['params'],
    signal: AbortSignal,
  ): Result<'models/direct'> {
    return this.#inTurn(signal, async () => {
      const classifier = await this.#load(this.#catalog.direction, (options) =>
        DirectionClassifier.load(options),
      );
      return { directions: await classifier.classify(queries, signal) };
    });
  }

  /** Resolves when the calls taken so far have ended, however they ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.idle();
    for (const model of this.#disposables.splice(0)) await model[Symbol.asyncDispose]();
    this.#loaded.clear();
  }

  #inTurn<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return call();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  #embedder(): Promise<Embedder> {
    const entry = this.#catalog.embedder;
    return this.#load(entry, (options) => Embedder.load({ ...options, entry }));
  }

  /** All models read with the embedder's vocabulary: our own were made from its weights. */
  #tokenizer(): Promise<Tokenizer> {
    const entry = this.#catalog.embedder;
    return this.#once('tokenizer', async () => {
      checkFiles(entry, this.#catalog.directory(entry));
      return WordPieceTokenizer.load(join(this.#catalog.directory(entry), entry.tokenizer));
    });
  }

  #load<Model extends AsyncDisposable>(
    entry: CatalogEntry,
    load: (options: { directory: string; tokenizer: Tokenizer; threads: number }) => Promise<Model>,
  ): Promise<Model> {
    return this.#once(entry.role, async () => {
      const begun = performance.now();
      const directory = this.#catalog.directory(entry);
      checkFiles(entry, directory);
      const model = await load({ directory, tokenizer: await this.#tokenizer(), threads: this.#threads });
      this.#disposables.push(model);
      const took = Math.round(performance.now() - begun);
      this.#log(
        'info',
        `${entry.role} ${entry.name} ${entry.version} loaded in ${took} ms, ${this.#threads} threads`,
      );
      return model;
    });
  }

  /** What failed to load is tried again at the next call: a missing file may have been put back. */
  #once<T>(key: string, make: () => Promise<T>): Promise<T> {
    let made = this.#loaded.get(key) as Promise<T> | undefined;
    if (!made) {
      made = make();
      made.catch(() => this.#loaded.delete(key));
      this.#loaded.set(key, made);
    }
    return made;
  }
}
