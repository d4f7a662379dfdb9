/** The same content as the graph, as a table: for screen readers, and for those who prefer rows. */
import { h, refill, words } from '../dom.ts';
import type { VisibleGraph } from '../graph/visible.ts';
import type { Page } from '../page.ts';
import type { LinkView } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { count, linkSentence, placeName, relationWords } from '../text.ts';
import { flags, placeLine, pointing } from './pieces.ts';

/** Rows drawn at once. */
const MOST_ROWS = 500;

/** Fills `element` with one row for each link of the shown graph: chains in their order, then the rest. */
export function fillTable(
  element: HTMLElement,
  page: Page,
  state: State,
  graph: VisibleGraph,
  matches: ReadonlySet<number> | null,
): void {
  const known = knowledge(state);
  const rows: { link: LinkView; hop: number | null; contradicted: boolean }[] = [];
  const inChains = new Set<number>();
  const shown = new Set(graph.edges.map((edge) => edge.id));
  for (const chain of known.chains) {
    for (const hop of chain.hops) {
      const edge = known.edges.get(known.edgeOfLink.get(hop.id) ?? '');
      if (!edge || !shown.has(edge.id)) continue;
      rows.push({ link: hop, hop: hop.number, contradicted: edge.contradicted });
      inChains.add(hop.id);
    }
  }
  for (const edge of graph.edges) {
    for (const link of edge.links) {
      if (!inChains.has(link.id)) rows.push({ link, hop: null, contradicted: edge.contradicted });
    }
  }
  const wanted =
    matches === null
      ? rows
      : rows.filter(({ link }) => matches.has(link.cause.concept) || matches.has(link.effect.concept));
  refill(
    element,
    h(
      'table',
      {},
      h('caption', { class: 'visually-hidden' }, `${count(wanted.length, 'link')} of the reasoning graph`),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Hop', 'Cause', 'Relation', 'Effect', 'Words'].map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h(
        'tbody',
        {},
        wanted.slice(0, MOST_ROWS).map((row) => tableRow(page, row.link, row.hop, row.contradicted)),
      ),
    ),
    wanted.length > MOST_ROWS &&
      h(
        'p',
        { class: 'note' },
        `${count(wanted.length - MOST_ROWS, 'more link')} folded. Search or filter to see them.`,
      ),
    wanted.length === 0 && h('p', { class: 'note' }, 'Nothing matches.'),
  );
}

function tableRow(page: Page, link: LinkView, hop: number | null, contradicted: boolean): HTMLElement {
  const target = hop === null ? ({ kind: 'link', link: link.id } as const) : ({ kind: 'hop', hop } as const);
  const concept = (end: LinkView['cause'], role: string) =>
    h(
      'button',
      {
        type: 'button',
        class: `cell-button ${role}`,
        dir: 'auto',
        title: `All mentions of ${end.text}`,
        onclick: () => page.select({ kind: 'concept', concept: end.concept }),
      },
      end.text,
    );
  return h(
    'tr',
    { 'data-link': link.id, ...pointing(page, target) },
    h('td', { class: 'hop-number' }, hop === null ? '' : String(hop)),
    h('td', {}, concept(link.cause, 'cause')),
    h('td', {}, words(relationWords(link), 'relation'), flags(link, contradicted)),
    h('td', {}, concept(link.effect, 'effect')),
    h(
      'td',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'cell-button place-button',
          'data-key': `row-${hop ?? ''}-${link.id}`,
          'aria-label': `${linkSentence(link)}. Opens ${placeName(link.evidence)}`,
          onclick: () => {
            page.select(target);
            page.openLink(link);
          },
        },
        placeLine(link.evidence),
      ),
    ),
  );
}
