/**
 * Builds what VS Code loads into dist/: the client, the server and the model process as one file each, the pages, and
 * the native runtime pruned to this platform. `--dev` keeps names and adds inline source maps.
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { buildWebview } from './build-webview.ts';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');

/** A bundle of ESM has no require: packages inside it that call it get one. */
const REQUIRE =
  "import { createRequire as causewayRequire } from 'node:module'; const require = causewayRequire(import.meta.url);";

/** Builds everything. Rejects with esbuild's messages when a source is wrong. */
export async function buildAll(dev = false): Promise<void> {
  mkdirSync(dist, { recursive: true });
  // The page's own build may be watched by a browser test at this moment.
  for (const old of readdirSync(dist))
    if (old !== 'webview') rmSync(path.join(dist, old), { recursive: true, force: true });
  const common: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node22',
    charset: 'utf8',
    minify: !dev,
    // Names of errors and classes are told to people and compared.
    keepNames: true,
    sourcemap: dev ? 'inline' : false,
    legalComments: 'eof',
    logLevel: 'warning',
  };
  const client: BuildOptions = {
    ...common,
    format: 'cjs',
    external: ['vscode'],
    plugins: [
      {
        // Loaded at the first need, so that activation does not pay for the language client.
        name: 'connection-apart',
        setup: ({ onResolve }) => {
          onResolve({ filter: /\/connection\.ts$/ }, () => ({ path: './connection.cjs', external: true }));
        },
      },
    ],
  };
  const module: BuildOptions = {
    ...common,
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    define: { CAUSEWAY_BUNDLE: 'true' },
  };
  await build({ ...client, entryPoints: ['client/extension.ts'], outfile: 'dist/client.cjs' });
  await build({
    ...common,
    format: 'cjs',
    external: ['vscode'],
    entryPoints: ['client/connection.ts'],
    outfile: 'dist/connection.cjs',
  });
  await build({ ...module, entryPoints: ['server/server.ts'], outfile: 'dist/server.mjs' });
  await build({
    ...module,
    entryPoints: ['models/process.ts'],
    outfile: 'dist/models.mjs',
    external: ['onnxruntime-node'],
  });
  await build({
    ...common,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    entryPoints: ['client/page/ask.ts', 'client/page/ask.css'],
    outdir: 'dist/page',
  });
  await buildWebview(undefined, dev);
  cpSync(path.join(root, 'client', 'walkthrough'), path.join(dist, 'walkthrough'), { recursive: true });
  for (const image of ['icon.svg', 'logo.svg', 'logo.png'])
    cpSync(path.join(root, 'client', image), path.join(dist, image));
  copyRuntime();
}

/** onnxruntime-node with this platform's processor build alone, and the one package that it loads. */
function copyRuntime(): void {
  const from = path.join(root, 'node_modules');
  const to = path.join(dist, 'node_modules');
  const native = path.join('onnxruntime-node', 'bin', 'napi-v6', process.platform, process.arch);
  const take = (file: string): void => {
    mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    cpSync(path.join(from, file), path.join(to, file));
  };
  for (const file of readdirSync(path.join(from, native))) take(path.join(native, file));
  for (const folder of ['onnxruntime-node/dist', 'onnxruntime-common/dist/cjs']) {
    for (const file of readdirSync(path.join(from, folder), { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.js') || file.endsWith('package.json')) take(path.join(folder, file));
    }
  }
  take('onnxruntime-node/package.json');
  take('onnxruntime-common/package.json');
}

if (import.meta.main) await buildAll(process.argv.includes('--dev'));
