/** The question, the way it is walked, and the numbers it is asked with. */
import { h, icon, refill } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import type { DirectionLabel } from '../protocol.ts';
import { OPTION_BOUNDS, type State } from '../state.ts';
import { DIRECTION_NAMES, percent } from '../text.ts';

const WAYS: readonly DirectionLabel[] = ['backward', 'bidirectional', 'forward'];
const WAY_TITLES: Readonly<Record<DirectionLabel, string>> = {
  backward: 'Look for what led to it',
  bidirectional: 'Look both ways',
  forward: 'Look for what it led to',
};

export function composer(page: Page): Part {
  const field = h('textarea', {
    class: 'question',
    rows: 1,
    placeholder: 'Ask why something happened, or what came of it',
    'aria-label': 'Question',
    oninput: () => {
      grow(field);
      page.set({ draft: field.value });
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      page.ask();
    },
  });
  const send = h('button', { type: 'button', class: 'button send' });
  send.addEventListener('click', () => {
    const { run } = page.state;
    if (run?.status === 'running') page.post({ kind: 'cancel', run: run.id });
    else page.ask();
  });
  const ways = h('div', { class: 'segments ways', role: 'group', 'aria-label': 'Direction' });
  const byline = h('span', { class: 'byline' });
  const optionsButton = h('button', {
    type: 'button',
    class: 'icon-button',
    'aria-label': 'Search options',
    title: 'Search options',
    'aria-controls': 'search-options',
    onclick: () => page.look({ optionsOpen: !page.state.look.optionsOpen }),
  });
  optionsButton.append(icon('options'));
  const options = h('div', {
    class: 'options',
    id: 'search-options',
    role: 'group',
    'aria-label': 'Search options',
  });
  let width = 0;
  // In a narrower panel the question takes more lines.
  new ResizeObserver(() => {
    if (field.clientWidth === width) return;
    width = field.clientWidth;
    grow(field);
  }).observe(field);
  const element = h(
    'div',
    { class: 'composer' },
    h('div', { class: 'question-row' }, field, send),
    h('div', { class: 'ways-row' }, ways, byline, optionsButton),
    options,
  );

  return {
    element,
    update(state, before) {
      if (state.draft !== field.value) {
        field.value = state.draft;
        grow(field);
      }
      const running = state.run?.status === 'running';
      if (before === null || (before.run?.status === 'running') !== running) {
        send.replaceChildren(icon(running ? 'stop' : 'ask'), h('span', {}, running ? 'Cancel' : 'Ask'));
        send.classList.toggle('secondary', running);
      }
      send.disabled = !running && state.draft.trim() === '';
      optionsButton.setAttribute('aria-expanded', String(state.look.optionsOpen));
      options.hidden = !state.look.optionsOpen;
      if (
        before === null ||
        before.options !== state.options ||
        before.found.direction !== state.found.direction ||
        before.run !== state.run
      ) {
        refill(
          ways,
          WAYS.map((way) => wayButton(page, way)),
        );
        refill(byline, ...bylineOf(page));
        if (before === null || before.options !== state.options || before.run !== state.run)
          refill(options, ...optionFields(page));
      }
    },
  };
}

function wayButton(page: Page, way: DirectionLabel): HTMLElement {
  const { found, options, run } = page.state;
  const set = options.direction === way;
  const told = found.direction;
  const chosen = set || (options.direction === 'auto' && told?.label === way);
  const score = told?.scores[way];
  const showScore = chosen && !set && told?.by !== 'person' && score !== undefined;
  return h(
    'button',
    {
      type: 'button',
      'data-key': `way-${way}`,
      'aria-pressed': chosen,
      title: score === undefined ? WAY_TITLES[way] : `${WAY_TITLES[way]} (${percent(score)})`,
      // One click asks again; before a first question it only sets the way.
      onclick: () => {
        if (run === null) page.set({ options: { ...options, direction: set ? 'auto' : way } });
        else if (!set) page.ask({ direction: way });
      },
    },
    DIRECTION_NAMES[way],
    showScore && h('span', { class: 'score' }, percent(score)),
  );
}

function bylineOf(page: Page): (HTMLElement | string)[] {
  const { found, options, run } = page.state;
  if (options.direction !== 'auto') {
    return [
      'set by you',
      h(
        'button',
        {
          type: 'button',
          class: 'link',
          'data-key': 'way-auto',
          onclick: () =>
            run === null
              ? page.set({ options: { ...options, direction: 'auto' } })
              : page.ask({ direction: 'auto' }),
        },
        'Decide for me',
      ),
    ];
  }
  if (found.direction?.by === 'unsure') return ['not sure, so both ways were walked'];
  return [];
}

function optionFields(page: Page): HTMLElement[] {
  const { options, run } = page.state;
  const number = (name: keyof typeof OPTION_BOUNDS, label: string, help: string) => {
    const { least, most } = OPTION_BOUNDS[name];
    const input = h('input', {
      type: 'number',
      min: least,
      max: most,
      value: options[name],
      'data-key': `option-${name}`,
      onchange: () => {
        const value = Math.min(most, Math.max(least, Math.round(input.valueAsNumber || options[name])));
        input.value = String(value);
        page.set({ options: { ...page.state.options, [name]: value } });
      },
    });
    return h('label', { class: 'option', title: help }, h('span', {}, label), input);
  };
  const hedged = h('input', {
    type: 'checkbox',
    checked: options.hedged,
    'data-key': 'option-hedged',
    onchange: () => page.set({ options: { ...page.state.options, hedged: hedged.checked } }),
  });
  const changed = run !== null && JSON.stringify(run.options) !== JSON.stringify(options);
  return [
    number('beamWidth', 'Beam width', 'Paths kept in each step of the search'),
    number('chains', 'Chains', 'Chains shown at most'),
    number('passages', 'Passages', 'Passages read for the question'),
    h(
      'label',
      { class: 'option check', title: 'Walk links that the text states only as possible' },
      hedged,
      h('span', {}, 'Walk possible links'),
    ),
    changed
      ? h(
          'button',
          { type: 'button', class: 'button', 'data-key': 'option-apply', onclick: () => page.ask() },
          icon('refresh'),
          h('span', {}, 'Ask again'),
        )
      : h('span', {}),
  ];
}

function grow(field: HTMLTextAreaElement): void {
  field.style.setProperty('height', 'auto');
  field.style.setProperty('height', `${Math.min(160, field.scrollHeight + 2)}px`);
}

/** Whether there is something to ask. */
export function canAsk(state: State): boolean {
  return state.draft.trim() !== '';
}
