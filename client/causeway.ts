/** The one object that owns what the client knows: the server's health, the index, the answer on show, the history. */
import * as vscode from 'vscode';
import type { AskPartial, IndexStatus, ServerNotifications, ServerRequests } from '../server/protocol.ts';
import type { AskOptions } from '../webview/protocol.ts';
import { filesOf, keepAnswer, keptAnswer, type ShownAnswer } from './answer.ts';
import { type Server, ServerGoneError, type ServerHealth } from './server.ts';
import { askDefaults, askSettings, initializationOptions, needsRestart, serverSettings } from './settings.ts';

/** One question of the history. */
export interface PastQuestion {
  readonly question: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type RunEnd =
  | { readonly kind: 'answer'; readonly answer: ShownAnswer; readonly waiting: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string; readonly error: unknown };

/** A question under way, or the last one. */
export interface Run {
  readonly id: string;
  readonly question: string;
  readonly options: AskOptions;
  readonly source: vscode.CancellationTokenSource;
}

const HISTORY = 'causeway.history';
const HISTORY_LENGTH = 50;

const NO_INDEX: IndexStatus = {
  state: 'closed',
  pass: null,
  files: 0,
  unread: 0,
  passages: 0,
  read: 0,
  links: 0,
  folders: [],
  message: '',
};

export class Causeway implements vscode.Disposable {
  readonly context: vscode.ExtensionContext;
  readonly log = vscode.window.createOutputChannel('Causeway', { log: true });
  /** Milliseconds that activation took, for the diagnostic report. */
  activation = 0;
  #server: Promise<Server> | null = null;
  #health: ServerHealth = { kind: 'off' };
  #index: IndexStatus = NO_INDEX;
  #models: ServerNotifications['causeway/modelsChanged'] | null = null;
  #run: Run | null = null;
  #answer: ShownAnswer | null = null;
  #stale: readonly string[] = [];
  /** The server died and is not back yet. */
  #returning = false;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #changed = this.#own(new vscode.EventEmitter<void>());
  readonly #documents = this.#own(new vscode.EventEmitter<void>());
  readonly #started = this.#own(new vscode.EventEmitter<Run>());
  readonly #partial = this.#own(
    new vscode.EventEmitter<{ readonly run: Run; readonly partial: AskPartial }>(),
  );
  readonly #ended = this.#own(new vscode.EventEmitter<{ readonly run: Run; readonly end: RunEnd }>());
  readonly #staleChanged = this.#own(new vscode.EventEmitter<readonly string[]>());
  /** Health, index, answer or history changed. */
  readonly onDidChange = this.#changed.event;
  /** What the index holds of the documents changed. */
  readonly onDidChangeDocuments = this.#documents.event;
  readonly onDidStart = this.#started.event;
  readonly onPartial = this.#partial.event;
  readonly onDidEnd = this.#ended.event;
  readonly onDidBecomeStale = this.#staleChanged.event;

