/** The page in a real browser, as VS Code would load it, driven by its protocol alone. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { AnswerView } from '../../server/protocol.ts';
import type { ToWebview } from '../../webview/protocol.ts';
import { ferryAnswer, QUESTION, silentAnswer } from './fixtures/ferry.ts';
import { hostileAnswer } from './fixtures/hostile.ts';
import { largeAnswer } from './fixtures/large.ts';
import { OPTIONS, type OpenOptions, type Panel, SETUP, TestHost } from './host.ts';

let host: TestHost;
let panel: Panel | null = null;

before(async () => {
  host = await TestHost.start();
});

after(() => host.stop());

afterEach(async () => {
  const trouble = panel?.trouble ?? [];
  await panel?.close();
  panel = null;
  assert.deepEqual(trouble, [], 'no fault, no breach of the policy, no request to anywhere else');
});

async function open(view: AnswerView | null, options: OpenOptions = {}): Promise<Panel> {
  panel = await host.open(options);
  await panel.send(SETUP);
  if (view) await panel.send({ kind: 'answer', run: 'r', view, options: OPTIONS });
  return panel;
}

const text = async (locator: Locator) => (await locator.textContent()) ?? '';
const edge = (hop: number) => `.edge:has(.chip-text:text-is("${hop}"))`;

test('asking posts the question with the chosen options, once', async () => {
  const { page, posted, next } = await open(null);
  await page.getByRole('textbox', { name: 'Question' }).fill('Why was it late?');
  await page.getByRole('button', { name: 'Search options' }).click();
  await page.getByLabel('Beam width').fill('5');
  await page.getByLabel('Walk possible links').uncheck();
  await page.getByRole('textbox', { name: 'Question' }).press('Enter');
  const ask = await next('ask');
  assert.deepEqual(ask, {
    kind: 'ask',
    question: 'Why was it late?',
    options: { ...OPTIONS, beamWidth: 5, hedged: false },
  });
  assert.equal(posted.filter((message) => message.kind === 'ask').length, 1);
});

test('a number out of bounds is brought back into them', async () => {
  const { page, next } = await open(null);
  await page.getByRole('button', { name: 'Search options' }).click();
  await page.getByLabel('Passages').fill('100000');
  await page.getByRole('textbox', { name: 'Question' }).fill('Why?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  assert.equal((await next('ask')).options.passages, 100);
});

test('the answer stands on top with citations that open the very words', async () => {
  const view = ferryAnswer();
  const { page, next } = await open(view);
  const hop = view.chains[0]!.hops[2]!;
  await page
    .locator('.answer')
    .getByRole('button', { name: /^Hop 3:/u })
    .click();
  assert.deepEqual(await next('open'), {
    kind: 'open',
    place: hop.evidence,
    link: {
      evidence: hop.evidence,
      cause: hop.cause.place,
      relation: hop.relation.place,
      effect: hop.effect.place,
    },
  });
  const answer = await page.locator('.answer').boundingBox();
  const graph = await page.locator('.graph').boundingBox();
  assert.ok(answer!.y < graph!.y);
});

test('an answer composed of hops is short: a line for each, its quote behind the citation, the rest on demand', async () => {
  const view = ferryAnswer();
  const hops = view.chains.flatMap((chain) => chain.hops);
  const sentences = hops.map((hop) => ({
    text: `${hop.cause.text} leads to ${hop.effect.text} [${hop.number}]: “${hop.evidence.text}”`,
    cites: [hop.number],
  }));
  const composed = {
    ...view,
    answer: { ...view.answer, sentences, text: sentences.map((part) => part.text).join('\n') },
  };
  const { page } = await open(composed);
  assert.equal(await page.locator('.answer li').count(), 4);
  assert.equal(await text(page.locator('.answer li').first()), 'The first hard frost leads to cabinet seal1');
  await page.getByRole('button', { name: 'Show 5 more' }).click();
  assert.equal(await page.locator('.answer .citation').count(), hops.length);
});

test('the direction shows its confidence and asks again with one click', async () => {
  const { page, next } = await open(ferryAnswer());
  const causes = page.getByRole('button', { name: /^Causes 94 %/u });
  assert.equal(await causes.getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: 'Effects' }).click();
  const ask = await next('ask');
  assert.equal(ask.options.direction, 'forward');
  assert.equal(ask.question, QUESTION);
});

test('causes stand left of effects in every drawn hop', async () => {
  const view = ferryAnswer();
  const { page } = await open(view);
  const x = await page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<SVGGElement>('.node')].map((node) => [
        node.dataset.node,
        node.getBoundingClientRect().x,
      ]),
    ),
  );
  for (const chain of view.chains)
    for (const hop of chain.hops) assert.ok(x[hop.cause.concept]! < x[hop.effect.concept]!);
});

test('a click on an edge opens its evidence and tells why; Enter does the same', async () => {
  const view = ferryAnswer();
  const { page, posted, next } = await open(view);
  await page.locator(`${edge(2)} .tag`).click();
  assert.equal((await next('open')).place.quote, view.chains[0]!.hops[1]!.evidence.quote);
  await page.getByRole('heading', { name: 'Why hop 2' }).waitFor();
  const from = posted.length;
  await page.locator(edge(3)).focus();
  await page.keyboard.press('Enter');
  assert.equal((await next('open', from)).place.quote, view.chains[0]!.hops[2]!.evidence.quote);
});

test('the keyboard alone walks the first chain to its end', async () => {
  const { page } = await open(ferryAnswer());
  await page.locator('.node[tabindex="0"]').focus();
  const names: string[] = [];
  for (let step = 0; step < 9; step += 1) {
    names.push((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '');
    await page.keyboard.press('ArrowRight');
  }
  assert.match(names[0]!, /^first hard frost/u);
  assert.match(names[8]!, /^morning ferry cancelled/u);
  assert.equal(await page.locator('.graph-svg [tabindex="0"]').count(), 1, 'one stop for the tab key');
});

test('a node lists all its mentions, each a jump', async () => {
  const view = ferryAnswer();
  const concept = view.concepts.find((candidate) => candidate.name === 'morning ferry cancelled')!;
  const { page, next, posted } = await open(view);
  await page.locator(`.node[data-node="${concept.id}"]`).click();
  const jumps = page.locator('.inspector .mentions').first().getByRole('button');
  assert.equal(await jumps.count(), concept.mentions.length);
  for (const [index, mention] of concept.mentions.entries()) {
    const from = posted.length;
    await jumps.nth(index).click();
    assert.deepEqual((await next('open', from)).place, mention.place);
  }
});

test('pointing at a chain lights it and dims the others', async () => {
  const { page } = await open(ferryAnswer());
  await page.locator('.chain').nth(2).hover();
  const lit = await page.locator('.edge.lit .chip-text').allTextContents();
  assert.deepEqual(lit.toSorted(), ['8', '9']);
  const dimmed = await page.locator(edge(2)).evaluate((element) => Number(getComputedStyle(element).opacity));
  assert.ok(dimmed < 0.5);
});

test('the cursor on evidence lights its edge without moving focus', async () => {
  const view = ferryAnswer();
  const { page, send } = await open(view);
  await page.getByRole('textbox', { name: 'Question' }).focus();
  await send({ kind: 'highlight', links: [view.chains[0]!.hops[1]!.id] });
  assert.equal(await page.locator('.edge.under-cursor').count(), 1);
  assert.deepEqual(await page.locator('.edge.lit .chip-text').allTextContents(), ['2']);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  await send({ kind: 'highlight', links: [] });
  assert.equal(await page.locator('.graph-svg.lighting').count(), 0);
});

test('a link under the cursor that is not drawn is named, and shown on demand', async () => {
  const view = ferryAnswer();
  const school = view.links.find((link) => link.effect.text.includes('school'))!;
  const { page, send } = await open(view);
  await send({ kind: 'highlight', links: [school.id] });
  await page.locator('.notes').getByRole('button', { name: 'Show' }).click();
  assert.equal(await page.locator('.edge.under-cursor').count(), 1);
});

test('hedged edges are dashed, negated ones crossed and on no chain, contradictions marked', async () => {
  const { page } = await open(ferryAnswer());
  await page.getByRole('button', { name: /^Show all/u }).click();
  assert.notEqual(
    await page.locator(`${edge(6)} .line`).evaluate((line) => getComputedStyle(line).strokeDasharray),
    'none',
  );
  assert.equal(
    await page.locator(`${edge(2)} .line`).evaluate((line) => getComputedStyle(line).strokeDasharray),
    'none',
  );
  assert.equal(await page.locator('.edge.negated').count(), 2);
  assert.equal(await page.locator('.edge.negated .cross').count(), 2);
  assert.equal(await page.locator('.edge.negated.on-chain').count(), 0);
  assert.equal(await page.locator('.edge.contradicted .clash').count(), 2);
});

test('types are told apart by form, not by colour alone', async () => {
  const { page } = await open(ferryAnswer());
  await page.getByRole('button', { name: 'Legend and filter' }).click();
  const forms = await page
    .locator('.legend label .sample')
    .evaluateAll((samples) =>
      samples.map((sample) =>
        [...sample.querySelectorAll('.head, .sign path')]
          .map((path) => `${path.getAttribute('d')}${path.getAttribute('class')}`)
          .join('|'),
      ),
    );
  assert.equal(forms.length, 9);
  assert.equal(new Set(forms).size, 9);
});

test('the filter by type and by document hides and brings back', async () => {
  const { page, send } = await open(ferryAnswer());
  await page.getByRole('button', { name: /^Show all/u }).click();
  await send();
  const edges = await page.locator('.edge[data-edge]').count();
  await page.getByRole('button', { name: 'Legend and filter' }).click();
  await page.getByRole('checkbox', { name: /^Prevents/u }).uncheck();
  await page.getByRole('checkbox', { name: /council\.md/u }).uncheck();
  // The drawing follows a click in the next frame.
  await send();
  const fewer = await page.locator('.edge[data-edge]').count();
  assert.equal(
    edges - fewer,
    2 + 3 + 1,
    'two that prevent, three of the minutes, and the join they leave without a hop',
  );
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('data-key')),
    'file-minutes/council.md',
    'the focus stays where it was',
  );
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await send();
  assert.equal(await page.locator('.edge[data-edge]').count(), edges);
});

test('neighbours are shown at once from what is known, and more is asked of the host', async () => {
  const view = ferryAnswer();
  const { page, next, send } = await open(view);
  const id = view.concepts.find((concept) => concept.name === 'morning ferry cancelled')!.id;
  const before = await page.locator('.node').count();
  await page.locator(`.node[data-node="${id}"] .badge.more`).click();
  assert.equal((await next('expand')).concept, id);
  assert.equal(await page.locator('.node').count(), before + 4);
  const link = {
    ...view.links[0]!,
    id: 900,
    cause: { ...view.links[0]!.cause, concept: id },
    effect: { ...view.links[0]!.effect, concept: 901, text: 'late newspaper' },
  };
  await send({ kind: 'expanded', concept: id, concepts: [], links: [link] });
  assert.equal(await page.getByRole('button', { name: /^late newspaper/u }).count(), 1);
});

test('the table holds the same links as the graph', async () => {
  const { page, next } = await open(ferryAnswer());
  await page.getByRole('button', { name: /^Show all/u }).click();
  const links = ferryAnswer().links.length;
  await page.getByRole('button', { name: 'Table' }).click();
  // Hop 7 walks the same link as hop 4, and has a row of its own.
  assert.equal(await page.locator('tbody tr').count(), links + 1);
  await page
    .getByRole('row', { name: /reserve ferry/u })
    .first()
    .getByRole('button', { name: /Opens/u })
    .click();
  assert.match((await next('open')).place.quote, /reserve ferry/u);
  await page.getByRole('searchbox', { name: 'Search concepts' }).fill('fuel');
  assert.equal(await page.locator('tbody tr').count(), 1);
});

test('why a hop: its reasons unfold under it', async () => {
  const { page } = await open(ferryAnswer());
  const why = page.getByRole('button', { name: /^Why hop 6/u });
  await why.click();
  const reasons = await text(page.locator('.hop-why'));
  for (const part of ['71 %', 'relevance to the question', 'taken as the same as', 'score 0.613'])
    assert.ok(reasons.includes(part), `${part} in ${reasons}`);
  assert.equal(await why.getAttribute('aria-expanded'), 'true');
  await why.click();
  assert.equal(await page.locator('.hop-why').count(), 0);
});

test('a question streams: progress, links as they come, the answer; and can be cancelled', async () => {
  const view = ferryAnswer();
  const { page, send, next } = await open(null);
  await send(
    { kind: 'started', run: 'x', question: QUESTION, options: OPTIONS },
    { kind: 'progress', run: 'x', step: 'extract', message: 'Reading 3 of 20 passages', done: 3, total: 20 },
    { kind: 'partial', run: 'x', found: { links: view.links.slice(0, 3), concepts: view.concepts } },
  );
  assert.match(await text(page.locator('.progress-message')), /Reading 3 of 20 passages · 3 links/u);
  assert.equal(await page.locator('.edge[data-edge]').count(), 3);
  await send({
    kind: 'partial',
    run: 'x',
    found: { chains: view.chains, links: view.links, answerText: 'The morning' },
  });
  assert.equal(await page.locator('.chain').count(), 3);
  assert.equal(await text(page.locator('.answer-text')), 'The morning');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  assert.deepEqual(await next('cancel'), { kind: 'cancel', run: 'x' });
  await send({ kind: 'cancelled', run: 'x' });
  assert.equal(await page.locator('.chain').count(), 3, 'what was found stays');
  await page.locator('.banner').getByRole('button', { name: 'Ask again' }).click();
  assert.equal((await next('ask')).question, QUESTION);
});

test('an error says what happened and gives ways on', async () => {
  const { page, send, next } = await open(ferryAnswer());
  await send({
    kind: 'failed',
    run: 'r',
    message: 'The model process ended.',
    detail: 'It was started again.',
    actions: [{ label: 'Show Log', command: 'show-log' }],
  });
  assert.match(await text(page.getByRole('alert')), /The model process ended\./u);
  await page.getByRole('button', { name: 'Show Log' }).click();
  assert.equal((await next('command')).command, 'show-log');
});

test('a stale answer says so and asks again with one click', async () => {
  const { page, send, next } = await open(ferryAnswer());
  await send({ kind: 'stale', files: ['log/harbour-log.md'] });
  const banner = page.locator('.banner.warning');
  assert.match(await text(banner), /Source changed since\.\s*harbour-log\.md/u);
  await banner.getByRole('button', { name: 'Ask again' }).click();
  assert.equal((await next('ask')).question, QUESTION);
  await send({ kind: 'stale', files: [] });
  assert.equal(await banner.count(), 0);
});

test('"your documents do not say" is an answer with ways on', async () => {
  const { page, next } = await open(silentAnswer());
  await page.getByText('Your documents do not say.').first().waitFor();
  await page.getByRole('button', { name: 'Read 40 passages' }).click();
  assert.equal((await next('ask')).options.passages, 40);
  assert.equal(await page.locator('.nearest').getByRole('button').count(), 3);
});

test('each state of the index says what to do', async () => {
  const { page, send, next, posted } = await open(null);
  const cases: [ToWebview & { kind: 'index' }, RegExp, string | null, string][] = [
    [{ kind: 'index', index: { state: 'no-folder' } }, /No folder is open/u, 'Open Folder', 'open-folder'],
    [
      { kind: 'index', index: { state: 'missing', documents: 12 } },
      /12 documents can be read/u,
      'Index Workspace',
      'index',
    ],
    [{ kind: 'index', index: { state: 'no-documents' } }, /Nothing to read here/u, 'Settings', 'settings'],
    [
      { kind: 'index', index: { state: 'indexing', done: 3, total: 9, usable: true } },
      /3 of 9 documents read\. You can ask already/u,
      'Pause',
      'pause-index',
    ],
    [
      { kind: 'index', index: { state: 'paused', done: 3, total: 9, usable: false } },
      /Indexing is paused/u,
      'Resume',
      'resume-index',
    ],
    [
      { kind: 'index', index: { state: 'failed', message: 'disk full' } },
      /disk full/u,
      'Rebuild Index',
      'rebuild-index',
    ],
    [
      { kind: 'index', index: { state: 'ready', documents: 3, passages: 4, links: 0, unread: 0 } },
      /No causal statements found\s*3 documents read/u,
      'Documents',
      'show-documents',
    ],
  ];
  for (const [message, says, button, command] of cases) {
    await send(message);
    assert.match(await text(page.locator('.empty')), says);
    const from = posted.length;
    await page.locator('.empty').getByRole('button', { name: button!, exact: true }).click();
    assert.equal((await next('command', from)).command, command);
  }
});

test('a suggestion asks with one click', async () => {
  const { page, next } = await open(null);
  await page.getByRole('button', { name: 'What came of the spending freeze?' }).click();
  assert.equal((await next('ask')).question, 'What came of the spending freeze?');
});

test('zoom, pan, fit and the look are restored after a reload', async () => {
  const first = await open(ferryAnswer());
  await first.page.getByRole('button', { name: /^Show all/u }).click();
  await first.page.getByRole('button', { name: 'Zoom in' }).click();
  await first.page.locator('.chain-name').nth(1).click();
  const transform = await first.page.locator('.scene').getAttribute('transform');
  const kept = await first.state();
  assert.deepEqual(first.trouble, []);
  await first.close();
  panel = await host.open({ kept });
  assert.equal((await panel.next('ready')).restored, true);
  await panel.send(SETUP);
  assert.equal(await panel.page.locator('.scene').getAttribute('transform'), transform);
  assert.equal(await panel.page.locator('.chain.selected').count(), 1);
  assert.equal(
    await panel.page.locator('.node').count(),
    new Set(ferryAnswer().links.flatMap((link) => [link.cause.concept, link.effect.concept])).size,
  );
  assert.equal(await panel.page.locator('.answer .citation').count(), 7);
});

test('a drag moves the drawing by one attribute, however many nodes there are', async () => {
  const { page } = await open(largeAnswer(300), { width: 1100, height: 900 });
  await page.getByRole('button', { name: /^Show all/u }).click();
  assert.equal(await page.locator('.node').count(), 300);
  const box = (await page.locator('.graph').boundingBox())!;
  await page.evaluate(() => {
    const changes: string[] = [];
    Object.assign(window, { changes });
    new MutationObserver((records) => {
      for (const record of records)
        changes.push(
          `${(record.target as Element).getAttribute('class')} ${record.type} ${record.attributeName}`,
        );
    }).observe(document.querySelector('.graph-svg')!, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  await page.mouse.move(box.x + 12, box.y + 12);
  await page.mouse.down();
  for (let step = 1; step <= 20; step += 1)
    await page.mouse.move(box.x + 12 + step * 10, box.y + 12 + step * 5);
  await page.mouse.up();
  const changes = await page.evaluate(() => (window as unknown as { changes: string[] }).changes);
  const moves = changes.filter((change) => change === 'scene attributes transform').length;
  assert.ok(moves >= 10, `${moves} moves`);
  assert.ok(changes.length - moves <= 6, changes.filter((change) => !change.startsWith('scene')).join('\n'));
});

test('more than stays fluid is folded, with the number of what is folded', async () => {
  const { page } = await open(largeAnswer(600), { width: 1100, height: 900 });
  await page.getByRole('button', { name: /^Show all/u }).click();
  assert.equal(await page.locator('.node').count(), 300);
  assert.match(await text(page.locator('.notes')), /300 more concepts folded/u);
});

test('no label on the drawn page lies over another, in small and large graphs', async () => {
  for (const [view, width] of [
    [ferryAnswer(), 1000],
    [hostileAnswer(), 1000],
    [largeAnswer(120), 1100],
    [ferryAnswer(), 300],
  ] as const) {
    await panel?.close();
    const { page } = await open(view, { width, height: 900 });
    const all = page.getByRole('button', { name: /^Show all/u });
    if (await all.isVisible()) await all.click();
    const overlaps = await page.evaluate(() => {
      const boxes = [
        ...document.querySelectorAll<SVGGElement>('.graph-svg .card, .graph-svg .tag > rect:first-child'),
      ].map((element) => element.getBoundingClientRect());
      let count = 0;
      for (const [index, a] of boxes.entries()) {
        for (const b of boxes.slice(index + 1)) {
          if (
            a.right > b.left + 0.5 &&
            b.right > a.left + 0.5 &&
            a.bottom > b.top + 0.5 &&
            b.bottom > a.top + 0.5
          )
            count += 1;
        }
      }
      return count;
    });
    assert.equal(overlaps, 0);
    const spilled = await page.evaluate(() =>
      [...document.querySelectorAll<SVGGElement>('.node')]
        .filter((node) => {
          const card = node.querySelector<SVGRectElement>('.card')!.getBBox();
          const name = node.querySelector<SVGTextElement>('.name')!.getBBox();
          return (
            name.x < card.x - 0.5 ||
            name.x + name.width > card.x + card.width + 0.5 ||
            name.y < card.y ||
            name.y + name.height > card.y + card.height
          );
        })
        .map((node) => node.getAttribute('aria-label')),
    );
    assert.deepEqual(spilled, [], 'names stay inside their cards');
  }
});

test('a name that was cut can be read in full', async () => {
  const view = hostileAnswer();
  const long = view.concepts.find((concept) => concept.name.startsWith('the very'))!;
  const { page } = await open(view);
  const node = page.locator(`.node[data-node="${long.id}"]`);
  assert.match(await node.locator('.name').innerHTML(), /…/u);
  await node.hover();
  assert.ok((await text(page.locator('.tooltip'))).includes(long.name));
  assert.ok((await node.getAttribute('aria-label'))!.includes(long.name));
});

test('hostile text is shown as text: nothing runs, nothing is a link, nothing is loaded', async () => {
  const view = hostileAnswer();
  const { page, posted } = await open(view);
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Graph' }).click();
  await page.locator('.node').first().click();
  await page.getByRole('button', { name: 'Legend and filter' }).click();
  for (const why of await page.locator('.why').all()) await why.click();
  const found = await page.evaluate(() => ({
    hacked: 'hacked' in window,
    elements: document.querySelectorAll('a, img, iframe, object, embed, form, foreignObject, use, image')
      .length,
    scripts: document.scripts.length,
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some((attribute) => /^on/iu.test(attribute.name)),
    ).length,
    styled: document.querySelectorAll('style').length,
  }));
  assert.deepEqual(found, { hacked: false, elements: 0, scripts: 1, handlers: 0, styled: 0 });
  assert.ok((await text(page.locator('.answer'))).includes('<script>parent.postMessage'));
  assert.ok(posted.every((message) => message.kind !== 'command' && message.kind !== 'ask'));
});

test('text from right to left keeps its order', async () => {
  const { page } = await open(hostileAnswer());
  const directions = await page
    .locator('.hop-words bdi.cause')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
  assert.deepEqual(directions, ['ltr', 'ltr', 'rtl', 'ltr', 'ltr']);
});

test('an unknown citation number shows nothing rather than a dead link', async () => {
  const { page } = await open(hostileAnswer());
  assert.deepEqual(await page.locator('.answer .citation').allInnerTexts(), ['1', '3']);
});

test('nothing is wider than a side bar of 300 pixels, nor than a panel at 200 %', async () => {
  for (const view of [ferryAnswer(), hostileAnswer(), silentAnswer(), largeAnswer(120)]) {
    for (const width of [300, 550]) {
      await panel?.close();
      const { page } = await open(view, { width, height: 700, surface: 'sideBar' });
      await page.getByRole('button', { name: 'Search options' }).click();
      const filter = page.getByRole('button', { name: 'Legend and filter' });
      if (await filter.isVisible()) await filter.click();
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(wide <= 0, `${wide} px too wide at ${width}`);
    }
  }
});

test('a narrow graph flows downwards by itself, and the person can turn it', async () => {
  const { page } = await open(ferryAnswer(), { width: 300, height: 900 });
  const places = () =>
    page
      .locator(`${edge(2)} .head`)
      .first()
      .evaluate((head) => head.closest('g[transform]')!.getAttribute('transform')!);
  assert.match(await places(), /rotate\(90\)/u);
  await page.getByRole('button', { name: 'Draw from left to right' }).click();
  assert.match(await places(), /rotate\(0\)/u);
});

test('the graph is exported as an SVG that stands alone and as a PNG', async () => {
  const { send, next, posted } = await open(ferryAnswer());
  await send({ kind: 'export', request: '1', format: 'svg' });
  const svg = await next('exported');
  assert.equal(svg.error, undefined);
  assert.match(svg.data!, /^<svg[^>]*xmlns=/u);
  assert.ok(svg.data!.includes('>first hard frost<'));
  assert.doesNotMatch(svg.data!, /var\(|class=|href/u);
  const from = posted.length;
  await send({ kind: 'export', request: '2', format: 'png' });
  const png = await next('exported', from);
  const bytes = Buffer.from(png.data!, 'base64');
  assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG');
  assert.ok(bytes.readUInt32BE(16) > 1000, 'drawn at twice its size');
});

test('an export without a graph says why not', async () => {
  const { send, next } = await open(null);
  await send({ kind: 'export', request: '1', format: 'svg' });
  assert.match((await next('exported')).error!, /ask a question first/u);
});

test('reveal selects, brings into view, and tells the host', async () => {
  const view = largeAnswer(120);
  const { page, send } = await open(view);
  const hop = view.chains[2]!.hops.at(-1)!;
  await send({ kind: 'reveal', target: { kind: 'hop', hop: hop.number } });
  const box = (await page.locator('.edge.selected .line').boundingBox())!;
  const frame = (await page.locator('.graph').boundingBox())!;
  assert.ok(
    box.x + box.width > frame.x &&
      box.x < frame.x + frame.width &&
      box.y + box.height > frame.y &&
      box.y < frame.y + frame.height,
  );
});

test('the wheel scrolls the page, and zooms once the graph has been clicked into', async () => {
  const { page } = await open(ferryAnswer());
  const box = (await page.locator('.graph').boundingBox())!;
  const transform = () => page.locator('.scene').getAttribute('transform');
  const before = await transform();
  await page.mouse.move(box.x + 30, box.y + 15);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => scrollY > 0);
  assert.equal(await transform(), before);
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.click(box.x + 30, box.y + 15);
  await page.mouse.wheel(0, -120);
  await page.waitForFunction(
    (old) => document.querySelector('.scene')!.getAttribute('transform') !== old,
    before,
  );
});

test('motion stops where the person asked for less', async () => {
  const { page, send } = await open(null, { reducedMotion: true });
  await send({ kind: 'started', run: 'x', question: 'Why?', options: OPTIONS });
  const running = await page.evaluate(() => document.getAnimations().length);
  assert.equal(running, 0);
});
