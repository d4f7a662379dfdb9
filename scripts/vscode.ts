/**
 * `npm run vscode [FOLDER]`: builds, and opens the extension on a folder, by default the example. Takes `code` from the
 * path; without one, serves a VS Code and prints where it can be opened.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAll } from './build.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'examples', 'harbour'));

await buildAll(true);
const code = spawnSync('code', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' });
if (code.status === 0) {
  const args = ['--new-window', `--extensionDevelopmentPath=${root}`, folder];
  process.exitCode =
    spawnSync('code', args, { stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;
} else {
  const { ensureHost } = await import('../test/vscode/install.ts');
  const { ServedVsCode } = await import('../test/vscode/served.ts');
  const served = await ServedVsCode.start(ensureHost(), {
    home: mkdtempSync(path.join(tmpdir(), 'causeway-vscode-')),
    driver: true,
  });
  const extension = `vscode-remote://${new URL(served.url).host}${root}`;
  const payload = encodeURIComponent(JSON.stringify([['extensionDevelopmentPath', extension]]));
  console.log(
    `There is no "code" on the path. A VS Code is served at\n\n  ${served.url}/?folder=${encodeURI(folder)}&payload=${payload}\n\nCtrl-C ends it.`,
  );
  await new Promise<void>((resolve) => process.once('SIGINT', () => resolve()));
  await served[Symbol.asyncDispose]();
}
