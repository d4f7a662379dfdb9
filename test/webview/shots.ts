/** Takes pictures of the page: `node test/webview/shots.ts [folder] [name…]`. */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerView } from '../../server/protocol.ts';
import { ferryAnswer, silentAnswer } from './fixtures/ferry.ts';
import { hostileAnswer } from './fixtures/hostile.ts';
import { largeAnswer } from './fixtures/large.ts';
import { OPTIONS, type OpenOptions, type Panel, SETUP, TestHost } from './host.ts';

interface Shot extends OpenOptions {
  readonly name: string;
  readonly view?: AnswerView;
  readonly act?: (panel: Panel) => Promise<void>;
}

const NARROW = { width: 300, height: 1100, surface: 'sideBar' } as const;
const showAll = async ({ page }: Panel) => page.getByRole('button', { name: /^Show all/u }).click();

const SHOTS: readonly Shot[] = [
  ...(['dark', 'light', 'hc-dark', 'hc-light'] as const).flatMap((theme): Shot[] => [
    { name: `small-wide-${theme}`, theme, width: 1100, height: 900, view: ferryAnswer() },
    { name: `small-narrow-${theme}`, theme, ...NARROW, view: ferryAnswer() },
    { name: `large-wide-${theme}`, theme, width: 1100, height: 900, view: largeAnswer(120), act: showAll },
    { name: `large-narrow-${theme}`, theme, ...NARROW, view: largeAnswer(120), act: showAll },
  ]),
  {
    name: 'widest',
    width: 1600,
    height: 900,
    view: ferryAnswer(),
    act: async ({ page }) => page.locator('.why').nth(1).click(),
  },
  { name: 'all', width: 1100, height: 900, view: ferryAnswer(), act: showAll },
  {
    name: 'why',
    width: 1100,
    height: 900,
    view: ferryAnswer(),
    act: async ({ page }) => page.locator('.why').nth(5).click(),
  },
  {
    name: 'concept',
    theme: 'light',
    width: 1100,
    height: 900,
    view: ferryAnswer(),
    act: async ({ page }) => page.locator('.node').first().click(),
  },
  {
    name: 'hover',
    width: 1100,
    height: 900,
    view: ferryAnswer(),
    act: async ({ page }) => page.locator('.edge.on-chain .tag').nth(1).hover(),
  },
  {
    name: 'legend',
    width: 1100,
    height: 900,
    view: ferryAnswer(),
    act: async (panel) => {
      await showAll(panel);
      await panel.page.getByRole('button', { name: 'Legend and filter' }).click();
      await panel.page.getByRole('button', { name: 'Search options' }).click();
    },
  },
  {
    name: 'table',
    width: 1100,
    height: 900,
    view: ferryAnswer(),
    act: async ({ page }) => page.getByRole('button', { name: 'Table' }).click(),
  },
  { name: 'hostile', width: 1100, height: 1100, view: hostileAnswer() },
  { name: 'hostile-narrow', ...NARROW, view: hostileAnswer() },
  { name: 'silent', width: 1100, height: 700, view: silentAnswer() },
  { name: 'empty', width: 1100, height: 500 },
  {
    name: 'empty-narrow',
    ...NARROW,
    height: 500,
    theme: 'light',
    act: async (panel) =>
      panel.send({ kind: 'index', index: { state: 'indexing', done: 12, total: 31, usable: true } }),
  },
  {
    name: 'running',
    width: 1100,
    height: 800,
    act: async (panel) => {
      const view = ferryAnswer();
      await panel.send(
        { kind: 'started', run: 'r', question: view.question, options: OPTIONS },
        {
          kind: 'progress',
          run: 'r',
          step: 'extract',
          message: 'Reading 12 of 20 passages',
          done: 12,
          total: 20,
        },
        {
          kind: 'partial',
          run: 'r',
          found: { retrieved: view.retrieved, links: view.links.slice(0, 11), concepts: view.concepts },
        },
      );
    },
  },
  {
    name: 'trouble',
    width: 1100,
    height: 900,
    view: ferryAnswer(),
    act: async (panel) =>
      panel.send(
        { kind: 'stale', files: ['log/harbour-log.md', 'notes/interview-marek.md'] },
        {
          kind: 'failed',
          run: 'r',
          message: 'The model process ended while reading.',
          detail: 'It was started again; the index is whole.',
          actions: [{ label: 'Show Log', command: 'show-log' }],
        },
      ),
  },
  { name: 'zoom-200', width: 550, height: 500, scale: 2, view: ferryAnswer() },
];

/** An answer of the command line (`causeway ask … --json`) in a file, to see it on the page. */
const real = process.env.CAUSEWAY_ANSWER;
const realShots: readonly Shot[] = real
  ? [1100, 300].flatMap((width): Shot[] => {
      const view = JSON.parse(readFileSync(real, 'utf8')) as AnswerView;
      const at = {
        view,
        width,
        height: width === 300 ? 1600 : 1000,
        ...(width === 300 ? { surface: 'sideBar' as const } : {}),
      };
      return [
        { name: `real-${width}`, ...at },
        { name: `real-all-${width}`, ...at, act: showAll },
        { name: `real-why-${width}`, ...at, act: async ({ page }) => page.locator('.why').first().click() },
      ];
    })
  : [];

const [folder = '/tmp/shots', ...wanted] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const host = await TestHost.start();
try {
  for (const shot of [...SHOTS, ...realShots]) {
    if (wanted.length > 0 && !wanted.some((name) => shot.name.startsWith(name))) continue;
    const panel = await host.open(shot);
    await panel.send(SETUP);
    if (shot.view) await panel.send({ kind: 'answer', run: 'r', view: shot.view, options: OPTIONS });
    await shot.act?.(panel);
    await panel.page.waitForTimeout(150);
    await panel.page.screenshot({ path: join(folder, `${shot.name}.png`) });
    console.log(shot.name, panel.trouble.join(' | '));
    await panel.close();
  }
} finally {
  await host.stop();
}
