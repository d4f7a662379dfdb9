/** The way to the host. `acquireVsCodeApi` is reached only here, so that a test page can stand in for it. */
import type { ToHost, ToWebview } from './protocol.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export interface Host {
  post(message: ToHost): void;
  /** Calls back for each message of the host, in order. */
  listen(receive: (message: ToWebview) => void): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** Connects to the host. May be called once for each load of the page: the host gives its API only once. */
export function connect(): Host {
  const acquire = (globalThis as { acquireVsCodeApi?: () => VsCodeApi }).acquireVsCodeApi;
  if (!acquire) throw new Error('This page works inside VS Code only: acquireVsCodeApi is missing.');
  const api = acquire();
  return {
    post: (message) => api.postMessage(message),
    listen(receive) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        const { data } = event;
        if (typeof data === 'object' && data !== null && typeof (data as ToWebview).kind === 'string') {
          receive(data as ToWebview);
        }
      });
    },
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
  };
}
