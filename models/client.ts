import { setTimeout as sleep } from 'node:timers/promises';
import { abortable } from './abort.ts';
import { loadCatalog } from './catalog.ts';
import { type ChildOptions, ModelChild } from './child.ts';
import { ModelProcessDied, ModelProcessFailed, ModelProcessStopped } from './errors.ts';
import type { Direction, EmbedRole, ModelRequests, ModelsInfo, SpanTriple } from './protocol.ts';

export * from './errors.ts';

/** What the server asks of the models, wherever they run. */
export interface Models extends AsyncDisposable {
  /** Width of the embedder's vectors. */
  readonly dimensions: number;
  /** Unit vectors, one for each text in order. */
  embed(texts: readonly string[], role: EmbedRole, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Triples of each passage, in order. */
  tag(passages: readonly string[], signal?: AbortSignal): Promise<(readonly SpanTriple[])[]>;
  /** Direction of each question, in order. */
  direct(queries: readonly string[], signal?: AbortSignal): Promise<Direction[]>;
  info(signal?: AbortSignal): Promise<ModelsInfo>;
}

export interface ModelState {
  /** `restarting`: died, and waits before the next start. `failed`: stays down until {@link ModelProcess.restart}. */
  readonly kind: 'starting' | 'ready' | 'restarting' | 'failed' | 'stopped';
  /** For a person. */
  readonly message: string;
}

export interface ModelProcessOptions extends ChildOptions {
  /** Milliseconds before the first restart; each further one within the window waits twice as long, to `maxDelay`. */
  readonly firstDelay?: number;
  readonly maxDelay?: number;
  /** Deaths within `deathWindow` milliseconds after which it is not started again. */
  readonly maxDeaths?: number;
  readonly deathWindow?: number;
  /** Milliseconds that a process has to end by itself when disposed. */
  readonly grace?: number;
}

const DEFAULTS = {
  firstDelay: 200,
  maxDelay: 10_000,
  maxDeaths: 5,
  deathWindow: 180_000,
  grace: 2000,
} as const;

/**
 * A call carries at most so much, the rest follows in further calls: a question asked while a folder is being read
 * waits for one call, and a death costs one call.
 */
const MAX_TEXTS = 64;
const MAX_CHARACTERS = 8192;

/** Groups of texts in order, each within the limits or of one text. */
export function splitTexts(texts: readonly string[]): string[][] {
  const groups: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const group = groups.at(-1);
    if (!group || group.length >= MAX_TEXTS || characters + text.length > MAX_CHARACTERS) {
      groups.push([text]);
      characters = text.length;
    } else {
      group.push(text);
      characters += text.length;
    }
  }
  return groups;
}

/** base64 of little-endian float32 rows -> one vector a row. */
function readVectors({ dimensions, vectors }: ModelRequests['models/embed']['result']): Float32Array[] {
  const bytes = Buffer.from(vectors, 'base64');
  // A pooled buffer need not begin at a multiple of four.
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  return Array.from({ length: all.length / dimensions }, (_, row) =>
    all.slice(row * dimensions, (row + 1) * dimensions),
  );
}

/**
 * The models, in a process of their own. It is started by the first call, and again with growing delays when it dies;
 * a call that was open is made once more, then rejected. After too many deaths in a short time it stays down, and
 * every call says so, until {@link restart}. Dispose it: it keeps a child process.
 */
export class ModelProcess implements Models {
  readonly dimensions: number;
  readonly #options: ModelProcessOptions & Record<keyof typeof DEFAULTS, number>;
  readonly #listeners = new Set<(state: ModelState) => void>();
  /** Aborted when the process shall be down: by dispose, or to begin anew. */
  #life = new AbortController();
  #state: ModelState = { kind: 'stopped', message: 'The models are not started yet.' };
  #child: ModelChild | undefined;
  #starting: Promise<ModelChild> | undefined;
  #failure: Error | undefined;
  #deaths: number[] = [];
  #disposed = false;

  /** @throws CatalogError */
  constructor(options: ModelProcessOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.dimensions = loadCatalog(options.folder).embedder.dimensions;
  }

  get state(): ModelState {
    return this.#state;
  }

