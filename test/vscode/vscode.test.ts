/**
 * The packaged extension in a real VS Code, driven as a person drives it: install, open, ask, click, and see in VS
 * Code's own status bar that exactly the evidence is selected.
 */
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { build } from 'esbuild';
import type { Browser, BrowserContext } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.ts';
import { packageExtension } from '../../scripts/package.ts';
import type { AnswerView, HopView } from '../../server/protocol.ts';
import { ensureHost } from './install.ts';
import { ServedVsCode } from './served.ts';
import { launchBrowser, PATIENCE, Window } from './window.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const shots = process.env['CAUSEWAY_SHOTS'];
const home = mkdtempSync(path.join(tmpdir(), 'causeway-vscode-'));
const QUESTION = 'What led to the ferry outage in March?';
const TEX_QUESTION = 'How might the new breakwater and the grounding be related?';

const figuresFile = path.join(home, 'figures.json');

let packed: string;
let served: ServedVsCode;
let browser: Browser;
let context: BrowserContext;

/** A folder with a copy of the example, or with the files given. */
function folder(name: string, files?: Readonly<Record<string, string>>): string {
  const at = path.join(home, name);
  mkdirSync(at, { recursive: true });
  if (files === undefined) cpSync(path.join(root, 'examples', 'harbour'), at, { recursive: true });
  for (const [file, text] of Object.entries(files ?? {})) {
    mkdirSync(path.dirname(path.join(at, file)), { recursive: true });
    writeFileSync(path.join(at, file), text);
  }
  return at;
}

