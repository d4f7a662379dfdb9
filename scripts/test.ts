/**
 * `npm test`: checks, then every test, setting up what they need. Options: `--only FOLDER` runs the tests under
 * test/FOLDER alone, without the checks.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { only: { type: 'string' } } });

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `The tests need Node 24, which the devDependency "node" brings to npm scripts; this is ${process.version}. ` +
      'Run `npm ci` without --ignore-scripts, then `npm test`.',
  );
  process.exit(2);
}

/** Runs a command with this Node first on the path; ends the whole run when it fails. */
function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Every *.test.ts under the folders, in a fixed order. */
function testFiles(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
        .map((file) => path.join('test', folder, file)),
    )
    .sort();
}

// The tests in VS Code (`npm test -- --only vscode`) set up a whole VS Code and are asked for by name.
const folders = values.only ? [values.only] : ['unit', 'server', 'webview'];
if (!values.only) {
  for (const check of ['check:types', 'check:style', 'check:rooms', 'check:unused'])
    run('npm', ['run', '-s', check]);
}
if (folders.includes('webview')) {
  run('npm', ['run', '-s', 'build:webview']);
  const { ensureBrowser } = await import('./browser.ts');
  process.env['CAUSEWAY_CHROMIUM'] = ensureBrowser();
}
const plain = folders.filter((folder) => folder !== 'vscode');
if (plain.length > 0) run(process.execPath, ['--test', '--test-concurrency=2', ...testFiles(plain)]);
// By itself: a VS Code, a browser and the models want the machine.
if (folders.includes('vscode')) {
  if (process.platform === 'linux' && process.arch === 'x64')
    run(process.execPath, ['--test', ...testFiles(['vscode'])]);
  else
    console.error('The tests in VS Code are left out: the served VS Code is set up for Linux on x64 only.');
}
