import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  CancellationTokenSource,
  ConnectionError,
  createMessageConnection,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { ModelProcessDied, ModelProcessFailed, ModelProcessStopped, reviveError } from './errors.ts';
import type { ModelNotifications, ModelRequests } from './protocol.ts';

export interface ChildOptions {
  /** The Node (or Electron) binary that runs the models; by default the one that runs the caller. */
  readonly execPath?: string;
  /** The process's entry file; by default process.ts beside this file. A bundle passes its own. */
  readonly entry?: string;
  /** Folder that holds catalog.json and weights/; by default this file's. */
  readonly folder?: string;
  /** Threads within one operation; by default what affinity and quota allow. */
  readonly threads?: number;
  /** Most milliseconds from the start of the process to its first answer. */
  readonly startTimeout?: number;
  /** Lines for the log: the process's own, and what it writes to standard error. */
  readonly log?: (line: ModelNotifications['models/log']) => void;
}

const START_TIMEOUT = 60_000;
/** How much of the process's standard error is kept for the message of its death, in characters. */
const LAST_WORDS = 1000;

/** Codes with which vscode-jsonrpc tells that the channel is gone; the process's end follows and tells why. */
const CHANNEL_GONE: readonly number[] = [ErrorCodes.MessageWriteError, ErrorCodes.PendingResponseRejected];

/** One running model process: its handle, its wire and the calls that are open. */
export class ModelChild {
  readonly #process: ChildProcess;
  readonly #connection: MessageConnection;
  /** Rejecters of open calls. */
  readonly #open = new Set<(reason: Error) => void>();
  /** Why the process is gone, or is going. */
  #end: Error | undefined;
  #lastWords = '';
  /** Resolves, never rejects, with the reason when the process has ended. */
  readonly ended: Promise<Error>;

  private constructor(options: ChildOptions) {
    const entry = options.entry ?? fileURLToPath(new URL('./process.ts', import.meta.url));
    const args: string[] = [];
    if (options.folder !== undefined) args.push(`--folder=${options.folder}`);
    if (options.threads !== undefined) args.push(`--threads=${options.threads}`);
    const execPath = options.execPath ?? process.execPath;
    this.#process = fork(entry, args, {
      execPath,
      // The caller's own flags (an inspector's port, a test runner's) are not for the child.
      execArgv: [],
      // Under Electron this makes the editor's binary a plain Node; others ignore it.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      // Standard output may be the caller's protocol: nothing of the child's may get there.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
      options.log?.({ level: 'warn', message: text.trimEnd() });
    });
    this.ended = new Promise((resolve) => {
      const finish = (reason: Error) => {
        this.#end ??= reason;
        this.#connection.dispose();
        this.#rejectOpen(this.#end);
        resolve(this.#end);
      };
      this.#process.once('close', (code, signal) => finish(this.#died(code, signal)));
      this.#process.once('error', (error) => {
        if (this.#process.pid !== undefined) return; // It runs; its end comes by 'close'.
        finish(
          new ModelProcessFailed(
            `The model process cannot be started with ${execPath}: ${error.message}. Check the path of the Node binary.`,
            { cause: error },
          ),
        );
      });
    });
    this.#connection = createMessageConnection(
      new IPCMessageReader(this.#process),
      new IPCMessageWriter(this.#process),
    );
    this.#connection.onNotification('models/log', (line: ModelNotifications['models/log']) =>
      options.log?.(line),
    );
    this.#connection.listen();
  }

  /**
   * Starts a process and waits for its first answer, which shows that the native module loads.
   * @throws ModelProcessDied when it ends or stays silent, ModelProcessFailed when it cannot be started,
   *   NativeRuntimeError or CatalogError when it runs but can run no model, the signal's reason
   */
  static async start(options: ChildOptions, signal: AbortSignal): Promise<ModelChild> {
    signal.throwIfAborted();
    const child = new ModelChild(options);
    const limit = options.startTimeout ?? START_TIMEOUT;
    const timer = setTimeout(() => {
      child.kill(
        new ModelProcessDied(`The model process gave no sign within ${limit} ms of its start and was ended.`),
      );
    }, limit);
    try {
      await child.request('models/info', {}, signal);
      return child;
    } catch (error) {
      child.kill(error as Error);
      await child.ended;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Why it has ended, or is ending; undefined while it can be called. */
  get end(): Error | undefined {
    return this.#end;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * One call. An abort rejects at once; the process drops the call before its next text.
   * @throws the process's own error, ModelProcessDied, ModelProcessStopped, the signal's reason
   */
  request<Method extends keyof ModelRequests>(
    method: Method,
    params: ModelRequests[Method]['params'],
    signal?: AbortSignal,
  ): Promise<ModelRequests[Method]['result']> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#end) return Promise.reject(this.#end);
    const source = new CancellationTokenSource();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        this.#open.delete(rejectOpen);
        signal?.removeEventListener('abort', abort);
        act();
        source.dispose();
      };
      const rejectOpen = (reason: Error) => {
        source.cancel();
        settle(() => reject(reason));
      };
      const abort = () => rejectOpen(signal?.reason);
      this.#open.add(rejectOpen);
      signal?.addEventListener('abort', abort, { once: true });
      this.#connection.sendRequest<ModelRequests[Method]['result']>(method, params, source.token).then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => {
          if (error instanceof ConnectionError) return;
          if (error instanceof ResponseError) {
            if (CHANNEL_GONE.includes(error.code)) return;
            settle(() => reject(reviveError(error.message, error.data)));
          } else settle(() => reject(error));
        },
      );
    });
  }

  /** Ends the process: open calls are rejected and cancelled; if it does not follow within `grace` ms it is killed. */
  async stop(grace: number): Promise<void> {
    this.#end ??= new ModelProcessStopped('The model process was shut down.');
    this.#rejectOpen(this.#end);
    void this.#connection.sendRequest('models/shutdown', {}).catch(() => {});
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), grace);
    await this.ended;
    clearTimeout(timer);
  }

  /** Kills the process; calls are rejected with `reason`. */
  kill(reason: Error): void {
    this.#end ??= reason;
    this.#rejectOpen(reason);
    this.#process.kill('SIGKILL');
  }

  #rejectOpen(reason: Error): void {
    for (const reject of [...this.#open]) reject(reason);
  }

  #died(code: number | null, signal: NodeJS.Signals | null): ModelProcessDied {
    const how = signal ? `by signal ${signal}` : `with exit code ${code}`;
    const words = this.#lastWords.trim();
    return new ModelProcessDied(
      `The model process ended ${how} while it was needed. It is started again; ` +
        'if this goes on, there may be too little memory, or the Node binary of the model process does not suit the ' +
        `native module.${words ? ` Its last words: ${words}` : ''}`,
    );
  }
}
