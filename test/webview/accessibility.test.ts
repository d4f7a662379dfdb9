/** Axe over the page in every theme, width and state: nothing serious, nothing critical. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { ferryAnswer, silentAnswer } from './fixtures/ferry.ts';
import { hostileAnswer } from './fixtures/hostile.ts';
import { OPTIONS, type Panel, SETUP, TestHost } from './host.ts';
import type { ThemeName } from './themes.ts';

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

let host: TestHost;
let axe: string;

before(async () => {
  host = await TestHost.start();
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});

after(() => host.stop());

async function findings({ page }: Panel): Promise<string[]> {
  // Evaluated by the test driver, which the page's policy does not bind.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const run = (window as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } }).axe.run;
    return (await run()).violations;
  });
  return (found as Finding[])
    .filter((finding) => finding.impact === 'serious' || finding.impact === 'critical')
    .flatMap((finding) =>
      finding.nodes.map((node) => `${finding.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
}

const STATES: Readonly<Record<string, (panel: Panel) => Promise<void>>> = {
  'an answer with everything open': async (panel) => {
    await panel.send(
      { kind: 'answer', run: 'r', view: ferryAnswer(), options: OPTIONS },
      { kind: 'stale', files: ['a.md'] },
    );
    await panel.page.getByRole('button', { name: 'Search options' }).click();
    await panel.page.getByRole('button', { name: 'Legend and filter' }).click();
    await panel.page.getByRole('button', { name: /^Show all/u }).click();
    await panel.page.locator('.why').nth(5).click();
    await panel.page.locator('.chain-name').first().focus();
    await panel.page.locator('.node').first().click();
  },
  'the table': async (panel) => {
    await panel.send({ kind: 'answer', run: 'r', view: ferryAnswer(), options: OPTIONS });
    await panel.page.getByRole('button', { name: 'Table' }).click();
  },
  'a running question': async (panel) => {
    await panel.send(
      { kind: 'started', run: 'r', question: 'Why?', options: OPTIONS },
      { kind: 'progress', run: 'r', step: 'extract', message: 'Reading', done: 1, total: 2 },
    );
  },
  'no answer, and an error': async (panel) => {
    await panel.send(
      { kind: 'answer', run: 'r', view: silentAnswer(), options: OPTIONS },
      { kind: 'failed', run: 'r', message: 'Gone.' },
    );
  },
  'nothing asked yet': async () => {},
  'hostile text': async (panel) => {
    await panel.send({ kind: 'answer', run: 'r', view: hostileAnswer(), options: OPTIONS });
  },
};

for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const satisfies readonly ThemeName[]) {
  test(`axe finds nothing serious in ${theme}`, async () => {
    for (const [name, act] of Object.entries(STATES)) {
      for (const width of [300, 1000]) {
        const panel = await host.open({
          theme,
          width,
          height: 900,
          surface: width === 300 ? 'sideBar' : 'editor',
        });
        await panel.send(SETUP);
        await act(panel);
        assert.deepEqual(await findings(panel), [], `${name} at ${width}`);
        await panel.close();
      }
    }
  });
}

test('every control has a name and can be reached with the tab key', async () => {
  const panel = await host.open({ width: 1000 });
  await panel.send(SETUP, { kind: 'answer', run: 'r', view: ferryAnswer(), options: OPTIONS });
  const controls = await panel.page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLElement>('button, input, textarea, summary')].filter(
        (element) => element.checkVisibility() && !(element as HTMLButtonElement).disabled,
      ).length,
  );
  const reached = new Set<string>();
  let focusable = '';
  for (let step = 0; step < controls + 20; step += 1) {
    await panel.page.keyboard.press('Tab');
    focusable = await panel.page.evaluate(() => {
      const element = document.activeElement!;
      if (element === document.body) return '';
      const all = [...document.querySelectorAll('*')];
      return `${all.indexOf(element)} ${element.tagName}`;
    });
    if (focusable === '') break;
    reached.add(focusable);
  }
  const buttons = [...reached].filter((name) => /BUTTON|INPUT|TEXTAREA|SUMMARY/u.test(name)).length;
  assert.equal(buttons, controls);
  await panel.close();
});

test('the focus is always to be seen', async () => {
  for (const theme of ['dark', 'hc-light'] as const) {
    const panel = await host.open({ width: 1000, theme });
    await panel.send(SETUP, { kind: 'answer', run: 'r', view: ferryAnswer(), options: OPTIONS });
    for (let step = 0; step < 40; step += 1) {
      await panel.page.keyboard.press('Tab');
      const seen = await panel.page.evaluate(() => {
        const element = document.activeElement!;
        if (element === document.body) return 'body';
        const style = getComputedStyle(element);
        if (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1) return 'outline';
        const card = element.querySelector('.card, .line');
        return card && Number.parseFloat(getComputedStyle(card).strokeWidth) >= 3
          ? 'stroke'
          : `nothing on ${element.outerHTML.slice(0, 120)}`;
      });
      assert.match(seen, /^(outline|stroke|body)$/u);
    }
    await panel.close();
  }
});
