/** Why this hop; and for a concept, every place that mentions it. */
import { type Child, h, icon, refill, words } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import type { HopView, LinkView } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { count, percent, placeName, TYPE_NAMES, typeWords } from '../text.ts';
import { actionButton, flags, meter, placeLine, quote } from './pieces.ts';

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
  if (selected?.kind === 'concept') return known.nodes.has(selected.concept) ? concept(page, state, selected.concept) : null;
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
      { type: 'button', class: 'icon-button', 'data-key': 'inspector-close', 'aria-label': 'Close details', title: 'Close details', onclick: () => page.select(null) },
      icon('close'),
    ),
  );
}

function whyLink(page: Page, state: State, link: LinkView): HTMLElement[] {
  const known = knowledge(state);
  const edge = known.edges.get(known.edgeOfLink.get(link.id) ?? '');
  const hop = 'number' in link ? (link as HopView) : null;
  const chainIndex = hop ? known.chainOfHop.get(hop.number) : undefined;
  const chain = chainIndex === undefined ? undefined : known.chains[chainIndex];
  const others = new Map<number, LinkView>();
  for (const other of [...(hop?.also ?? []), ...(edge?.links ?? [])]) if (other.id !== link.id) others.set(other.id, other);
  const against = edge ? opposing(state, edge.source, edge.target, edge.id) : [];
  return [
    head(page, hop ? `Why hop ${hop.number}` : 'Why this link'),
    h(
      'p',
      { class: 'why-words' },
      words(link.cause.text, 'cause'),
      ' ',
      words(link.relation.text.trim() || typeWords(link.type, link.negated, link.hedged), 'relation'),
      ' ',
      words(link.effect.text, 'effect'),
      flags(link, edge?.contradicted ?? false),
    ),
    quote(page, link, 'why-quote'),
    h(
      'dl',
      { class: 'facts' },
      fact('Type', TYPE_NAMES[link.type]),
      fact('Extraction', h('span', { class: 'confidence' }, meter(link.confidence, `Confidence ${percent(link.confidence)}`), percent(link.confidence))),
      fact('Read by', link.extractor),
      chain ? fact(`Chain ${chainIndex! + 1}`, `score ${chain.score.toFixed(3)}`) : null,
      ...(chain ? Object.entries(chain.parts).map(([part, value]) => fact(part, value.toFixed(3), 'part')) : []),
    ),
    hop?.why ? signs(hop.why) : null,
    hop?.join ? joinText(hop) : null,
    merges(page, state, link),
    others.size > 0 ? more(page, 'Also stated', [...others.values()], 'also') : null,
    against.length > 0 ? more(page, 'Stated otherwise', against, 'against') : null,
  ].filter((part) => part !== null);
}

