/** From LSP's tokens and errors to ours, and back. */
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';

/** A signal that a cancellation raises; dispose it when the call has ended. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const listener = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  return { signal: controller.signal, [Symbol.dispose]: () => listener.dispose() };
}

/** What a failed call answers: the error's own words, and its name in `data.name`. */
export function failure(error: unknown, signal: AbortSignal): ResponseError<{ readonly name: string }> {
  if (signal.aborted)
    return new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.', { name: 'Cancelled' });
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return new ResponseError(LSPErrorCodes.RequestFailed, message, { name });
}

/** Calls `act` at most once an interval, the last call always followed by one. */
export function throttle(interval: number, act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (timer !== undefined) return;
    const wait = Math.max(0, last + interval - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      last = performance.now();
      act();
    }, wait);
  };
}
