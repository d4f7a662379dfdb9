/** Starts the language server. Bundled by itself and loaded at the first need, since it costs time to load. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  ErrorCodes,
  LanguageClient,
  type LanguageClientOptions,
  ProgressType,
  ResponseError,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import type { ServerNotifications, ServerRequests } from '../server/protocol.ts';
import { type Server, ServerGoneError, type ServerHealth, type ServerStart } from './server.ts';

const EXTENSIONS = 'md,markdown,mdown,mkd,rmd,qmd,txt,text,html,htm,xhtml,csv,tsv,tab,tex,latex,ltx,ipynb';
const NOTIFICATIONS: readonly (keyof ServerNotifications)[] = [
  'causeway/indexChanged',
  'causeway/documentsChanged',
  'causeway/modelsChanged',
  'causeway/notice',
];
/** Codes with which the library rejects calls of a connection that broke. */
const CONNECTION_CODES: readonly number[] = [
  ErrorCodes.PendingResponseRejected,
  ErrorCodes.ConnectionInactive,
  ErrorCodes.MessageWriteError,
];
/** Deaths within this time, in ms, after which the server is not started again by itself. */
const DEATH_WINDOW = 180_000;
const MAX_DEATHS = 5;

/** Starts the server and waits until it is initialized. */
export async function connect(start: ServerStart): Promise<Server> {
  const watchers = [`**/*.{${EXTENSIONS}}`, '**/.gitignore'].map((glob) =>
    vscode.workspace.createFileSystemWatcher(glob),
  );
  let deaths: number[] = [];
  let stopping = false;
  let gone = new AbortController();
  const lost = (): ServerHealth => {
    gone.abort();
    gone = new AbortController();
    const now = Date.now();
    deaths = [...deaths.filter((time) => now - time < DEATH_WINDOW), now];
    return deaths.length < MAX_DEATHS
      ? { kind: 'recovering', message: 'The Causeway server ended unexpectedly and is being started again.' }
      : {
          kind: 'failed',
          message: `The Causeway server ended ${deaths.length} times within ${DEATH_WINDOW / 60_000} minutes. See the log, then restart it.`,
        };
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file', pattern: `**/*.{${EXTENSIONS}}` }],
    synchronize: { fileEvents: watchers },
    initializationOptions: start.options,
    outputChannel: start.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    errorHandler: {
      error: (error) => {
        start.log.error(`connection: ${error.message}`);
        return { action: ErrorAction.Continue, handled: true };
      },
      closed: () => {
        if (stopping) return { action: CloseAction.DoNotRestart, handled: true };
        const health = lost();
        start.onHealth(health);
        return {
          action: health.kind === 'failed' ? CloseAction.DoNotRestart : CloseAction.Restart,
          handled: true,
        };
      },
    },
    initializationFailedHandler: (error) => {
      start.log.error(
        `the server could not be initialized: ${error instanceof Error ? error.message : String(error)}`,
      );
      return false;
    },
  };
  const module = path.join(start.extensionPath, 'dist', 'server.mjs');
  const run = { module, transport: TransportKind.ipc };
  const client = new LanguageClient('causeway', 'Causeway', { run, debug: run }, options);
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Starting) start.onHealth({ kind: 'starting' });
    if (newState === State.Running) start.onHealth({ kind: 'ready' });
  });
  for (const method of NOTIFICATIONS)
    client.onNotification(method, (params: ServerNotifications[typeof method]) => {
      start.onNotification(method, params);
    });
  await client.start();

  return {
    async request<Method extends keyof ServerRequests>(
      method: Method,
      params: ServerRequests[Method]['params'],
      token?: vscode.CancellationToken,
      onPartial?: (partial: ServerRequests[Method]['partial']) => void,
    ) {
      const partialResultToken = onPartial && `${method}-${Date.now()}-${Math.random()}`;
      const type = new ProgressType<ServerRequests[Method]['partial']>();
      const listener = partialResultToken
        ? client.onProgress(type, partialResultToken, (partial) => onPartial(partial))
        : null;
      const { signal } = gone;
      const end = ended(signal);
      try {
        const sending = partialResultToken ? { ...params, partialResultToken } : params;
        // An undefined token would travel as a second parameter.
        const sent: Promise<ServerRequests[Method]['result']> = token
          ? client.sendRequest(method, sending, token)
          : client.sendRequest(method, sending);
        return await Promise.race([sent, end.promise]);
      } catch (error) {
        // What the broken connection says may come before its end is told.
        if (!(error instanceof ResponseError) || CONNECTION_CODES.includes(error.code)) await sleep(100);
        if (signal.aborted) throw new ServerGoneError();
        if (error instanceof ResponseError && token?.isCancellationRequested)
          throw new vscode.CancellationError();
        throw error;
      } finally {
        listener?.dispose();
        end.forget();
      }
    },
    async setSettings(settings) {
      await client.sendNotification('workspace/didChangeConfiguration', { settings });
    },
    async stop() {
      stopping = true;
      for (const watcher of watchers) watcher.dispose();
      await client.stop(5000).catch(() => {});
      await client.dispose().catch(() => {});
    },
  };
}

/** Rejects when the server ends; `forget` takes its listener away. */
function ended(signal: AbortSignal): { readonly promise: Promise<never>; readonly forget: () => void } {
  let abort = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    abort = () => reject(new ServerGoneError());
    signal.addEventListener('abort', abort, { once: true });
  });
  return { promise, forget: () => signal.removeEventListener('abort', abort) };
}
