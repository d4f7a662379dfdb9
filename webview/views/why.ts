/** Why a link stands where it does: how it was read, why it was chosen, what was merged, what else says so or not. */
import { type Child, h, words } from '../dom.ts';
import type { Page } from '../page.ts';
import type { HopView, LinkView } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { groupSigns, percent, TYPE_NAMES } from '../text.ts';
import { meter, quote } from './pieces.ts';

/** Further links shown at once. */
const AT_ONCE = 30;

/** The reasons for a link, each a piece of its own, for whoever lays them out. */
export function why(page: Page, state: State, link: LinkView): HTMLElement[] {
  const known = knowledge(state);
  const edge = known.edges.get(known.edgeOfLink.get(link.id) ?? '');
  const hop = 'number' in link ? (link as HopView) : null;
  const chainIndex = hop ? known.chainOfHop.get(hop.number) : undefined;
  const chain = chainIndex === undefined ? undefined : known.chains[chainIndex];
  const others = new Map<number, LinkView>();
  for (const other of [...(hop?.also ?? []), ...(edge?.links ?? [])])
    if (other.id !== link.id) others.set(other.id, other);
  const against = edge ? opposing(state, edge.source, edge.target, edge.id) : [];
  return [
    h(
      'dl',
      { class: 'facts' },
      fact('Type', TYPE_NAMES[link.type]),
      fact(
        'Extraction',
        h(
          'span',
          { class: 'confidence' },
          meter(link.confidence, `Confidence ${percent(link.confidence)}`),
          percent(link.confidence),
        ),
      ),
      fact('Read by', link.extractor),
      chain ? fact(`Chain ${chainIndex! + 1}`, `score ${chain.score.toFixed(3)}`) : null,
      ...(chain
        ? Object.entries(chain.parts).map(([part, value]) => fact(part, value.toFixed(3), 'part'))
        : []),
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
  const parts = groupSigns(why.parts);
  const most = Math.max(0.01, ...parts.map(([, value]) => Math.abs(value)));
  return h(
    'div',
    {},
    h(
      'h3',
      { class: 'small-title' },
      'Why it was chosen',
      h('span', { class: 'count' }, `log-odds ${signed(why.logOdds)}`),
    ),
    h(
      'ul',
      { class: 'weights' },
      parts.map(([part, value]) => {
        const bar = h('span', { class: value < 0 ? 'weight against' : 'weight' });
        bar.style.setProperty('--share', (Math.abs(value) / most).toFixed(3));
        return h(
          'li',
          {},
          h('span', { class: 'weight-name' }, part),
          h('span', { class: 'weight-track', 'aria-hidden': 'true' }, bar),
          h('span', { class: 'weight-value' }, signed(value)),
        );
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
      if (mention.text.toLowerCase() !== end.text.toLowerCase() && !reasons.has(mention.text))
        reasons.set(mention.text, mention.reason);
    }
    if (reasons.size === 0) continue;
    groups.push(
      h(
        'li',
        {},
        words(end.text, 'quoted'),
        ' is also ',
        [...reasons]
          .slice(0, 5)
          .flatMap(([text, reason], index) => [
            index > 0 ? ', ' : '',
            words(text, 'quoted'),
            h('span', { class: 'reason' }, ` (${reason})`),
          ]),
        reasons.size > 5 ? ` and ${reasons.size - 5} more` : '',
        ' ',
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            onclick: () => page.select({ kind: 'concept', concept: item.id }),
          },
          'All mentions',
        ),
      ),
    );
  }
  return groups.length > 0
    ? h('div', { class: 'merges' }, h('h3', { class: 'small-title' }, 'Taken as one'), h('ul', {}, groups))
    : null;
}

function opposing(state: State, source: number, target: number, except: string): LinkView[] {
  const known = knowledge(state);
  if (!known.edges.get(except)?.contradicted) return [];
  return [...known.edges.values()]
    .filter(
      (edge) => edge.id !== except && edge.source === source && edge.target === target && edge.contradicted,
    )
    .flatMap((edge) => edge.links);
}

function more(page: Page, title: string, links: readonly LinkView[], key: string): HTMLElement {
  return h(
    'div',
    { class: `more ${key}` },
    h('h3', { class: 'small-title' }, title),
    h(
      'ul',
      {},
      links.slice(0, AT_ONCE).map((link) => h('li', {}, quote(page, link, `${key}-${link.id}`))),
    ),
  );
}
