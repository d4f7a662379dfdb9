/** The language server: standard LSP for folders, documents and watched files, and requests of our own over them. */
import {
  type CancellationToken,
  type Connection,
  ProgressType,
  TextDocumentSyncKind,
  TextDocuments,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
  type WorkspaceFolder,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { EngineOptions } from '../engine.ts';
import type {
  AskPartial,
  InitializationOptions,
  ServerNotifications,
  ServerRequests,
  ServerSettings,
} from '../protocol.ts';
import { askWorkspace } from './ask.ts';
import { failure, signalOf, throttle } from './calls.ts';
import type { NamedFolder } from './folders.ts';
import { Session } from './session.ts';

type ServerModels = EngineOptions['models'];
interface ModelState {
  readonly kind: ServerNotifications['causeway/modelsChanged']['state'];
  readonly message: string;
}

/** The models as the server keeps them: a process that may die and be started afresh. */
export interface ServedModels extends ServerModels {
  readonly state?: ModelState;
  readonly pid?: number | undefined;
  onState?(listener: (state: ModelState) => void): () => void;
  restart?(signal?: AbortSignal): Promise<void>;
}

export interface ServeOptions {
  readonly version: string;
  readonly createModels: (
    options: InitializationOptions,
    log: (level: LogLevel, message: string) => void,
  ) => ServedModels;
}

type LogLevel = ServerSettings['logLevel'];
const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
/** Least milliseconds between two tellings of the index's status. */
const STATUS_INTERVAL = 100;

const PARTIAL = new ProgressType<AskPartial>();

const DEFAULT_SETTINGS: ServerSettings = {
  include: [],
  exclude: [],
  extractAhead: true,
  extractor: 'tagger',
  logLevel: 'info',
};

/** Serves one client over the connection until it ends. Nothing is read and no model started before it is needed. */
export function serve(connection: Connection, options: ServeOptions): void {
  const texts = new TextDocuments(TextDocument);
  let settings = DEFAULT_SETTINGS;
  let session: Session | undefined;
  let models: ServedModels | undefined;

  const log = (level: LogLevel, message: string): void => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(settings.logLevel)) return;
    const line = message.replace(/[\p{Cc}]+/gu, ' ');
    if (level === 'error') connection.console.error(line);
    else if (level === 'warn') connection.console.warn(line);
    else if (level === 'info') connection.console.info(line);
    else connection.console.debug(line);
  };
  const notify = <Method extends keyof ServerNotifications>(
    method: Method,
    params: ServerNotifications[Method],
  ): void => {
    void connection.sendNotification(method, params).catch(() => {});
  };
  const served = (): Session => {
    if (session === undefined) throw new Error('The server is not initialized.');
    return session;
  };

  connection.onInitialize((params) => {
    const given = params.initializationOptions as InitializationOptions | undefined;
    if (typeof given?.indexFolder !== 'string' || given.indexFolder === '')
      throw new Error(
        'initializationOptions.indexFolder must name the folder for the index (docs/PROTOCOL.md).',
      );
    settings = { ...DEFAULT_SETTINGS, ...given.settings };
    models = options.createModels(given, log);
    models.onState?.(({ kind, message }) => {
      log(kind === 'failed' ? 'error' : 'info', message);
      notify('causeway/modelsChanged', { state: kind, message });
    });
    const status = throttle(STATUS_INTERVAL, () => {
      if (session) notify('causeway/indexChanged', session.status());
    });
    session = new Session({
      models,
      indexFolder: given.indexFolder,
      folders: named(params.workspaceFolders),
      settings,
      openTexts: () => texts.all().map((document) => [document.uri, document.getText()] as const),
      onStatus: status,
      onDocuments: (files) => notify('causeway/documentsChanged', { files }),
      onNotice: (message) => {
        log('warn', message);
        notify('causeway/notice', { message });
      },
    });
    return {
      serverInfo: { name: 'causeway', version: options.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });

  connection.onInitialized(() => {
    connection.workspace.onDidChangeWorkspaceFolders(async () => {
      const folders = named(await connection.workspace.getWorkspaceFolders());
      await session?.setFolders(folders).catch((error: Error) => log('error', error.message));
    });
  });
  connection.onDidChangeConfiguration(
    async ({ settings: next }: { settings: Partial<ServerSettings> | null }) => {
      settings = { ...settings, ...next };
      await session?.setSettings(settings).catch((error: Error) => log('error', error.message));
    },
  );
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) session?.changed(uri);
  });
  // Opening without a difference costs the pass that follows nothing but a comparison.
  texts.onDidChangeContent(({ document }) => session?.changed(document.uri));
  texts.onDidClose(({ document }) => session?.changed(document.uri));
  texts.listen(connection);

  function handle<Method extends keyof ServerRequests>(
    method: Method,
    answer: (
      params: ServerRequests[Method]['params'],
      signal: AbortSignal,
    ) => Promise<ServerRequests[Method]['result']> | ServerRequests[Method]['result'],
  ): void {
    connection.onRequest(
      method,
      async (params: ServerRequests[Method]['params'], token: CancellationToken) => {
        using call = signalOf(token);
        try {
          return await answer(params, call.signal);
        } catch (error) {
          if (!call.signal.aborted)
            log('error', `${method}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
          return failure(error, call.signal);
        }
      },
    );
  }

  handle('causeway/ask', async (params, signal) => {
    const { question, options: asked, partialResultToken, workDoneToken } = params;
    const report = (done: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void => {
      if (workDoneToken !== undefined)
        void connection.sendProgress(WorkDoneProgress.type, workDoneToken, done).catch(() => {});
    };
    report({ kind: 'begin', title: 'Causeway', message: 'Asking', cancellable: true });
    try {
      const result = await askWorkspace(served(), question, asked, signal, (partial) => {
        if (signal.aborted) return;
        if (partial.kind === 'progress') report({ kind: 'report', message: partial.message });
        if (partialResultToken !== undefined)
          void connection.sendProgress(PARTIAL, partialResultToken, partial).catch(() => {});
      });
      const { counts, timings } = result.view;
      log(
        'info',
        `asked: ${counts.links} links in ${counts.passagesRead} passages, ${JSON.stringify(timings)}`,
      );
      return result;
    } finally {
      report({ kind: 'end' });
    }
  });
  handle('causeway/explain', ({ answer, link }) => served().answers.explain(answer, link));
  handle('causeway/expand', ({ answer, concept }, signal) =>
    served().answers.expand(answer, concept, signal),
  );
  handle('causeway/index', async ({ action }) => {
    if (action === 'rebuild') await served().rebuild();
    else if (action !== 'status' && served().folders.roots.length > 0) {
      const { passes } = await served().open();
      if (action === 'update') passes.run();
      if (action === 'pause') passes.pause();
      if (action === 'resume') passes.resume();
    }
    return served().status();
  });
  handle('causeway/documents', () => ({ documents: served().documents() }));
  handle('causeway/restartModels', async (_, signal) => {
    await models?.restart?.(signal);
    return null;
  });
  handle('causeway/diagnostics', () => ({
    version: options.version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    pid: process.pid,
    memory: process.memoryUsage().rss,
    models: {
      state: models?.state?.kind ?? 'unknown',
      message: models?.state?.message ?? '',
      pid: models?.pid ?? null,
    },
    identities: served().identities(),
    index: served().status(),
    openDocuments: texts.all().length,
    passes: served().passesBegun,
  }));

  connection.onShutdown(async () => {
    await session?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
    session = undefined;
  });
  connection.listen();
}

function named(folders: readonly WorkspaceFolder[] | null | undefined): NamedFolder[] {
  return (folders ?? []).map(({ uri, name }) => ({ uri, name }));
}