/** What spoke for the hop and what against it, each a bar from the middle. */
function signs(why: NonNullable<HopView['why']>): HTMLElement {
  const parts = Object.entries(why.parts).filter(([, value]) => value !== 0).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const most = Math.max(0.01, ...parts.map(([, value]) => Math.abs(value)));
  return h(
    'div',
    {},
    h('h3', { class: 'small-title' }, 'Why it was chosen', h('span', { class: 'count' }, `log-odds ${signed(why.logOdds)}`)),
    h(
      'ul',
      { class: 'weights' },
      parts.map(([part, value]) => {
        const bar = h('span', { class: value < 0 ? 'weight against' : 'weight' });
        bar.style.setProperty('--share', (Math.abs(value) / most).toFixed(3));
        return h('li', {}, h('span', { class: 'weight-name' }, part), h('span', { class: 'weight-track', 'aria-hidden': 'true' }, bar), h('span', { class: 'weight-value' }, signed(value)));
      }),
    ),
  );
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

function fact(name: string, value: Child, className?: string): HTMLElement {
  return h('div', { class: className ?? null }, h('dt', {}, name), h('dd', {}, value));
}

function joinText(hop: HopView): HTMLElement {
  const join = hop.join!;
  return h(
    'p',
    { class: 'join-text' },
    ...(join.kind === 'same'
      ? ['Follows on from the hop before: the same concept.']
      : [
          'Follows on from the hop before: ',
          words(join.from, 'quoted'),
          ' is taken as the same as ',
          words(join.to, 'quoted'),
          ` (similarity ${percent(join.similarity)}, costs ${join.price.toFixed(2)}).`,
        ]),
  );
}

/** Wordings that were merged into the two concepts of a link, with the reason for each. */
function merges(page: Page, state: State, link: LinkView): HTMLElement | null {
  const known = knowledge(state);
  const groups: HTMLElement[] = [];
  for (const end of [link.cause, link.effect]) {
    const item = known.concepts.get(end.concept);
    if (!item) continue;
    const reasons = new Map<string, string>();
    for (const mention of item.mentions) {
      if (mention.text.toLowerCase() !== end.text.toLowerCase() && !reasons.has(mention.text)) reasons.set(mention.text, mention.reason);
    }
    if (reasons.size === 0) continue;
    groups.push(
      h(
        'li',
        {},
        words(end.text, 'quoted'),
        ' is also ',
        [...reasons].slice(0, 5).flatMap(([text, reason], index) => [index > 0 ? ', ' : '', words(text, 'quoted'), h('span', { class: 'reason' }, ` (${reason})`)]),
        reasons.size > 5 ? ` and ${reasons.size - 5} more` : '',
        ' ',
        h('button', { type: 'button', class: 'link', onclick: () => page.select({ kind: 'concept', concept: item.id }) }, 'All mentions'),
      ),
    );
  }
  return groups.length > 0 ? h('div', { class: 'merges' }, h('h3', { class: 'small-title' }, 'Taken as one'), h('ul', {}, groups)) : null;
}

function opposing(state: State, source: number, target: number, except: string): LinkView[] {
  const known = knowledge(state);
  if (!known.edges.get(except)?.contradicted) return [];
  return [...known.edges.values()]
    .filter((edge) => edge.id !== except && edge.source === source && edge.target === target && edge.contradicted)
    .flatMap((edge) => edge.links);
}

function more(page: Page, title: string, links: readonly LinkView[], key: string): HTMLElement {
  return h(
    'div',
    { class: `more ${key}` },
    h('h3', { class: 'small-title' }, title),
    h('ul', {}, links.slice(0, AT_ONCE).map((link) => h('li', {}, quote(page, link, `${key}-${link.id}`)))),
  );
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
    h('p', { class: 'why-words', dir: 'auto' }, words(node.name, 'concept-name')),
    start
      ? h('p', { class: 'join-text' }, 'The search started here: close to ', words(start.phrase, 'quoted'), ` in the question (${percent(start.similarity)}).`)
      : null,
    names.size > 0 ? h('p', { class: 'join-text' }, 'Also written ', [...names].slice(0, 6).flatMap((name, index) => [index > 0 ? ', ' : '', words(name, 'quoted')]), '.') : null,
    expansion(page, state, id),
    item.mentions.length > 0
      ? h(
          'div',
          {},
          h('h3', { class: 'small-title' }, count(item.mentions.length, 'mention')),
          h('ul', { class: 'mentions' }, item.mentions.slice(0, 200).map((mention, index) => mentionItem(page, mention, index))),
        )
      : null,
    edges.length > 0
      ? h(
          'div',
          {},
          h('h3', { class: 'small-title' }, count(edges.length, 'link')),
          h('ul', { class: 'mentions' }, edges.slice(0, AT_ONCE).map((edge) => edgeItem(page, state, id, edge.links[0]!))),
        )
      : null,
  ].filter((part) => part !== null);
}

function mentionItem(page: Page, mention: { text: string; place: Parameters<Page['openPlace']>[0]; reason: string }, index: number): HTMLElement {
  return h(
    'li',
    {},
    h(
      'button',
      {
        type: 'button',
        class: 'jump',
        'data-key': `mention-${index}`,
        'aria-label': `${mention.text}, ${placeName(mention.place)}, ${mention.reason}`,
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
      { type: 'button', class: 'jump', 'data-key': `edge-${link.id}`, onclick: () => page.select({ kind: 'link', link: link.id }) },
      h('span', { class: 'jump-text' }, leads ? h('span', { class: 'reason' }, `${verb} `) : null, words(name), leads ? null : h('span', { class: 'reason' }, ` ${verb} this`)),
      placeLine(link.evidence),
    ),
  );
}

function expansion(page: Page, state: State, id: number): HTMLElement {
  const how = state.expansion[id];
  const expanded = state.look.expanded.includes(id);
  if (how === 'asking') return h('p', { class: 'join-text' }, 'Looking for neighbours…');
  if (how !== undefined && how !== 'done') {
    return h('div', { class: 'button-row' }, h('p', { class: 'join-text' }, `No neighbours: ${how}`), actionButton('Try again', () => page.expand(id)));
  }
  if (!expanded) return h('div', { class: 'button-row' }, actionButton('Show neighbours', () => page.expand(id)));
  return h(
    'div',
    { class: 'button-row' },
    actionButton('Hide neighbours', () => page.look({ expanded: state.look.expanded.filter((other) => other !== id) })),
  );
}