  /** Id of the running process, for tests and diagnosis. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Tells each change of state; returns what ends it. */
  onState(listener: (state: ModelState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async embed(texts: readonly string[], role: EmbedRole, signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const group of splitTexts(texts)) {
      vectors.push(...readVectors(await this.#call('models/embed', { texts: group, role }, signal)));
    }
    return vectors;
  }

  async tag(passages: readonly string[], signal?: AbortSignal): Promise<(readonly SpanTriple[])[]> {
    const triples: (readonly SpanTriple[])[] = [];
    for (const group of splitTexts(passages)) {
      triples.push(...(await this.#call('models/tag', { passages: group }, signal)).triples);
    }
    return triples;
  }

  async direct(queries: readonly string[], signal?: AbortSignal): Promise<Direction[]> {
    const directions: Direction[] = [];
    for (const group of splitTexts(queries)) {
      directions.push(...(await this.#call('models/direct', { queries: group }, signal)).directions);
    }
    return directions;
  }

  /** Starts the process if need be. */
  async info(signal?: AbortSignal): Promise<ModelsInfo> {
    return await this.#call('models/info', {}, signal);
  }

  /** Forgets deaths and failure, ends what runs, and starts a fresh process. */
  async restart(signal?: AbortSignal): Promise<void> {
    await this.#end(new ModelProcessStopped('The model process is being restarted.'));
    if (this.#disposed) throw this.#stopped();
    this.#life = new AbortController();
    this.#failure = undefined;
    this.#deaths = [];
    await this.info(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await this.#end(this.#stopped());
    this.#change('stopped', 'The models are shut down.');
    this.#listeners.clear();
  }

  /** One call, made a second time if the process dies under it: no call changes anything. */
  async #call<Method extends keyof ModelRequests>(
    method: Method,
    params: ModelRequests[Method]['params'],
    signal?: AbortSignal,
  ): Promise<ModelRequests[Method]['result']> {
    for (let attempt = 1; ; attempt++) {
      const child = await this.#ready(signal);
      try {
        return await child.request(method, params, signal);
      } catch (error) {
        if (!(error instanceof ModelProcessDied) || attempt === 2) throw error;
      }
    }
  }

  async #ready(signal?: AbortSignal): Promise<ModelChild> {
    signal?.throwIfAborted();
    if (this.#disposed) throw this.#stopped();
    // A call may see its process die before its end is told.
    if (this.#child?.end) this.#onEnd(this.#child, this.#child.end);
    if (this.#failure) throw this.#failure;
    if (this.#child) return this.#child;
    this.#starting ??= this.#start(this.#life.signal).finally(() => {
      this.#starting = undefined;
    });
    return await abortable(this.#starting, signal);
  }

  /** Starts until a process answers or too many died. */
  async #start(life: AbortSignal): Promise<ModelChild> {
    for (;;) {
      const { firstDelay, maxDelay } = this.#options;
      const deaths = this.#recentDeaths();
      if (deaths > 0) {
        const delay = Math.min(maxDelay, firstDelay * 2 ** (deaths - 1));
        this.#change('restarting', `The model process died and is started again in ${delay} ms.`);
        await sleep(delay, undefined, { signal: life }).catch(() => {});
      }
      if (life.aborted) throw life.reason;
      this.#change('starting', 'The models are starting.');
      try {
        const child = await ModelChild.start(this.#options, life);
        this.#child = child;
        this.#change('ready', 'The models are ready.');
        void child.ended.then((reason) => this.#onEnd(child, reason));
        return child;
      } catch (error) {
        if (life.aborted) throw life.reason;
        if (!(error instanceof ModelProcessDied)) throw this.#fail(error as Error);
        this.#mourn(error);
        if (this.#failure) throw this.#failure;
      }
    }
  }

  #onEnd(child: ModelChild, reason: Error): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (!(reason instanceof ModelProcessDied)) return;
    this.#mourn(reason);
    // At once rather than at the next call, which then need not wait.
    if (!this.#failure) this.#ready().catch(() => {});
  }

  /** Counts a death; too many are a failure. */
  #mourn(reason: ModelProcessDied): void {
    this.#deaths.push(performance.now());
    const deaths = this.#recentDeaths();
    if (deaths < this.#options.maxDeaths) return;
    const seconds = Math.round(this.#options.deathWindow / 1000);
    this.#fail(
      new ModelProcessFailed(
        `The model process died ${deaths} times within ${seconds} s and is not started again by itself. ` +
          `What needs no model goes on. Restart the models, or choose another Node binary for them. ` +
          `The last time: ${reason.message}`,
        { cause: reason },
      ),
    );
  }

  #recentDeaths(): number {
    const since = performance.now() - this.#options.deathWindow;
    this.#deaths = this.#deaths.filter((time) => time >= since);
    return this.#deaths.length;
  }

  #fail(error: Error): Error {
    this.#failure = error;
    this.#change('failed', error.message);
    return error;
  }

  /** Ends what runs or starts; open and waiting calls are rejected. */
  async #end(reason: ModelProcessStopped): Promise<void> {
    this.#life.abort(reason);
    await this.#starting?.catch(() => {});
    const child = this.#child;
    this.#child = undefined;
    await child?.stop(this.#options.grace);
  }

  #stopped(): ModelProcessStopped {
    return new ModelProcessStopped('The models are shut down: no call can be made any more.');
  }

  #change(kind: ModelState['kind'], message: string): void {
    if (this.#state.kind === kind && this.#state.message === message) return;
    this.#state = { kind, message };
    for (const listener of [...this.#listeners]) listener(this.#state);
  }
}
