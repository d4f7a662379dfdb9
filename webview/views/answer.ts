/** The answer with its numbered citations, on top of everything else. */
import { type Child, h, icon, refill } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import { knowledge, type State } from '../state.ts';
import { count, percent } from '../text.ts';
import { actionButton, citation, meter, placeLine } from './pieces.ts';

export function answer(page: Page): Part {
  const element = h('section', { class: 'answer', 'aria-labelledby': 'answer-title', hidden: true });
  return {
    element,
    update(state, before) {
      const { view, answerText } = state.found;
      if (before !== null && before.found === state.found && before.run?.status === state.run?.status) return;
      element.hidden = view === null && answerText === '';
      if (element.hidden) return;
      if (view === null)
        refill(element, title(), h('p', { class: 'answer-text writing', dir: 'auto' }, answerText));
      else if (view.answer.kind === 'none') refill(element, title(), ...silence(page, state));
      else refill(element, title(), ...spoken(page, state));
    },
  };
}

function title(): HTMLElement {
  return h('h2', { id: 'answer-title', class: 'visually-hidden' }, 'Answer');
}

function spoken(page: Page, state: State): HTMLElement[] {
  const view = state.found.view!;
  const { hops } = knowledge(state);
  const parts: Child[] = [];
  for (const sentence of view.answer.sentences) {
    const cites = sentence.cites.flatMap((number) => {
      const hop = hops.get(number);
      return hop ? [citation(page, number, hop)] : [];
    });
    // The last word stays with its citations, so that no line begins with a number.
    const text = sentence.text.trim();
    const last = text.slice(text.lastIndexOf(' ') + 1);
    if (cites.length > 0 && last.length < 24 && last !== text) {
      parts.push(h('bdi', {}, text.slice(0, -last.length), h('span', { class: 'nowrap' }, last, cites)), ' ');
    } else parts.push(h('bdi', {}, text, cites), ' ');
  }
  if (view.answer.sentences.length === 0) parts.push(view.answer.text);
  const how =
    view.answer.kind === 'generated'
      ? 'Written by a language model, citations checked'
      : 'Composed from the chains and their quotes';
  return [
    h('p', { class: 'answer-text', dir: 'auto' }, parts),
    h(
      'div',
      { class: 'answer-foot' },
      h(
        'span',
        { class: 'confidence' },
        meter(view.answer.confidence, `Confidence ${percent(view.answer.confidence)}`),
        `${percent(view.answer.confidence)} sure`,
      ),
      h('span', {}, how),
      h(
        'button',
        {
          type: 'button',
          class: 'link',
          'data-key': 'copy',
          title: 'Copy the answer with its citations as Markdown',
          onclick: () => page.post({ kind: 'copy-answer' }),
        },
        icon('copy'),
        'Copy with citations',
      ),
    ),
  ];
}

/** The documents do not say: a proper answer, with ways on and what came nearest. */
function silence(page: Page, state: State): HTMLElement[] {
  const { view, retrieved } = state.found;
  const { options } = state;
  const ways: HTMLElement[] = [];
  if (view!.direction.label !== 'bidirectional')
    ways.push(actionButton('Look both ways', () => page.ask({ direction: 'bidirectional' })));
  if (options.passages < 60) {
    const more = Math.min(100, options.passages * 2);
    ways.push(actionButton(`Read ${more} passages`, () => page.ask({ passages: more })));
  }
  if (!options.hedged) ways.push(actionButton('Walk possible links', () => page.ask({ hedged: true })));
  const nearest = retrieved.slice(0, 3);
  return [
    h('p', { class: 'answer-text' }, 'Your documents do not say.'),
    h(
      'p',
      { class: 'answer-why' },
      `${count(view!.counts.passagesRead, 'passage')} read, ${count(view!.counts.links, 'link')} found; none connects to this question well enough.`,
    ),
    h('div', { class: 'button-row' }, ways),
    nearest.length > 0
      ? h(
          'div',
          { class: 'nearest' },
          h('h3', { class: 'small-title' }, 'What came nearest'),
          h(
            'ul',
            {},
            nearest.map((passage, index) =>
              h(
                'li',
                {},
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'quote',
                    'data-key': `near-${index}`,
                    onclick: () => page.openPlace(passage.place),
                  },
                  h('span', { class: 'quote-text clamp', dir: 'auto' }, passage.text),
                  placeLine(passage.place, passage.headings),
                ),
              ),
            ),
          ),
        )
      : h('span', {}),
  ];
}
