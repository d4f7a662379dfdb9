/**
 * Entry of the model process. It is forked with an IPC channel, serves the requests of protocol.ts over it, and ends
 * with its parent.
 *
 * Arguments: --folder=DIR (holds catalog.json and weights/; by default beside this file), --threads=N.
 */
import { parseArgs } from 'node:util';
import {
  type CancellationToken,
  createMessageConnection,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  ResponseError,
} from 'vscode-jsonrpc/node';
import type { ErrorData } from './errors.ts';
import { ModelHost } from './host.ts';
import type { ModelNotifications, ModelRequests } from './protocol.ts';

/** As the Language Server Protocol numbers it. */
const REQUEST_CANCELLED = -32800;

/** Serves one parent over this process's IPC channel; returns at once. */
function serve(): void {
  if (!process.send) {
    process.stderr.write('The model process is started by Causeway over an IPC channel, not by hand.\n');
    process.exit(2);
  }
  const { values } = parseArgs({ options: { folder: { type: 'string' }, threads: { type: 'string' } } });
  const connection = createMessageConnection(new IPCMessageReader(process), new IPCMessageWriter(process));
  const host = new ModelHost({
    folder: values.folder,
    threads: values.threads === undefined ? undefined : Number(values.threads),
    log: (level, message) => {
      const line: ModelNotifications['models/log'] = { level, message };
      void connection.sendNotification('models/log', line).catch(() => {});
    },
  });

  function handle<Method extends keyof ModelRequests>(
    method: Method,
    answer: (
      params: ModelRequests[Method]['params'],
      signal: AbortSignal,
    ) => Promise<ModelRequests[Method]['result']>,
  ): void {
    connection.onRequest(
      method,
      async (params: ModelRequests[Method]['params'], token: CancellationToken) => {
        const controller = new AbortController();
        const listener = token.onCancellationRequested(() => controller.abort());
        try {
          if (token.isCancellationRequested) controller.abort();
          return await answer(params, controller.signal);
        } catch (error) {
          const { name, message } = error instanceof Error ? error : new Error(String(error));
          const code = controller.signal.aborted ? REQUEST_CANCELLED : ErrorCodes.InternalError;
          return new ResponseError<ErrorData>(code, message, { name });
        } finally {
          listener.dispose();
        }
      },
    );
  }

  handle('models/info', () => host.info());
  handle('models/embed', (params, signal) => host.embed(params, signal));
  handle('models/tag', (params, signal) => host.tag(params, signal));
  handle('models/direct', (params, signal) => host.direct(params, signal));
  handle('models/shutdown', async () => {
    await host[Symbol.asyncDispose]();
    // Once the answer is written; the channel's end ends the process.
    setImmediate(() => process.disconnect());
    return null;
  });

  process.once('disconnect', () => process.exit(0));
  // An interrupt at a terminal reaches the whole group: the parent decides when this process ends.
  process.on('SIGINT', () => {});
  connection.listen();
}

serve();
