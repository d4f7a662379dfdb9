/** When the index is brought in step: one pass for a burst of changes, out of the way of questions, pausable. */
import type { Engine } from '../engine.ts';
import type { IndexProgress, IndexReport } from '../workspace/indexer.ts';

export interface PassesOptions {
  /** Unsaved texts of open editors by file. */
  readonly overlay: () => ReadonlyMap<string, string>;
  readonly extractAhead: () => boolean;
  /** Told whenever what {@link IndexPasses.state} says may have changed. */
  readonly onChange: () => void;
  /** Told of files whose content differs from what the index held. */
  readonly onDocuments: (files: readonly string[]) => void;
  readonly onReport?: (report: IndexReport) => void;
  /** Quiet time in ms that ends a burst of changes, and the longest that a burst holds a pass back. */
  readonly quiet?: number;
  readonly patience?: number;
  /** Time in ms after a cancelled question in which no pass begins by itself. */
  readonly rest?: number;
}

export type PassState =
  | { readonly kind: 'waiting' | 'done' | 'paused' }
  | { readonly kind: 'running'; readonly progress: IndexProgress | null }
  | { readonly kind: 'failed'; readonly message: string };

/** More passages than this without a vector are not waited for by a question: it is answered by what is there. */
const WAIT_FOR_PASSAGES = 256;

/** A pass was interrupted for a question or by pausing: no fault. */
class PassInterrupted extends Error {
  override readonly name = 'PassInterrupted';
}

export class IndexPasses implements Disposable {
  readonly #engine: Engine;
  readonly #options: PassesOptions;
  #state: PassState = { kind: 'waiting' };
  #message = '';
  #running: { readonly done: Promise<void>; readonly controller: AbortController } | null = null;
  /** Something changed since the last pass began. */
  #dirty = true;
  #paused = false;
  #questions = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Runs while the machine is left alone: somebody has just stopped a question. */
  #resting: NodeJS.Timeout | undefined;
  #firstChange = 0;
  #disposed = false;
  readonly #watchers = new Set<() => void>();

  constructor(engine: Engine, options: PassesOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  get state(): PassState {
    return this.#state;
  }

  /** What the last pass could not do, in words. */
  get message(): string {
    return this.#message;
  }

  /** Passes begun, for tests and diagnosis. */
  begun = 0;

  /** A file, an editor or a folder changed: a pass follows when it has been quiet for a while. */
  touch(): void {
    this.#dirty = true;
    if (this.#paused || this.#disposed || this.#resting !== undefined) return;
    const now = performance.now();
    if (this.#timer === undefined) this.#firstChange = now;
    clearTimeout(this.#timer);
    const { quiet = 400, patience = 5000 } = this.#options;
    const wait = Math.max(0, Math.min(quiet, this.#firstChange + patience - now));
    this.#timer = setTimeout(() => this.#begin(), wait);
  }

  /** A pass at once, unless paused. */
  run(): void {
    this.#dirty = true;
    this.#wakeUp();
    this.#begin();
  }

  /** Ends the running pass, keeping what it did, and begins none until {@link resume}. */
  pause(): void {
    this.#paused = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.controller.abort(new PassInterrupted('paused'));
    this.#set({ kind: 'paused' });
  }

  resume(): void {
    this.#paused = false;
    this.#set({ kind: 'waiting' });
    this.run();
  }

  /**
   * Runs a question on an index as fresh as can be had without a long wait: changes are read first, and passages get
   * their vectors unless they are many. Work that no question needs stands back meanwhile, and for a while after a
   * question was cancelled: who stops it wants the machine.
   * @returns the question's result
   */
  async question<T>(
    work: () => Promise<T>,
    signal: AbortSignal,
    onWait: (progress: IndexProgress) => void = () => {},
  ): Promise<T> {
    this.#questions++;
    this.#wakeUp();
    try {
      await this.#fresh(signal, onWait);
      this.#running?.controller.abort(new PassInterrupted('a question is asked'));
      await this.#running?.done;
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#questions--;
      if (this.#questions === 0) {
        if (signal.aborted) this.#rest();
        else if (this.#dirty) this.touch();
      }
    }
  }

  /** Waits for the running pass to end, however it ends. */
  async idle(): Promise<void> {
    await this.#running?.done;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#wakeUp();
    this.#running?.controller.abort(new PassInterrupted('closed'));
  }

  #rest(): void {
    this.#wakeUp();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.controller.abort(new PassInterrupted('a question was cancelled'));
    if (this.#disposed) return;
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      if (this.#dirty) this.touch();
    }, this.#options.rest ?? 10_000);
  }

  #wakeUp(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
  }

  async #fresh(signal: AbortSignal, onWait: (progress: IndexProgress) => void): Promise<void> {
    if (this.#paused) return;
    if (this.#dirty && this.#running === null) this.#begin(true);
    while (this.#running !== null && !this.#goodEnough()) {
      if (this.#state.kind === 'running' && this.#state.progress) onWait(this.#state.progress);
      await this.#changed(signal);
    }
    if (this.#dirty && this.#running === null && this.#state.kind !== 'failed' && !this.#paused) {
      // Changed again while the pass ran: once more, and then it is the person who types faster than we read.
      this.#begin(true);
      while (this.#running !== null && !this.#goodEnough()) await this.#changed(signal);
    }
  }

  #goodEnough(): boolean {
    const progress = this.#state.kind === 'running' ? this.#state.progress : null;
    if (progress === null || progress.phase === 'files') return false;
    return progress.phase === 'extract' || progress.total - progress.done > WAIT_FOR_PASSAGES;
  }

  #changed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => () => {
        this.#watchers.delete(wake);
        signal.removeEventListener('abort', abort);
        act();
      };
      const wake = settle(resolve);
      const abort = settle(() => reject(signal.reason));
      this.#watchers.add(wake);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  #begin(forQuestion = false): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#disposed || this.#paused || this.#running !== null || (this.#questions > 0 && !forQuestion))
      return;
    const controller = new AbortController();
    this.#dirty = false;
    this.begun++;
    const done = this.#pass(controller.signal).finally(() => {
      this.#running = null;
      this.#wake();
      this.#options.onChange();
      if (this.#dirty && this.#questions === 0) this.touch();
    });
    this.#running = { done, controller };
    this.#set({ kind: 'running', progress: null });
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const before = new Map([...this.#engine.files()].map(([file, record]) => [file, record.hash]));
    try {
      const report = await this.#engine.update({
        signal,
        overlay: this.#options.overlay(),
        extractAll: this.#options.extractAhead(),
        onProgress: (progress) => this.#set({ kind: 'running', progress }),
      });
      this.#message = report.problems.join(' ');
      this.#options.onReport?.(report);
      this.#set({ kind: 'done' });
    } catch (error) {
      if (error instanceof PassInterrupted) {
        this.#dirty = true;
        this.#set({ kind: this.#paused ? 'paused' : 'waiting' });
      } else {
        this.#set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
      }
    } finally {
      if (!this.#disposed) this.#tellChanged(before);
    }
  }

  #tellChanged(before: ReadonlyMap<string, string>): void {
    const after = this.#engine.files();
    const changed = [...after]
      .filter(([file, record]) => before.get(file) !== record.hash)
      .map(([file]) => file);
    const removed = [...before.keys()].filter((file) => !after.has(file));
    if (changed.length + removed.length > 0) this.#options.onDocuments([...changed, ...removed]);
  }

  #set(state: PassState): void {
    this.#state = state;
    this.#wake();
    this.#options.onChange();
  }

  #wake(): void {
    for (const wake of [...this.#watchers]) wake();
  }
}
