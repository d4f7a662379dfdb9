/**
 * `promise`, or the signal's reason as soon as it is raised, also where it was raised before: the one who asked need not
 * wait for what others share. Leaves no listener behind, and a promise that fails later fails quietly.
 */
export async function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return await promise;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    // Before the promise: of two that are settled the first in the list wins.
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
