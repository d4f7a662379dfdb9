/** The language server as the rest of the client sees it. */
import type * as vscode from 'vscode';
import type {
  InitializationOptions,
  ServerNotifications,
  ServerRequests,
  ServerSettings,
} from '../server/protocol.ts';

export type ServerHealth =
  | { readonly kind: 'off' | 'starting' | 'ready' }
  | { readonly kind: 'recovering' | 'failed'; readonly message: string };

export interface Server {
  request<Method extends keyof ServerRequests>(
    method: Method,
    params: ServerRequests[Method]['params'],
    token?: vscode.CancellationToken,
    onPartial?: (partial: ServerRequests[Method]['partial']) => void,
  ): Promise<ServerRequests[Method]['result']>;
  setSettings(settings: ServerSettings): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerStart {
  readonly extensionPath: string;
  readonly options: InitializationOptions;
  readonly log: vscode.LogOutputChannel;
  readonly onHealth: (health: ServerHealth) => void;
  readonly onNotification: <Method extends keyof ServerNotifications>(
    method: Method,
    params: ServerNotifications[Method],
  ) => void;
}

/** The server ended while a call was open. */
export class ServerGoneError extends Error {
  override readonly name = 'ServerGoneError';
  constructor() {
    super('The Causeway server ended while it worked on this. It is started again; ask once more.');
  }
}