  constructor(context: vscode.ExtensionContext) {
    this.context = context;
    this.#disposables.push(
      this.log,
      vscode.workspace.onDidChangeConfiguration((event) => this.#configured(event)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#change()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        if (this.#server) void this.restart();
      }),
    );
    this.#change();
  }

  get health(): ServerHealth {
    return this.#health;
  }
  get index(): IndexStatus {
    return vscode.workspace.workspaceFolders?.length ? this.#index : { ...NO_INDEX, state: 'no-folder' };
  }
  get models(): ServerNotifications['causeway/modelsChanged'] | null {
    return this.#models;
  }
  get run(): Run | null {
    return this.#run;
  }
  get answer(): ShownAnswer | null {
    return this.#answer;
  }
  /** Files that the answer rests on and that have changed since. */
  get stale(): readonly string[] {
    return this.#stale;
  }
  get history(): readonly PastQuestion[] {
    return this.context.workspaceState.get<PastQuestion[]>(HISTORY, []);
  }

  /** The server, started at the first call. */
  server(): Promise<Server> {
    this.#server ??= this.#start();
    return this.#server;
  }

  async request<Method extends keyof ServerRequests>(
    method: Method,
    params: ServerRequests[Method]['params'],
    token?: vscode.CancellationToken,
  ): Promise<ServerRequests[Method]['result']> {
    const server = await this.server();
    return server.request(method, params, token);
  }

  async #start(): Promise<Server> {
    this.#setHealth({ kind: 'starting' });
    try {
      const { connect } = await import('./connection.ts');
      const server = await connect({
        extensionPath: this.context.extensionPath,
        options: initializationOptions(this.context),
        log: this.log,
        onHealth: (health) => this.#setHealth(health),
        onNotification: (method, params) => this.#notified(method, params),
      });
      this.#setHealth({ kind: 'ready' });
      return server;
    } catch (error) {
      this.#server = null;
      this.#setHealth({
        kind: 'failed',
        message: `The Causeway server could not be started: ${message(error)}`,
      });
      throw error;
    }
  }

  /** Ends the server and starts a fresh one. */
  async restart(): Promise<void> {
    this.#run?.source.cancel();
    const server = this.#server;
    this.#server = null;
    await server?.then((running) => running.stop()).catch(() => {});
    this.#index = NO_INDEX;
    this.#models = null;
    await this.server();
    await this.steer('update');
  }

  /** Steers the index; the state that follows comes by itself. */
  async steer(action: ServerRequests['causeway/index']['params']['action']): Promise<IndexStatus> {
    this.#index = await this.request('causeway/index', { action });
    this.#change();
    return this.#index;
  }

  /** Starts the server and the index, if there is a folder, without waiting for either. */
  wake(): void {
    if (this.#server !== null || !vscode.workspace.workspaceFolders?.length) return;
    this.steer('update').catch((error: unknown) => this.log.error(message(error)));
  }

  /** Asks; a question that is under way is cancelled. Never rejects: how it ended is told by {@link onDidEnd}. */
  async ask(question: string, options: AskOptions = askDefaults()): Promise<RunEnd> {
    this.#run?.source.cancel();
    const run: Run = {
      id: `${Date.now()}-${Math.random().toString(36).slice(2)}`,
      question,
      options,
      source: new vscode.CancellationTokenSource(),
    };
    this.#run = run;
    void this.#remember(question);
    this.#started.fire(run);
    this.#change();
    const end = await this.#ask(run);
    if (end.kind === 'answer' && this.#run === run) {
      this.#answer = end.answer;
      this.#setStale([]);
      keepAnswer(this.context, end.answer).catch((error: unknown) =>
        this.log.warn(`the answer is not kept: ${message(error)}`),
      );
    }
    if (end.kind === 'failed') this.log.error(`asking failed: ${end.message}`);
    if (this.#run === run) this.#run = null;
    this.#ended.fire({ run, end });
    this.#change();
    run.source.dispose();
    return end;
  }

  async #ask(run: Run): Promise<RunEnd> {
    const { token } = run.source;
    // Whatever is waited for (the server's start, the models), stopping is answered at once.
    const stopped = new Promise<RunEnd>((resolve) =>
      token.onCancellationRequested(() => resolve({ kind: 'cancelled' })),
    );
    return Promise.race([this.#askTwice(run), stopped]);
  }

  async #askTwice(run: Run): Promise<RunEnd> {
    const { token } = run.source;
    try {
      return await this.#askOnce(run);
    } catch (error) {
      if (token.isCancellationRequested) return { kind: 'cancelled' };
      if (!(error instanceof ServerGoneError)) return { kind: 'failed', message: message(error), error };
    }
    // The server died under the question: asked once more when it is back.
    try {
      await this.#recovered(token);
      return await this.#askOnce(run);
    } catch (error) {
      return token.isCancellationRequested
        ? { kind: 'cancelled' }
        : { kind: 'failed', message: message(error), error };
    }
  }

  async #askOnce(run: Run): Promise<RunEnd> {
    const { token } = run.source;
    const server = await this.server();
    const params = { question: run.question, options: askSettings(run.options) };
    const { answer, view, folders, waiting } = await server.request(
      'causeway/ask',
      params,
      token,
      (partial) => {
        if (!token.isCancellationRequested) this.#partial.fire({ run, partial });
      },
    );
    return {
      kind: 'answer',
      answer: { run: run.id, view, options: run.options, folders, server: answer },
      waiting,
    };
  }

  /** Waits until the server runs again; rejects when it is given up or the question is stopped. */
  #recovered(token: vscode.CancellationToken): Promise<void> {
    return new Promise((resolve, reject) => {
      const listeners: vscode.Disposable[] = [];
      const look = (): void => {
        const { kind } = this.#health;
        if (kind !== 'ready' && kind !== 'failed' && !token.isCancellationRequested) return;
        for (const listener of listeners) listener.dispose();
        if (kind === 'ready' && !token.isCancellationRequested) resolve();
        else reject(new ServerGoneError());
      };
      listeners.push(this.onDidChange(look), token.onCancellationRequested(look));
      look();
    });
  }

  cancel(): void {
    this.#run?.source.cancel();
  }

  /** Takes up the answer that was on show before the window was closed. */
  async restore(): Promise<ShownAnswer | null> {
    this.#answer ??= await keptAnswer(this.context);
    this.#change();
    return this.#answer;
  }

  async #remember(question: string): Promise<void> {
    const others = this.history.filter((past) => past.question !== question);
    await this.context.workspaceState.update(
      HISTORY,
      [{ question, at: Date.now() }, ...others].slice(0, HISTORY_LENGTH),
    );
    this.#change();
  }

  async forget(question?: string): Promise<void> {
    const left = question === undefined ? [] : this.history.filter((past) => past.question !== question);
    await this.context.workspaceState.update(HISTORY, left);
    this.#change();
  }

  async stop(): Promise<void> {
    this.#run?.source.cancel();
    const server = this.#server;
    this.#server = null;
    await server?.then((running) => running.stop()).catch(() => {});
  }

  dispose(): void {
    for (const disposable of this.#disposables.splice(0)) disposable.dispose();
  }

  #notified<Method extends keyof ServerNotifications>(
    method: Method,
    params: ServerNotifications[Method],
  ): void {
    if (method === 'causeway/indexChanged') {
      this.#index = params as IndexStatus;
      this.#change();
    } else if (method === 'causeway/modelsChanged') {
      this.#models = params as ServerNotifications['causeway/modelsChanged'];
      this.#change();
    } else if (method === 'causeway/documentsChanged') {
      const { files } = params as ServerNotifications['causeway/documentsChanged'];
      this.#documents.fire();
      if (this.#answer === null) return;
      const rests = filesOf(this.#answer.view);
      const changed = files.filter((file) => rests.has(file));
      if (changed.length > 0) this.#setStale([...new Set([...this.#stale, ...changed])]);
    } else {
      this.log.info((params as ServerNotifications['causeway/notice']).message);
    }
  }

  #configured(event: vscode.ConfigurationChangeEvent): void {
    if (
      !event.affectsConfiguration('causeway') &&
      !event.affectsConfiguration('files.exclude') &&
      !event.affectsConfiguration('search.exclude')
    )
      return;
    this.#change();
    if (this.#server === null) return;
    if (needsRestart(event)) void this.restart().catch((error: unknown) => this.log.error(message(error)));
    else void this.#server.then((server) => server.setSettings(serverSettings())).catch(() => {});
  }

  #setStale(files: readonly string[]): void {
    this.#stale = files;
    this.#staleChanged.fire(files);
  }

  #setHealth(health: ServerHealth): void {
    if (health.kind === 'recovering') this.#returning = true;
    this.#health = health;
    if ('message' in health) this.log.warn(health.message);
    // A server that came back has its index closed until somebody needs it: somebody did.
    if (health.kind === 'ready' && this.#returning) {
      this.#returning = false;
      this.steer('update').catch((error: unknown) => this.log.error(message(error)));
    }
    this.#change();
  }

  #change(): void {
    const set = (key: string, value: boolean): void => {
      void vscode.commands.executeCommand('setContext', `causeway.${key}`, value);
    };
    const { state } = this.index;
    set('hasAnswer', this.#answer !== null);
    set('asking', this.#run !== null);
    set('indexing', state === 'running');
    set('paused', state === 'paused');
    set('serverRunning', this.#server !== null);
    this.#changed.fire();
  }

  #own<T>(emitter: vscode.EventEmitter<T>): vscode.EventEmitter<T> {
    this.#disposables.push(emitter);
    return emitter;
  }
}

export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
