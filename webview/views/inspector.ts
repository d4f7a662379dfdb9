/** Why this hop; and for a concept, every place that mentions it. */
import { h, icon, refill, words } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import type { HopView, LinkView } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { count, percent, relationWords, typeWords } from '../text.ts';
import { actionButton, flags, placeLine, quote } from './pieces.ts';
import { why } from './why.ts';

/** Mentions and further links shown at once; the rest on demand. */
const AT_ONCE = 30;

export function inspector(page: Page): Part {
  const element = h('section', { class: 'inspector', 'aria-labelledby': 'inspector-title', hidden: true });
  return {
    element,
    update(state, before) {
      const same =
        before !== null &&
        before.selected === state.selected &&
        before.found === state.found &&
        before.extra === state.extra &&
        before.expansion === state.expansion &&
        before.look.expanded === state.look.expanded;
      if (same) return;
      const content = contentFor(page, state);
      element.hidden = content === null;
      refill(element, ...(content ?? []));
    },
  };
}

function contentFor(page: Page, state: State): HTMLElement[] | null {
  const { selected } = state;
  const known = knowledge(state);
  if (selected?.kind === 'concept')
    return known.nodes.has(selected.concept) ? concept(page, state, selected.concept) : null;
  if (selected?.kind === 'hop') {
    const hop = known.hops.get(selected.hop);
    return hop ? whyLink(page, state, hop) : null;
  }
  if (selected?.kind === 'link') {
    const link = known.links.get(selected.link);
    return link ? whyLink(page, state, link) : null;
  }
  return null;
}

function head(page: Page, title: string): HTMLElement {
  return h(
    'div',
    { class: 'inspector-head' },
    h('h2', { id: 'inspector-title', class: 'section-title' }, title),
    h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        'data-key': 'inspector-close',
        'aria-label': 'Close details',
        title: 'Close details',
        onclick: () => {
          page.select(null);
          // The focus goes back to where the details came from, not to the top of the page.
          document.querySelector<HTMLElement>('.graph-svg [tabindex="0"]')?.focus({ preventScroll: true });
        },
      },
      icon('close'),
    ),
  );
}

function whyLink(page: Page, state: State, link: LinkView): HTMLElement[] {
  const known = knowledge(state);
  const edge = known.edges.get(known.edgeOfLink.get(link.id) ?? '');
  return [
    head(page, 'number' in link ? `Why hop ${(link as HopView).number}` : 'Why this link'),
    h(
      'div',
      { class: 'pieces' },
      h(
        'div',
        {},
        h(
          'p',
          { class: 'why-words' },
          words(link.cause.text, 'cause'),
          ' ',
          words(relationWords(link), 'relation'),
          ' ',
          words(link.effect.text, 'effect'),
          flags(link, edge?.contradicted ?? false),
        ),
        quote(page, link, 'why-quote'),
      ),
      why(page, state, link),
    ),
  ];
}

function concept(page: Page, state: State, id: number): HTMLElement[] {
  const known = knowledge(state);
  const node = known.nodes.get(id)!;
  const item = known.concepts.get(id)!;
  const start = state.found.starts.find((entry) => entry.concept === id);
  const names = new Set(item.mentions.map((mention) => mention.text).filter((text) => text !== item.name));
  const edges = node.edges.map((edge) => known.edges.get(edge)!).filter((edge) => edge.kind === 'link');
  return [
    head(page, 'Concept'),
    h(
      'div',
      { class: 'pieces' },
      h(
        'div',
        {},
        h('p', { class: 'why-words', dir: 'auto' }, words(node.name, 'concept-name')),
        start
          ? h(
              'p',
              { class: 'join-text' },
              'The search started here: close to ',
              words(start.phrase, 'quoted'),
              ` in the question (${percent(start.similarity)}).`,
            )
          : null,
        names.size > 0
          ? h(
              'p',
              { class: 'join-text' },
              'Also written ',
              [...names].slice(0, 6).flatMap((name, index) => [index > 0 ? ', ' : '', words(name, 'quoted')]),
              '.',
            )
          : null,
        expansion(page, state, id),
      ),
      item.mentions.length > 0
        ? h(
            'div',
            {},
            h('h3', { class: 'small-title' }, count(item.mentions.length, 'mention')),
            h(
              'ul',
              { class: 'mentions' },
              item.mentions.slice(0, 200).map((mention, index) => mentionItem(page, mention, index)),
            ),
          )
        : null,
      edges.length > 0
        ? h(
            'div',
            {},
            h('h3', { class: 'small-title' }, count(edges.length, 'link')),
            h(
              'ul',
              { class: 'mentions' },
              edges.slice(0, AT_ONCE).map((edge) => edgeItem(page, state, id, edge.links[0]!)),
            ),
          )
        : null,
    ),
  ];
}

function mentionItem(
  page: Page,
  mention: { text: string; place: Parameters<Page['openPlace']>[0]; reason: string },
  index: number,
): HTMLElement {
  return h(
    'li',
    {},
    h(
      'button',
      {
        type: 'button',
        class: 'jump',
        'data-key': `mention-${index}`,
        title: mention.reason,
        onclick: () => page.openPlace(mention.place),
      },
      h('span', { class: 'jump-text', dir: 'auto' }, mention.text),
      placeLine(mention.place),
    ),
  );
}

function edgeItem(page: Page, state: State, id: number, link: LinkView): HTMLElement {
  const leads = link.cause.concept === id;
  const other = leads ? link.effect : link.cause;
  const name = knowledge(state).nodes.get(other.concept)?.name ?? other.text;
  const verb = typeWords(link.type, link.negated, link.hedged);
  return h(
    'li',
    {},
    h(
      'button',
      {
        type: 'button',
        class: 'jump',
        'data-key': `edge-${link.id}`,
        onclick: () => page.select({ kind: 'link', link: link.id }),
      },
      h(
        'span',
        { class: 'jump-text' },
        leads ? h('span', { class: 'reason' }, `${verb} `) : null,
        words(name),
        leads ? null : h('span', { class: 'reason' }, ` ${verb} this`),
      ),
      placeLine(link.evidence),
    ),
  );
}

function expansion(page: Page, state: State, id: number): HTMLElement {
  const how = state.expansion[id];
  const expanded = state.look.expanded.includes(id);
  if (how === 'asking') return h('p', { class: 'join-text' }, 'Looking for neighbours…');
  if (how !== undefined && how !== 'done') {
    return h(
      'div',
      { class: 'button-row' },
      h('p', { class: 'join-text' }, `No neighbours: ${how}`),
      actionButton('Try again', () => page.expand(id)),
    );
  }
  if (!expanded)
    return h(
      'div',
      { class: 'button-row' },
      actionButton('Show neighbours', () => page.expand(id)),
    );
  return h(
    'div',
    { class: 'button-row' },
    actionButton('Hide neighbours', () =>
      page.look({ expanded: state.look.expanded.filter((other) => other !== id) }),
    ),
  );
}
