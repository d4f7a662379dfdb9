/**
 * A stand-in host: serves the built page as VS Code would (its HTML, its policy, its theme variables), takes the
 * page's messages and sends it the host's. One browser at a time.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildWebview } from '../../scripts/build-webview.ts';
import { panelHtml } from '../../webview/html.ts';
import type { AskOptions, ToHost, ToWebview } from '../../webview/protocol.ts';
import { THEMES, type ThemeName } from './themes.ts';

export const OPTIONS: AskOptions = { direction: 'auto', beamWidth: 3, chains: 3, passages: 20, hedged: true };
export const SETUP: ToWebview = {
  kind: 'setup',
  defaults: OPTIONS,
  index: { state: 'ready', documents: 5, passages: 31, links: 20, unread: 1 },
  suggestions: ['Why was the morning ferry cancelled on 14 November?', 'What came of the spending freeze?'],
};

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  readonly surface?: 'editor' | 'sideBar';
  /** What getState answers with. */
  readonly kept?: unknown;
  readonly scale?: number;
}

/** A page under test. */
export interface Panel {
  readonly page: Page;
  /** Everything the page posted, in order. */
  readonly posted: ToHost[];
  /** Requests that left for anywhere but the page's own files, violations of its policy, uncaught errors. */
  readonly trouble: string[];
  send(...messages: readonly ToWebview[]): Promise<void>;
  /** Waits for a message of this kind that came after `from` messages. */
  next<K extends ToHost['kind']>(kind: K, from?: number): Promise<Extract<ToHost, { kind: K }>>;
  state(): Promise<unknown>;
  close(): Promise<void>;
}

export class TestHost {
  readonly #server: Server;
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #origin: string;

  private constructor(server: Server, browser: Browser, folder: string, origin: string) {
    this.#server = server;
    this.#browser = browser;
    this.#folder = folder;
    this.#origin = origin;
  }

  static async start(): Promise<TestHost> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-webview-'));
    await buildWebview(folder);
    const server = createServer((request, response) => {
      void (async () => {
        const url = new URL(request.url ?? '/', 'http://127.0.0.1');
        const origin = `http://${request.headers.host}`;
        if (url.pathname === '/') {
          response.setHeader('Content-Type', 'text/html; charset=utf-8');
          const surface = url.searchParams.get('surface') === 'sideBar' ? 'sideBar' : 'editor';
          response.end(
            panelHtml({
              nonce: 'abcdef0123456789abcdef',
              cspSource: origin,
              scriptUri: `${origin}/main.js`,
              styleUri: `${origin}/main.css`,
              surface,
            }),
          );
        } else if (url.pathname === '/main.js' || url.pathname === '/main.css') {
          response.setHeader('Content-Type', url.pathname.endsWith('.js') ? 'text/javascript' : 'text/css');
          response.end(await readFile(join(folder, url.pathname.slice(1))));
        } else {
          response.statusCode = 404;
          response.end();
        }
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the test server has no port');
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    });
    return new TestHost(server, browser, folder, `http://127.0.0.1:${address.port}`);
  }

  async open(options: OpenOptions = {}): Promise<Panel> {
    const context = await this.#browser.newContext({
      viewport: { width: options.width ?? 1000, height: options.height ?? 800 },
      deviceScaleFactor: options.scale ?? 1,
      reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
    });
    const page = await context.newPage();
    const posted: ToHost[] = [];
    const trouble: string[] = [];
    const waiting = new Set<() => void>();
    await page.exposeFunction('testHostReceive', (message: ToHost) => {
      posted.push(message);
      if (message.kind === 'fault') trouble.push(`fault: ${message.message}`);
      for (const wake of waiting) wake();
    });
    await page.addInitScript({ content: standIn(options) });
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') trouble.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.#origin) && !url.startsWith('blob:') && !url.startsWith('data:'))
        trouble.push(`request: ${url}`);
    });
    page.on('dialog', (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(`${this.#origin}/?surface=${options.surface ?? 'editor'}`);
    const panel: Panel = {
      page,
      posted,
      trouble,
      async send(...messages) {
        for (const message of messages) await page.evaluate((data) => window.postMessage(data, '*'), message);
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
      },
      async next(kind, from = 0) {
        const limit = Date.now() + 30_000;
        for (;;) {
          const found = posted.slice(from).find((message) => message.kind === kind);
          if (found) return found as never;
          if (Date.now() > limit)
            throw new Error(
              `the page posted no ${kind}; it posted ${
                posted
                  .slice(from)
                  .map((message) => message.kind)
                  .join(', ') || 'nothing'
              }`,
            );
          await new Promise<void>((resolve) => {
            const timer = setTimeout(done, 100);
            function done() {
              clearTimeout(timer);
              waiting.delete(done);
              resolve();
            }
            waiting.add(done);
          });
        }
      },
      async state() {
        await page.waitForTimeout(250);
        return page.evaluate(() => (window as unknown as { testState: unknown }).testState);
      },
      close: () => context.close(),
    };
    await panel.next('ready');
    return panel;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Runs before the page's own script, as VS Code's preload does: the API, the variables, the body's class. */
function standIn({ theme = 'dark', kept }: OpenOptions): string {
  const { bodyClass, colors } = THEMES[theme];
  return `(() => {
    window.testState = ${JSON.stringify(kept ?? null)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.testHostReceive(message),
      getState: () => window.testState ?? undefined,
      setState: (state) => { window.testState = JSON.parse(JSON.stringify(state)); },
    });
    const colors = ${JSON.stringify(colors)};
    const dress = () => {
      const style = document.documentElement.style;
      for (const [name, value] of Object.entries(colors)) style.setProperty('--vscode-' + name, value);
      style.setProperty('--vscode-font-family', 'system-ui, "Ubuntu", "Droid Sans", "Liberation Sans", sans-serif');
      style.setProperty('--vscode-font-size', '13px');
      document.body?.classList.add(...${JSON.stringify(bodyClass.split(' '))});
    };
    new MutationObserver((_, observer) => {
      if (!document.documentElement) return;
      dress();
      if (document.body) { observer.disconnect(); dress(); }
    }).observe(document, { childList: true, subtree: true });
  })();`;
}

function findChromium(): string {
  const candidates = [
    process.env.CAUSEWAY_CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found)
    throw new Error(
      'No Chromium found. Install Debian\'s "chromium", or set CAUSEWAY_CHROMIUM to a Chromium or Chrome.',
    );
  return found;
}
