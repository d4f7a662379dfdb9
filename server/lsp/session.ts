/** The workspace as it is served: its folders, its open editors, its index, and what holds them together. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Engine, type EngineOptions } from '../engine.ts';
import type { DocumentView, IndexStatus, ServerSettings } from '../protocol.ts';
import { decode } from '../workspace/encoding.ts';
import { readerFor } from '../workspace/readers/index.ts';
import { Answers } from './answers.ts';
import { type NamedFolder, WorkspaceFolders } from './folders.ts';
import { IndexPasses } from './passes.ts';

export interface SessionOptions {
  readonly models: EngineOptions['models'];
  readonly indexFolder: string;
  readonly folders: readonly NamedFolder[];
  readonly settings: ServerSettings;
  /** Text of each open editor by address. */
  readonly openTexts: () => Iterable<readonly [uri: string, text: string]>;
  readonly onStatus: () => void;
  readonly onDocuments: (files: readonly string[]) => void;
  readonly onNotice: (message: string) => void;
}

/** Nothing can be asked: the window has no folder. */
export class NoFolderError extends Error {
  override readonly name = 'NoFolderError';
  constructor() {
    super('No folder is open. Open the folder that holds your documents, then ask.');
  }
}

const LINE_END = /\r\n|\r/g;

interface Opened {
  readonly engine: Engine;
  readonly passes: IndexPasses;
}

export class Session implements AsyncDisposable {
  readonly answers = new Answers();
  readonly #options: SessionOptions;
  #settings: ServerSettings;
  #folders: WorkspaceFolders;
  #opening: Promise<Opened> | null = null;
  #opened: Opened | null = null;
  #failure = '';
  /** Opening and closing happen one after another. */
  #order: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#folders = new WorkspaceFolders(options.folders);
  }

  get folders(): WorkspaceFolders {
    return this.#folders;
  }

  get passesBegun(): number {
    return this.#opened?.passes.begun ?? 0;
  }

  /**
   * The index, opened at the first call.
   * @throws NoFolderError, what opening the index or starting the models throws
   */
  async open(): Promise<Opened> {
    if (this.#folders.roots.length === 0) throw new NoFolderError();
    this.#opening ??= this.#inOrder(() => this.#open());
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = null;
      this.#failure = error instanceof Error ? error.message : String(error);
      this.#options.onStatus();
      throw error;
    }
  }

  async #open(): Promise<Opened> {
    this.#failure = '';
    const { models, onDocuments, onNotice, onStatus } = this.#options;
    const folders = this.#folders;
    const engine = await Engine.open({
      root: folders.roots[0]!.path,
      indexPath: this.#indexPath,
      models,
      folder: folders.documents(this.#settings.include, this.#settings.exclude),
      onNotice,
    });
    const passes = new IndexPasses(engine, {
      overlay: () => this.#overlay(folders),
      extractAhead: () => this.#settings.extractAhead,
      onChange: onStatus,
      onDocuments,
    });
    this.#opened = { engine, passes };
    passes.touch();
    onStatus();
    return this.#opened;
  }

  /** A document was opened, edited or closed, or a file changed. */
  changed(uri: string): void {
    const file = this.#folders.fileOf(uri);
    // A .gitignore decides over others; a folder stands for what was in it.
    if (file === undefined || !(readerFor(file) || file.endsWith('.gitignore') || !path.extname(file)))
      return;
    this.#opened?.passes.touch();
  }

  /** Other folders: the index is put on them; what was embedded and read stays known by its text. */
  async setFolders(folders: readonly NamedFolder[]): Promise<void> {
    this.#folders = new WorkspaceFolders(folders);
    await this.#reopen();
  }

  async setSettings(settings: ServerSettings): Promise<void> {
    const before = this.#settings;
    this.#settings = settings;
    const globs = ({ include, exclude }: ServerSettings): string => JSON.stringify([include, exclude]);
    if (globs(before) !== globs(settings)) await this.#reopen();
    else if (!before.extractAhead && settings.extractAhead) this.#opened?.passes.touch();
  }

  /** Deletes the index and builds it anew. */
  async rebuild(): Promise<void> {
    await this.#close();
    await this.#inOrder(async () => {
      for (const end of ['', '-wal', '-shm', '-journal']) await rm(this.#indexPath + end, { force: true });
    });
    await this.open();
  }

  status(): IndexStatus {
    const folders = this.#folders.views;
    const nothing = { pass: null, files: 0, unread: 0, passages: 0, read: 0, links: 0, folders };
    if (folders.length === 0) return { state: 'no-folder', ...nothing, message: '' };
    if (this.#opened === null) {
      const state = this.#failure ? 'failed' : this.#opening ? 'running' : 'closed';
      return { state, ...nothing, message: this.#failure };
    }
    const { engine, passes } = this.#opened;
    const { read, triples } = engine.extraction();
    const counts = { ...engine.counts(), read, links: triples, folders };
    const { state } = passes;
    switch (state.kind) {
      case 'running':
        return { state: 'running', pass: state.progress, ...counts, message: passes.message };
      case 'failed':
        return { state: 'failed', pass: null, ...counts, message: state.message };
      case 'paused':
        return { state: 'paused', pass: null, ...counts, message: passes.message };
      case 'waiting':
        return { state: 'running', pass: null, ...counts, message: passes.message };
      case 'done':
        return { state: 'ready', pass: null, ...counts, message: passes.message };
    }
  }

  documents(): DocumentView[] {
    const files = this.#opened?.engine.files() ?? new Map();
    return [...files.values()].map(({ path: file, state, reason, title, notes }) => ({
      file,
      state,
      reason,
      title,
      notes,
    }));
  }

  /** Names and versions of the models that the index stands on; empty while it is closed. */
  identities(): Record<string, string> {
    const models = Object.entries(this.#opened?.engine.models ?? {});
    return Object.fromEntries(models.map(([role, { name, version }]) => [role, `${name} ${version}`]));
  }

  get #indexPath(): string {
    return path.join(this.#options.indexFolder, 'index.sqlite');
  }

  #overlay(folders: WorkspaceFolders): Map<string, string> {
    const overlay = new Map<string, string>();
    for (const [uri, text] of this.#options.openTexts()) {
      const file = folders.fileOf(uri);
      if (file !== undefined && readerFor(file) && !isSaved(uri, text)) overlay.set(file, text);
    }
    return overlay;
  }

  async #reopen(): Promise<void> {
    const wasOpen = this.#opening !== null;
    await this.#close();
    this.#options.onStatus();
    if (wasOpen && this.#folders.roots.length > 0) await this.open();
  }

  async #close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    await this.#inOrder(async () => {
      await opening?.catch(() => {});
      const opened = this.#opened;
      this.#opened = null;
      this.answers.forget();
      if (opened === null) return;
      opened.passes[Symbol.dispose]();
      await opened.passes.idle();
      await opened.engine[Symbol.asyncDispose]();
    });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#order.then(work);
    this.#order = run.catch(() => {});
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

/**
 * Whether an editor holds what the file holds, however it is encoded and its lines end: then the file's bytes decide,
 * and opening it is no change.
 */
function isSaved(uri: string, text: string): boolean {
  try {
    const saved = decode(readFileSync(fileURLToPath(uri))).text;
    return saved === text || saved.replaceAll(LINE_END, '\n') === text.replaceAll(LINE_END, '\n');
  } catch {
    return false; // Not there, or no text: the editor's is all there is.
  }
}
