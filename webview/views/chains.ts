/** The chains: cause, relation, effect, hop after hop, each with the words it stands on. */
import { h, icon, refill, words } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import type { ChainView, HopView } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { count, linkSentence, percent, relationWords } from '../text.ts';
import { citation, flags, pointing, quote } from './pieces.ts';
import { why } from './why.ts';

export function chains(page: Page): Part {
  const element = h('section', { class: 'chains', 'aria-labelledby': 'chains-title', hidden: true });
  return {
    element,
    update(state, before) {
      if (before === null || before.found !== state.found || before.look.why !== state.look.why) {
        const list = state.found.chains;
        element.hidden = list.length === 0;
        refill(
          element,
          h(
            'h2',
            { id: 'chains-title', class: 'section-title' },
            list.length === 1 ? 'Chain' : 'Chains',
            h('span', { class: 'count' }, String(list.length)),
          ),
          h(
            'ol',
            { class: 'chain-list' },
            list.map((chain, index) => chainItem(page, state, chain, index)),
          ),
        );
      }
      if (
        before === null ||
        before.selected !== state.selected ||
        before.lit !== state.lit ||
        before.found !== state.found ||
        before.look.why !== state.look.why
      ) {
        mark(element, state);
      }
    },
  };
}

function chainItem(page: Page, state: State, chain: ChainView, index: number): HTMLElement {
  const first = chain.hops[0];
  const last = chain.hops[chain.hops.length - 1];
  const name =
    first && last ? `Chain ${index + 1}: ${first.cause.text} to ${last.effect.text}` : `Chain ${index + 1}`;
  const parts = Object.entries(chain.parts)
    .map(([part, value]) => `${part} ${value.toFixed(2)}`)
    .join(', ');
  return h(
    'li',
    { class: 'chain', 'data-chain': index, ...pointing(page, { kind: 'chain', chain: index }) },
    h(
      'h3',
      { class: 'chain-title' },
      h(
        'button',
        {
          type: 'button',
          class: 'chain-name',
          'data-key': `chain-${index}`,
          title: name,
          onclick: () => page.select({ kind: 'chain', chain: index }),
        },
        `Chain ${index + 1}`,
        h(
          'span',
          { class: 'chain-facts', title: parts },
          `${count(chain.hops.length, 'hop')} · score ${chain.score.toFixed(2)}`,
        ),
      ),
    ),
    h(
      'ol',
      { class: 'hops' },
      chain.hops.map((hop, at) => hopItem(page, state, hop, chain.hops[at - 1] ?? null)),
    ),
  );
}

function hopItem(page: Page, state: State, hop: HopView, before: HopView | null): HTMLElement {
  const contradicted =
    knowledge(state).edges.get(knowledge(state).edgeOfLink.get(hop.id) ?? '')?.contradicted ?? false;
  const open = state.look.why.includes(hop.number);
  const joined = before !== null && before.effect.text !== hop.cause.text;
  const relation = relationWords(hop);
  return h(
    'li',
    {
      class: 'hop',
      'data-hop': hop.number,
      'data-link': hop.id,
      ...pointing(page, { kind: 'hop', hop: hop.number }),
    },
    h(
      'div',
      { class: 'hop-line' },
      citation(page, hop.number, hop),
      h(
        'p',
        { class: 'hop-words', title: linkSentence(hop) },
        joined &&
          hop.join?.kind === 'taken-as-same' &&
          h(
            'span',
            {
              class: 'join',
              title: `“${hop.join.from}” is taken as the same as “${hop.join.to}” (${percent(hop.join.similarity)})`,
            },
            '≈ ',
          ),
        words(hop.cause.text, 'cause'),
        ' ',
        words(relation, 'relation'),
        ' ',
        words(hop.effect.text, 'effect'),
        flags(hop, contradicted),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'icon-button why',
          'data-key': `why-${hop.number}`,
          'aria-label': `Why hop ${hop.number}: ${linkSentence(hop)}`,
          title: 'Why this hop',
          'aria-expanded': open,
          onclick: () =>
            page.look({
              why: open
                ? page.state.look.why.filter((number) => number !== hop.number)
                : [...page.state.look.why, hop.number],
            }),
        },
        icon('why'),
      ),
    ),
    quote(page, hop, `quote-${hop.number}`),
    open && h('div', { class: 'hop-why' }, why(page, state, hop)),
  );
}

/** Marks what is selected and what the editor's cursor is on, without drawing the list anew. */
function mark(element: HTMLElement, state: State): void {
  const { selected, lit } = state;
  for (const item of element.querySelectorAll<HTMLElement>('.hop')) {
    const here =
      selected?.kind === 'hop'
        ? item.dataset.hop === String(selected.hop)
        : selected?.kind === 'link' && item.dataset.link === String(selected.link);
    item.classList.toggle('selected', here === true);
    item.classList.toggle('under-cursor', lit.includes(Number(item.dataset.link)));
  }
  for (const item of element.querySelectorAll<HTMLElement>('.chain')) {
    const here = selected?.kind === 'chain' && item.dataset.chain === String(selected.chain);
    item.classList.toggle('selected', here);
  }
}