/** The answer that was kept last, by any window; waits for one that is kept after `since`. */
async function lastAnswer(since = 0): Promise<AnswerView> {
  const storage = path.join(home, 'user-data', 'User', 'workspaceStorage');
  for (let tries = 0; tries < PATIENCE / 100; tries++) {
    const kept = readdirSync(storage)
      .map((name) => path.join(storage, name, 'causeway.causeway', 'answer.json'))
      .flatMap((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.time - a.time)[0];
    if (kept && kept.time > since) {
      try {
        return (JSON.parse(readFileSync(kept.file, 'utf8')) as { answer: { view: AnswerView } }).answer.view;
      } catch {
        // It is being written.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No answer was kept.');
}

const hopsOf = (view: AnswerView): HopView[] => view.chains.flatMap((chain) => chain.hops);

/** What the status bar says of a selection that ends at the evidence's end. */
function selectionOf(hop: HopView, linesBefore = 0): RegExp {
  const { end } = hop.evidence.range;
  const count = hop.evidence.quote.replaceAll('\r\n', '\n').length;
  return new RegExp(`Ln ${end.line + 1 + linesBefore}, Col ${end.character + 1} \\(${count} selected\\)`);
}

/** Asks, and waits for the finished answer. */
async function ask(window: Window, question: string): Promise<AnswerView> {
  const since = Date.now();
  await window.ask(question);
  const view = await lastAnswer(since);
  await finished(window, question);
  return view;
}

async function finished(window: Window, question: string): Promise<void> {
  let seen = '';
  for (let tries = 0; tries < PATIENCE / 200; tries++) {
    const graph = await window.graph();
    // The page's policy forbids evaluated text, so that its state is read through locators.
    const asked = await graph.locator('textarea.question').inputValue();
    const resting = await graph.locator('body:not(.running)').count();
    const shown = await graph.locator('section.answer:not([hidden])').count();
    if (asked === question && resting > 0 && shown > 0) return;
    seen = `it shows “${asked}”, resting: ${resting > 0}, an answer: ${shown > 0}`;
    await window.page.waitForTimeout(200);
  }
  throw new Error(`“${question}” was not answered: ${seen}.`);
}

async function clickHop(window: Window, hop: HopView): Promise<void> {
  const graph = await window.graph();
  await graph.locator(`.hop[data-hop="${hop.number}"] [data-key="quote-${hop.number}"]`).first().click();
}

async function shot(window: Window, name: string): Promise<void> {
  if (shots) await window.page.screenshot({ path: path.join(shots, `vscode-${name}.png`) });
}

before(async () => {
  packed = process.env['CAUSEWAY_VSIX'] ?? (await packageExtension());
  const env = { CAUSEWAY_FIGURES: figuresFile };
  served = await ServedVsCode.start(ensureHost(), { home, vsix: packed, driver: true, env });
  browser = await launchBrowser(ensureBrowser());
  context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
});

after(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

describe('in a real VS Code', { concurrency: false }, () => {
  let shared: Window | undefined;
  /** A window on the example that the tests share: opening one takes as long as all the rest. */
  const example = async (): Promise<Window> => {
    shared ??= await Window.open(context, served.url, { folder: folder('harbour') });
    return shared;
  };

  test('a question draws a graph, and a hop opens exactly its words', async () => {
    const window = await example();
    const view = await ask(window, QUESTION);
    assert.equal(view.answer.kind, 'composed');
    const graph = await window.graph();
    assert.ok((await graph.locator('.graph-svg .nodes > *').count()) >= 2);
    await shot(window, 'answer');
    const hop = hopsOf(view)[0]!;
    await clickHop(window, hop);
    await window.statusShows('status.editor.selection', selectionOf(hop));
    await shot(window, 'hop');
    // From the text to the graph: the cursor on evidence lights its edge, and only there.
    const lit = graph.locator('.edge.under-cursor');
    await lit.first().waitFor({ state: 'attached' });
    await window.page.keyboard.press('ControlOrMeta+Home');
    await graph.locator('.graph-svg:not(:has(.edge.under-cursor))').first().waitFor({ state: 'attached' });
  });

  test('the same in a LaTeX file', async () => {
    const window = await example();
    const view = await ask(window, TEX_QUESTION);
    const hop = hopsOf(view).find(({ evidence }) => evidence.file.endsWith('.tex'));
    assert.ok(
      hop,
      hopsOf(view)
        .map(({ evidence }) => evidence.file)
        .join(),
    );
    await clickHop(window, hop);
    await window.statusShows('status.editor.selection', selectionOf(hop));
  });

  test('an unsaved text is asked and opened as it stands in the editor', async () => {
    const window = await example();
    const before = hopsOf(await ask(window, QUESTION)).find(({ evidence }) => evidence.file.endsWith('.md'))!;
    await clickHop(window, before);
    await window.statusShows('status.editor.selection', selectionOf(before));
    await window.page.keyboard.press('ControlOrMeta+Home');
    await window.page.keyboard.type('A line that nobody saved.\n\n');
    const view = await ask(window, QUESTION);
    const hop = hopsOf(view).find(({ evidence }) => evidence.quote === before.evidence.quote)!;
    assert.equal(hop.evidence.range.start.line, before.evidence.range.start.line + 2);
    await clickHop(window, hop);
    await window.statusShows('status.editor.selection', selectionOf(hop));
    await window.command('File: Revert File');
  });

  test('a reload restores the panel, and its hops still open their words', async () => {
    const window = await example();
    const hop = hopsOf(await ask(window, QUESTION))[0]!;
    await window.page.reload();
    await window.ready();
    await finished(window, QUESTION);
    await clickHop(window, hop);
    await window.page
      .locator('.statusbar-item[id*="status.editor.selection"]', { hasText: /selected/ })
      .first()
      .waitFor();
  });

  test('a killed server is recovered, and the next question is answered', async () => {
    const window = await example();
    await ask(window, TEX_QUESTION);
    const pids = serverPids();
    assert.ok(pids.length >= 1);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await ask(window, QUESTION);
    assert.ok(serverPids().every((pid) => !pids.includes(pid)));
    await window.page.close();
    shared = undefined;
  });

  test('two folders are asked as one', async () => {
    const a = folder('island-a', { 'a.md': 'The heavy rain led to the flooded cellar.\n' });
    const b = folder('island-b', { 'b.md': 'The flooded cellar caused the spoiled archive.\n' });
    const file = path.join(home, 'two.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: a }, { path: b }] }));
    const two = await Window.open(context, served.url, { workspace: file });
    const view = await ask(two, 'What led to the spoiled archive?');
    assert.deepEqual(
      new Set(view.links.map(({ evidence }) => evidence.file)),
      new Set(['island-a/a.md', 'island-b/b.md']),
    );
    const hop = hopsOf(view).find(({ evidence }) => evidence.file === 'island-b/b.md')!;
    await clickHop(two, hop);
    await two.statusShows('status.editor.selection', selectionOf(hop));
    await two.page.close();
  });

  test('an empty folder says what to do, and asking it is no fault', async () => {
    const empty = await Window.open(context, served.url, { folder: folder('empty', {}) });
    await empty.ask('Why is it empty?');
    const graph = await empty.graph();
    await graph
      .getByText(/do not say|no document|nothing/i)
      .first()
      .waitFor();
    await empty.page.close();
  });

  test('the suite of the extension host passes', async () => {
    const suite = path.join(home, 'suite.cjs');
    await build({
      entryPoints: [path.join(import.meta.dirname, 'suite', 'index.ts')],
      outfile: suite,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      logLevel: 'warning',
    });
    const remote = (file: string): string => `vscode-remote://${new URL(served.url).host}${file}`;
    const payload = JSON.stringify([
      ['extensionDevelopmentPath', remote(path.join(import.meta.dirname, 'driver'))],
      ['extensionTestsPath', remote(suite)],
    ]);
    let done: (code: number) => void = () => {};
    const ended = new Promise<number>((resolve) => {
      done = resolve;
    });
    const window = await Window.open(
      context,
      served.url,
      { folder: folder('suite'), payload },
      async (page) => {
        await page.exposeFunction('codeAutomationLog', () => {});
        await page.exposeFunction('codeAutomationExit', (code: number) => done(code));
      },
    );
    assert.equal(await ended, 0, readFileSync(figuresFile, 'utf8'));
    const { figures } = JSON.parse(readFileSync(figuresFile, 'utf8')) as { figures: Record<string, unknown> };
    console.log(`figures: ${JSON.stringify(figures)}`);
    await window.page.close().catch(() => {});
  });

  test('a question that is stopped says so, and what was found stays', async () => {
    const cold = await Window.open(context, served.url, { folder: folder('cold') });
    await cold.ask(QUESTION);
    const graph = await cold.graph();
    await graph.locator('body.running button.send').click();
    await graph.locator('.banners', { hasText: 'Cancelled.' }).waitFor();
    await cold.page.close();
  });

  test('a folder nobody vouched for is asked all the same', async () => {
    await using strict = await ServedVsCode.start(ensureHost(), {
      home: path.join(home, 'strict'),
      vsix: packed,
      trust: true,
    });
    const window = await Window.open(context, strict.url, { folder: folder('untrusted') });
    // Opened in Restricted Mode: at once, or after a question that is answered with no.
    const restricted = window.page.locator('.statusbar-item', { hasText: 'Restricted Mode' });
    const distrust = window.page.getByRole('button', { name: /don.t trust/i });
    await restricted.or(distrust).first().waitFor();
    if (await distrust.isVisible()) await distrust.click();
    await restricted.waitFor();
    await window.ask(QUESTION);
    await finished(window, QUESTION);
    const graph = await window.graph();
    assert.ok((await graph.locator('.hop').count()) > 0);
    await window.page.close();
  });

  test('names and words made of mark-up are shown as text, run nothing and fetch nothing', async () => {
    const hostile = folder('hostile', {
      '<img src=x onerror=document.title=1>.md':
        'The <script>alert(1)</script> storm led to the [broken](command:workbench.action.quit) relay <img src="http://outside.invalid/x.png">.\n',
    });
    const odd = await Window.open(context, served.url, { folder: hostile });
    const view = await ask(odd, 'What led to the broken relay?');
    assert.ok(view.retrieved.some(({ file }) => file.startsWith('<img')));
    const graph = await odd.graph();
    assert.equal(await graph.locator('main img, main script').count(), 0);
    assert.deepEqual(
      odd.requests.filter((url) => url.includes('outside.invalid')),
      [],
    );
    await odd.page.close();
  });
});

/** The language servers of this test's VS Code. */
function serverPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${home}/extensions`) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server.mjs')
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
