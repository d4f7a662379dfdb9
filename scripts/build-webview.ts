/**
 * Bundles the webview into dist/webview: main.js (one classic script) and main.css. `--watch` rebuilds on change,
 * `--dev` keeps names and adds an inline source map; the packaged extension has neither.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, context } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Builds once into `outdir`, by default dist/webview. Rejects with esbuild's messages when a source is wrong. */
export async function buildWebview(outdir = join(root, 'dist', 'webview'), dev = false): Promise<void> {
  await build(options(outdir, dev));
}

function options(outdir: string, dev: boolean): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: [
      { in: 'webview/main.ts', out: 'main' },
      { in: 'webview/styles/main.css', out: 'main' },
    ],
    outdir,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    minify: !dev,
    sourcemap: dev ? 'inline' : false,
    legalComments: 'eof',
    logLevel: 'warning',
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dev = process.argv.includes('--dev');
  if (process.argv.includes('--watch')) {
    const watching = await context(options(join(root, 'dist', 'webview'), true));
    await watching.watch();
  } else {
    await buildWebview(undefined, dev);
  }
}
