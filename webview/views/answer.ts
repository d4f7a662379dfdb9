/** The answer with its numbered citations, on top of everything else. */
import { type Child, h, icon, refill } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import { knowledge, type State } from '../state.ts';
import { count, percent, sentenceParts } from '../text.ts';
import { actionButton, citation, meter, placeLine } from './pieces.ts';

/** Lines of a composed answer shown at once: the graph should stay in sight below. */
const LINES_AT_ONCE = 4;

export function answer(page: Page): Part {
  const element = h('section', { class: 'answer', 'aria-labelledby': 'answer-title', hidden: true });
  return {
    element,
    update(state, before) {
      const { view, answerText } = state.found;
      if (
        before !== null &&
        before.found === state.found &&
        before.run?.status === state.run?.status &&
        before.look.whole === state.look.whole
      )
        return;
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
  const evidenceOf = (hop: number) => hops.get(hop)?.evidence.text ?? null;
  const sentences = view.answer.sentences.map((sentence) => {
    const parts: Child[] = [];
    let word: string | null = null;
    for (const part of sentenceParts(sentence, evidenceOf)) {
      if ('text' in part) {
        if (word !== null) parts.push(word);
        // The last word stays with its citations, so that no line begins with a number.
        const last = part.text.slice(part.text.lastIndexOf(' ') + 1);
        const kept = last.length > 0 && last.length < 24 ? last : '';
        parts.push(part.text.slice(0, part.text.length - kept.length));
        word = kept;
      } else {
        parts.push(h('span', { class: 'nowrap' }, word, citation(page, part.cite, hops.get(part.cite)!)));
        word = null;
      }
    }
    return h('bdi', {}, parts, word);
  });
  // An answer composed of chains has a line for each hop; a written one is running text.
  const lines = view.answer.text.includes('\n') && sentences.length > 1;
  const shown = lines && !page.state.look.whole ? sentences.slice(0, LINES_AT_ONCE) : sentences;
  const rest = sentences.length - shown.length;
  const how =
    view.answer.kind === 'generated'
      ? 'Written by a language model, citations checked'
      : 'Composed from the chains and their quotes';
  return [
    lines
      ? h(
          'ol',
          { class: 'answer-text lines' },
          shown.map((sentence) => h('li', { dir: 'auto' }, sentence)),
        )
      : h(
          'p',
          { class: 'answer-text', dir: 'auto' },
          shown.length > 0 ? shown.flatMap((sentence) => [sentence, ' ']) : view.answer.text,
        ),
    ...(rest > 0
      ? [
          h(
            'button',
            {
              type: 'button',
              class: 'link more-lines',
              'data-key': 'whole',
              onclick: () => page.look({ whole: true }),
            },
            `Show ${rest} more`,
          ),
        ]
      : []),
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
