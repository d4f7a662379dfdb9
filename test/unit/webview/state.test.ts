import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keep, restore } from '../../../webview/kept.ts';
import type { ToWebview } from '../../../webview/protocol.ts';
import { firstState, knowledge, receive, type State } from '../../../webview/state.ts';
import { ferryAnswer } from '../../webview/fixtures/ferry.ts';

const OPTIONS = { direction: 'auto', beamWidth: 3, chains: 3, passages: 20, hedged: true } as const;
const after = (...messages: readonly ToWebview[]): State => messages.reduce(receive, firstState());
const started: ToWebview = { kind: 'started', run: 'a', question: 'Why?', options: OPTIONS };

test('late messages of a cancelled question change nothing', () => {
  const state = after(started, { kind: 'started', run: 'b', question: 'And then?', options: OPTIONS });
  const late: ToWebview[] = [
    { kind: 'progress', run: 'a', step: 'extract', message: 'Reading' },
    { kind: 'partial', run: 'a', found: { links: ferryAnswer().links } },
    { kind: 'cancelled', run: 'a' },
    { kind: 'failed', run: 'a', message: 'gone' },
  ];
  assert.deepEqual(late.reduce(receive, state), state);
});

test('partial results add up, and what was found stays after a cancel', () => {
  const view = ferryAnswer();
  const state = after(
    started,
    { kind: 'partial', run: 'a', found: { retrieved: view.retrieved } },
    { kind: 'partial', run: 'a', found: { links: view.links } },
    { kind: 'cancelled', run: 'a' },
  );
  assert.equal(state.run!.status, 'cancelled');
  assert.equal(state.found.retrieved, view.retrieved);
  assert.equal(knowledge(state).links.size, view.links.length);
});

test('a new question puts the old answer, its selection and its filters away', () => {
  const shown = after(
    { kind: 'answer', run: 'a', view: ferryAnswer(), options: OPTIONS },
    { kind: 'stale', files: ['x.md'] },
  );
  const chosen: State = {
    ...shown,
    selected: { kind: 'hop', hop: 1 },
    look: { ...shown.look, hiddenTypes: ['causes'], pane: 'table' },
  };
  const next = receive(chosen, { kind: 'started', run: 'b', question: 'Else?', options: OPTIONS });
  assert.equal(next.found.view, null);
  assert.equal(next.selected, null);
  assert.deepEqual(next.stale, []);
  assert.deepEqual(next.look.hiddenTypes, []);
  assert.equal(next.look.pane, 'table', 'the chosen pane is a habit, not part of a question');
});

test('an answer that comes without a run is shown as well', () => {
  const state = after({ kind: 'answer', run: 'restored', view: ferryAnswer(), options: OPTIONS });
  assert.equal(state.run!.status, 'done');
  assert.equal(state.draft, ferryAnswer().question);
});

test('settings are followed until the person changes an option on the page', () => {
  const setup = (beamWidth: number): ToWebview => ({
    kind: 'setup',
    defaults: { ...OPTIONS, beamWidth },
    index: { state: 'no-folder' },
  });
  assert.equal(after(setup(3), setup(5)).options.beamWidth, 5);
  const touched: State = { ...after(setup(3)), options: { ...OPTIONS, chains: 7 } };
  assert.equal(receive(touched, setup(5)).options.chains, 7);
});

test('expanded links are merged once, and an empty answer says there is no more', () => {
  const view = ferryAnswer();
  const more = { ...view.links[0]!, id: 500 };
  const message: ToWebview = { kind: 'expanded', concept: 1, concepts: [], links: [view.links[0]!, more] };
  const state = [message, message].reduce(
    receive,
    after({ kind: 'answer', run: 'a', view, options: OPTIONS }),
  );
  assert.deepEqual(state.extra.links, [more]);
  assert.equal(state.expansion[1], 'done');
});

test('what is kept comes back the same, through JSON, without the prompt', () => {
  const view = { ...ferryAnswer(), context: 'x'.repeat(10_000) };
  const state = after(
    { kind: 'answer', run: 'a', view, options: OPTIONS },
    { kind: 'stale', files: ['a.md'] },
  );
  const json = JSON.stringify(keep(state));
  assert.ok(!json.includes('xxxxx'));
  const back = restore(JSON.parse(json))!;
  assert.deepEqual(back.found.chains, state.found.chains);
  assert.deepEqual(back.look, state.look);
  assert.deepEqual(back.stale, ['a.md']);
});

test('a run that the reload cut off comes back as cancelled, not as running for ever', () => {
  const back = restore(JSON.parse(JSON.stringify(keep(after(started)))))!;
  assert.equal(back.run!.status, 'cancelled');
});

test('kept state that is foreign, old or broken is refused', () => {
  for (const bad of [
    undefined,
    null,
    7,
    'x',
    {},
    { version: 2, state: {} },
    { version: 1 },
    { version: 1, state: { found: {}, look: {}, options: {} } },
  ]) {
    assert.equal(restore(bad), null);
  }
});
