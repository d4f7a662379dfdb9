/** What goes on: progress while a question runs, and banners for what went wrong or has changed. */
import { h, type IconName, icon, refill } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import type { RunStep } from '../protocol.ts';
import type { State } from '../state.ts';
import { baseName, count } from '../text.ts';
import { actionButton } from './pieces.ts';

const STEPS: readonly { readonly step: RunStep; readonly name: string }[] = [
  { step: 'retrieve', name: 'Find' },
  { step: 'extract', name: 'Read' },
  { step: 'build', name: 'Connect' },
  { step: 'traverse', name: 'Follow' },
  { step: 'answer', name: 'Answer' },
];

export function status(page: Page): Part {
  const live = h('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  const bar = h('div', { class: 'progress-bar' });
  const steps = h('ol', { class: 'steps', 'aria-label': 'Progress' });
  const message = h('p', { class: 'progress-message' });
  const progress = h('div', { class: 'progress', hidden: true }, bar, steps, message);
  const banners = h('div', { class: 'banners' });
  const element = h('div', { class: 'status' }, live, progress, banners);

  return {
    element,
    update(state, before) {
      const { run } = state;
      if (
        before !== null &&
        before.run === run &&
        before.stale === state.stale &&
        before.found === state.found &&
        before.defaults === state.defaults
      )
        return;
      progress.hidden = run?.status !== 'running';
      if (run?.status === 'running') drawProgress(state, bar, steps, message);
      const said = announcement(state);
      if (live.textContent !== said) live.textContent = said;
      refill(banners, ...bannersOf(page, state));
    },
  };
}

function drawProgress(state: State, bar: HTMLElement, steps: HTMLElement, message: HTMLElement): void {
  const progress = state.run!.progress;
  const at = STEPS.findIndex(({ step }) => step === progress?.step);
  refill(
    steps,
    STEPS.map(({ name }, index) =>
      h(
        'li',
        {
          class: index < at ? 'done' : index === at ? 'now' : '',
          'aria-current': index === at ? 'step' : null,
        },
        index < at && icon('check'),
        name,
      ),
    ),
  );
  const counted = progress !== null && progress.total > 0;
  bar.classList.toggle('counted', counted);
  if (counted) bar.style.setProperty('--share', String(progress.done / progress.total));
  const soFar = [
    state.found.retrieved.length > 0 && count(state.found.retrieved.length, 'passage'),
    state.found.links.length > 0 && count(state.found.links.length, 'link'),
    state.found.chains.length > 0 && count(state.found.chains.length, 'chain'),
  ].filter((part) => part !== false);
  message.textContent = [
    progress?.message ?? 'Starting…',
    ...(soFar.length > 0 ? [soFar.join(', ')] : []),
  ].join(' · ');
}

function announcement(state: State): string {
  const { run, found } = state;
  if (run === null) return '';
  if (run.status === 'running') return run.progress?.message ?? 'Asking';
  if (run.status === 'failed') return `The question failed: ${run.failure?.message ?? ''}`;
  if (run.status === 'cancelled') return 'Cancelled';
  if (found.view?.answer.kind === 'none') return 'Your documents do not say.';
  return `Answer with ${count(found.chains.length, 'chain')} ready.`;
}

function bannersOf(page: Page, state: State): HTMLElement[] {
  const { run, stale } = state;
  const banners: HTMLElement[] = [];
  if (run?.status === 'failed' && run.failure) {
    const { message, detail, actions } = run.failure;
    banners.push(
      banner('error', 'error', message, detail, [
        actionButton('Ask again', () => page.ask(), true),
        ...actions
          .filter((action) => action.command !== 'ask-again')
          .map((action) => actionButton(action.label, () => page.command(action.command))),
      ]),
    );
  }
  if (run?.status === 'cancelled') {
    const kept = state.found.links.length > 0 ? 'What was found so far is shown.' : '';
    banners.push(banner('quiet', 'stop', 'Cancelled.', kept, [actionButton('Ask again', () => page.ask())]));
  }
  if (stale.length > 0) {
    const names = stale.slice(0, 3).map(baseName).join(', ');
    const more = stale.length > 3 ? ` and ${stale.length - 3} more` : '';
    banners.push(
      banner('warning', 'warning', 'Source changed since.', `${names}${more}`, [
        actionButton('Ask again', () => page.ask(), true),
      ]),
    );
  }
  return banners;
}

function banner(
  tone: string,
  sign: IconName,
  title: string,
  detail: string,
  actions: readonly HTMLElement[],
): HTMLElement {
  return h(
    'div',
    { class: `banner ${tone}`, role: tone === 'error' ? 'alert' : null },
    icon(sign),
    h(
      'p',
      { dir: 'auto' },
      h('strong', {}, title),
      detail !== '' && h('span', { class: 'banner-detail' }, detail),
    ),
    h('div', { class: 'banner-actions' }, actions),
  );
}
