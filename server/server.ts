/** Entry of the language server: `node server/server.ts --node-ipc`, or `--stdio`. Its bundle is dist/server.mjs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { ModelProcess } from '../models/client.ts';
import { serve } from './lsp/serve.ts';

/** Set by the bundler to "extension" in dist/server.mjs. */
declare const CAUSEWAY_BUNDLE: string | undefined;
const bundled = typeof CAUSEWAY_BUNDLE !== 'undefined';
const root = path.resolve(import.meta.dirname, '..');

serve(createConnection(ProposedFeatures.all), {
  version: (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version,
  createModels: ({ modelsNode, threads }, log) =>
    new ModelProcess({
      ...(bundled ? { entry: path.join(root, 'dist', 'models.mjs') } : {}),
      folder: path.join(root, 'models'),
      ...(modelsNode ? { execPath: modelsNode } : {}),
      ...(threads > 0 ? { threads } : {}),
      log: ({ level, message }) => log(level, message),
    }),
});
