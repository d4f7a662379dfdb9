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

const QUIET = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  'chat.disableAIFeatures': true,
  'git.enabled': false,
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
    const port = await freePort();
    const flags = [
      '--auth',
      'none',
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
    ];
    if (!options.trust) flags.push('--disable-workspace-trust');
    if (options.driver) flags.push('--vscode-option', 'enable-smoke-test-driver');
    const child = spawn(host.node, [host.entry, ...places, ...flags], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const served = new ServedVsCode(`http://127.0.0.1:${port}`, child);
    // An interrupted test must not leave it running.
    process.once(
      'exit',
      () => child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'),
    );
    for (let tries = 0; ; tries++) {
      try {
        if ((await fetch(`${served.url}/healthz`)).ok) return served;
      } catch {
        // Not up yet.
      }
      if (child.exitCode !== null || tries > 600)
        throw new Error(`The served VS Code did not start:\n${served.output}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
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
