/** Starts the served VS Code with an installed extension, in a home of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { VsCodeHost } from './install.ts';

export interface ServedOptions {
  /** Holds user data, extensions and home; made if need be. */
  readonly home: string;
  /** A package to install first. */
  readonly vsix?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Ask whether folders are trusted, as a desktop VS Code does. */
  readonly trust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Let the page name development extensions and tests. */
  readonly driver?: boolean;
}

/** How often a start is tried. */
const STARTS = 3;

const QUIET = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  // In a browser VS Code saves by itself, and no text would be unsaved for long.
  'files.autoSave': 'off',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

export class ServedVsCode implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;
  /** What it wrote, for the report of a failed start. */
  output = '';

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => (this.output = (this.output + data).slice(-8000)));
  }

  /** Installs the package, starts the server and waits until it answers. */
  static async start(host: VsCodeHost, options: ServedOptions): Promise<ServedVsCode> {
    const { home } = options;
    const user = path.join(home, 'user-data');
    mkdirSync(path.join(user, 'User'), { recursive: true });
    const trust = { 'security.workspace.trust.enabled': options.trust === true };
    writeFileSync(
      path.join(user, 'User', 'settings.json'),
      JSON.stringify({ ...QUIET, ...trust, ...options.settings }),
    );
    writeFileSync(path.join(home, 'config.yaml'), '{}');
    const env = {
      ...process.env,
      ...options.env,
      HOME: home,
      EXTENSIONS_GALLERY: '{}',
      PATH: `${path.dirname(host.node)}${path.delimiter}${process.env['PATH'] ?? ''}`,
    };
    const places = [
      '--config',
      path.join(home, 'config.yaml'),
      '--user-data-dir',
      user,
      '--extensions-dir',
      path.join(home, 'extensions'),
    ];
    if (options.vsix) {
      const { status, stderr, stdout } = spawnSync(
        host.node,
        [host.entry, ...places, '--install-extension', options.vsix],
        { env, encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`Installing ${options.vsix} failed: ${stdout}\n${stderr}`);
    }
    const flags = [
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
    ];
    if (!options.trust) flags.push('--disable-workspace-trust');
    if (options.driver) flags.push('--vscode-option', 'enable-smoke-test-driver');
    // It gives itself up when a busy machine starts it too slowly; then once more.
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const served = ServedVsCode.#launch(
        host,
        [...places, ...flags, '--bind-addr', `127.0.0.1:${port}`],
        port,
        env,
      );
      if (await served.#answers()) return served;
      await served[Symbol.asyncDispose]();
      if (attempt === STARTS) throw new Error(`The served VS Code did not start:\n${served.output}`);
    }
  }

  static #launch(
    host: VsCodeHost,
    args: readonly string[],
    port: number,
    env: NodeJS.ProcessEnv,
  ): ServedVsCode {
    const child = spawn(host.node, [host.entry, ...args], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // An interrupted test must not leave it running.
    process.once(
      'exit',
      () => child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'),
    );
    return new ServedVsCode(`http://127.0.0.1:${port}`, child);
  }

  /** Waits until it answers; false when it ends or stays silent instead. */
  async #answers(): Promise<boolean> {
    for (let tries = 0; tries < 1500 && this.#process.exitCode === null; tries++) {
      try {
        if ((await fetch(`${this.url}/healthz`)).ok) return true;
      } catch {
        // Not up yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pid } = this.#process;
    if (pid === undefined || this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    process.kill(-pid, 'SIGTERM');
    const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
