/** The reasoning graph with its tools, or the table in its place. */
import { h, type IconName, icon, refill, words } from '../dom.ts';
import { svgToPng } from '../graph/export.ts';
import type { Knowledge } from '../graph/knowledge.ts';
import { GraphView, type Light } from '../graph/view.ts';
import { type VisibleGraph, visible } from '../graph/visible.ts';
import type { Spot } from '../graph/walk.ts';
import type { Page, Part } from '../page.ts';
import type { Target } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { count } from '../text.ts';
import { legend } from './legend.ts';
import { fillTable } from './table.ts';

export interface Stage extends Part {
  /** Lights what is pointed at anywhere on the page. */
  point(target: Target | null): void;
  /** Brings a target into view in the graph. */
  reveal(target: Target): void;
  exportGraph(format: 'svg' | 'png'): Promise<string>;
}

export function stage(page: Page): Stage {
  const graphView = new GraphView({
    activate: (spot) => activate(page, spot),
    expand: (concept) => page.expand(concept),
    point: (spot) => page.point(spot && targetOf(page, spot)),
    moved: (transform) => page.look({ transform }),
    escape: () => page.select(null),
  });
  const tools = toolbar(
    page,
    () => graphView,
    () => matching(page.state, shown),
  );
  const legendPart = legend(page);
  const notes = h('div', { class: 'notes' });
  const table = h('div', {
    class: 'table',
    role: 'region',
    'aria-label': 'Links as a table',
    tabindex: 0,
    hidden: true,
  });
  const element = h(
    'section',
    { class: 'stage', 'aria-labelledby': 'stage-title', hidden: true },
    h('h2', { id: 'stage-title', class: 'visually-hidden' }, 'Reasoning graph'),
    tools.element,
    legendPart.element,
    graphView.element,
    table,
    notes,
  );
  let shown: VisibleGraph | null = null;
  let pointed: Target | null = null;
  let flow: 'right' | 'down' | null = null;

  const relight = () => {
    const { state } = page;
    const known = knowledge(state);
    const light =
      lightFor(known, pointed) ?? lightForLinks(known, state.lit) ?? lightFor(known, state.selected);
    const matches = matching(state, shown);
    graphView.light(light ?? (matches && { nodes: matches, edges: new Set() }));
    const cursor = new Set(state.lit.flatMap((link) => known.edgeOfLink.get(link) ?? []));
    graphView.mark(spotOf(known, state.selected), matches ?? new Set(), cursor);
  };

  const draw = (state: State, before: State | null) => {
    const { look } = state;
    const known = knowledge(state);
    const wantedFlow = graphView.flowFor(look.flow);
    const unseen = before === null || element.hidden;
    element.hidden = known.edges.size === 0;
    if (element.hidden) return;
    const sameSight =
      before !== null &&
      before.found === state.found &&
      before.extra === state.extra &&
      before.look.all === look.all &&
      before.look.expanded === look.expanded &&
      before.look.hiddenTypes === look.hiddenTypes &&
      before.look.hiddenFiles === look.hiddenFiles;
    if (!sameSight || unseen) shown = visible(known, look);
    if (shown === null) return;
    const paneChanged = before?.look.pane !== look.pane;
    graphView.element.hidden = look.pane !== 'graph';
    table.hidden = look.pane !== 'table';
    if (look.pane === 'graph' && (!sameSight || paneChanged || unseen || wantedFlow !== flow)) {
      const turned = flow !== null && wantedFlow !== flow;
      flow = graphView.flowFor(look.flow);
      graphView.draw(
        known,
        shown,
        flow,
        turned ? null : look.transform,
        before !== null && look.all !== before.look.all && look.all,
      );
    }
    if (look.pane === 'table' && (!sameSight || paneChanged || before?.look.search !== look.search)) {
      fillTable(table, page, state, shown, matching(state, shown));
    }
    if (!sameSight || before?.lit !== state.lit || before?.look.search !== look.search)
      refill(notes, ...notesFor(page, state, known, shown));
  };

  new ResizeObserver(() => {
    if (
      !element.hidden &&
      page.state.look.pane === 'graph' &&
      graphView.flowFor(page.state.look.flow) !== flow
    )
      draw(page.state, page.state);
    relight();
  }).observe(element);

  return {
    element,
    update(state, before) {
      draw(state, before);
      tools.update(state, before);
      legendPart.update(state, before);
      const lightChanged =
        before === null ||
        before.lit !== state.lit ||
        before.selected !== state.selected ||
        before.look !== state.look ||
        before.found !== state.found ||
        before.extra !== state.extra;
      if (!element.hidden && lightChanged) relight();
    },
    point(target) {
      pointed = target;
      if (!element.hidden) relight();
    },
    reveal(target) {
      const known = knowledge(page.state);
      const spot = spotOf(known, target);
      if (spot && !element.hidden) graphView.reveal(spot);
    },
    async exportGraph(format) {
      const picture = graphView.toSvg();
      if (!picture) throw new Error('There is no graph to export yet: ask a question first.');
      return format === 'svg' ? picture.source : svgToPng(picture);
    },
  };
}

function activate(page: Page, spot: Spot): void {
  const target = targetOf(page, spot);
  if (!target) return;
  page.select(target, 'graph');
  if (spot.kind === 'edge') {
    const link = knowledge(page.state).edges.get(spot.id)?.links[0];
    if (link) page.openLink(link);
  }
}

function targetOf(page: Page, spot: Spot): Target | null {
  if (spot.kind === 'node') return { kind: 'concept', concept: spot.id };
  const edge = knowledge(page.state).edges.get(spot.id);
  if (!edge) return null;
  if (edge.hops.length > 0) return { kind: 'hop', hop: edge.hops[0]! };
  if (edge.links[0]) return { kind: 'link', link: edge.links[0].id };
  return edge.chains.length > 0 ? { kind: 'chain', chain: edge.chains[0]! } : null;
}

function spotOf(known: Knowledge, target: Target | null): Spot | null {
  switch (target?.kind) {
    case 'concept':
      return { kind: 'node', id: target.concept };
    case 'link':
    case 'hop': {
      const link = target.kind === 'link' ? target.link : known.hops.get(target.hop)?.id;
      const id = link === undefined ? undefined : known.edgeOfLink.get(link);
      return id === undefined ? null : { kind: 'edge', id };
    }
    case 'chain': {
      const first = known.chains[target.chain]?.hops[0];
      return first ? { kind: 'node', id: first.cause.concept } : null;
    }
    default:
      return null;
  }
}

/** What lights up for a target: the chains it is on, or its own surroundings. */
function lightFor(known: Knowledge, target: Target | null): Light | null {
  if (target === null) return null;
  const chains = new Set<number>();
  const own = new Set<string>();
  if (target.kind === 'chain') chains.add(target.chain);
  else if (target.kind === 'concept') {
    const node = known.nodes.get(target.concept);
    if (!node) return null;
    for (const chain of node.chains) chains.add(chain);
    if (chains.size === 0) for (const edge of node.edges) own.add(edge);
  } else {
    const spot = spotOf(known, target);
    const edge = spot?.kind === 'edge' ? known.edges.get(spot.id) : undefined;
    if (!edge) return null;
    own.add(edge.id);
    if (target.kind === 'hop') chains.add(known.chainOfHop.get(target.hop)!);
    else for (const chain of edge.chains) chains.add(chain);
  }
  const edges = new Set(own);
  for (const edge of known.edges.values())
    if (edge.chains.some((chain) => chains.has(chain))) edges.add(edge.id);
  const light = withEnds(known, edges);
  if (target.kind === 'concept') light.nodes.add(target.concept);
  return light;
}

function lightForLinks(known: Knowledge, links: readonly number[]): Light | null {
  const edges = new Set(links.flatMap((link) => known.edgeOfLink.get(link) ?? []));
  return edges.size > 0 ? withEnds(known, edges) : null;
}

function withEnds(known: Knowledge, edges: Set<string>): { nodes: Set<number>; edges: Set<string> } {
  const nodes = new Set<number>();
  for (const id of edges) {
    const edge = known.edges.get(id);
    if (!edge) continue;
    nodes.add(edge.source);
    nodes.add(edge.target);
  }
  return { nodes, edges };
}

/** Shown concepts that the search finds, by any of their wordings; null without a search. */
function matching(state: State, shown: VisibleGraph | null): Set<number> | null {
  const wanted = state.look.search.trim().toLocaleLowerCase();
  if (wanted === '' || shown === null) return null;
  const known = knowledge(state);
  const found = new Set<number>();
  for (const node of shown.nodes) {
    const wordings = [
      node.name,
      ...(known.concepts.get(node.id)?.mentions.map((mention) => mention.text) ?? []),
    ];
    if (wordings.some((text) => text.toLocaleLowerCase().includes(wanted))) found.add(node.id);
  }
  return found;
}

function toolbar(page: Page, graphView: () => GraphView, matches: () => ReadonlySet<number> | null): Part {
  const pane = (name: 'graph' | 'table', label: string) =>
    h(
      'button',
      { type: 'button', onclick: () => page.look({ pane: name }) },
      icon(name),
      h('span', { class: 'label' }, label),
    );
  const panes = { graph: pane('graph', 'Graph'), table: pane('table', 'Table') };
  let at = -1;
  const search = h('input', {
    type: 'search',
    class: 'search',
    placeholder: 'Search concepts',
    'aria-label': 'Search concepts',
    oninput: () => {
      at = -1;
      page.look({ search: search.value });
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && search.value !== '') {
        search.value = '';
        page.look({ search: '' });
      }
      if (event.key !== 'Enter') return;
      const list = [...(matches() ?? [])];
      at = (at + (event.shiftKey ? list.length - 1 : 1)) % Math.max(1, list.length);
      const id = list[at];
      if (id !== undefined) graphView().reveal({ kind: 'node', id });
    },
  });
  const found = h('span', { class: 'search-count', 'aria-live': 'polite' });
  const tool = (name: IconName, label: string, act: () => void) =>
    h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: act },
      icon(name),
    );
  const all = h('button', {
    type: 'button',
    class: 'chip-button',
    onclick: () => page.look({ all: !page.state.look.all }),
  });
  const turn = tool('down', '', () =>
    page.look({ flow: graphView().flowFor(page.state.look.flow) === 'right' ? 'down' : 'right' }),
  );
  const filter = tool('filter', 'Legend and filter', () => page.look({ legend: !page.state.look.legend }));
  filter.setAttribute('aria-controls', 'graph-legend');
  const element = h(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': 'Graph tools' },
    h('div', { class: 'segments', role: 'group', 'aria-label': 'Show as' }, panes.graph, panes.table),
    h('div', { class: 'search-box' }, icon('search'), search, found),
    all,
    h('span', { class: 'spring' }),
    turn,
    filter,
  );
  return {
    element,
    update(state) {
      const { look } = state;
      panes.graph.setAttribute('aria-pressed', String(look.pane === 'graph'));
      panes.table.setAttribute('aria-pressed', String(look.pane === 'table'));
      if (search.value !== look.search) search.value = look.search;
      const hits = matches();
      found.textContent = hits === null ? '' : String(hits.size);
      const known = knowledge(state);
      const onChains = [...known.nodes.values()].filter((node) => node.chains.length > 0).length;
      const rest = [...known.nodes.values()].filter((node) => node.edges.length > 0).length - onChains;
      all.hidden = onChains === 0 || rest === 0;
      all.setAttribute('aria-pressed', String(look.all));
      all.textContent = look.all ? 'Chains only' : `Show all (+${rest})`;
      const down = graphView().flowFor(look.flow) === 'down';
      const label = down ? 'Draw from left to right' : 'Draw from top to bottom';
      turn.setAttribute('aria-label', label);
      turn.title = label;
      turn.replaceChildren(icon(down ? 'right' : 'down'));
      turn.hidden = look.pane !== 'graph';
      filter.setAttribute('aria-expanded', String(look.legend));
      filter.classList.toggle('active', look.hiddenTypes.length + look.hiddenFiles.length > 0);
    },
  };
}

/** What is not drawn, and how to see it. */
function notesFor(page: Page, state: State, known: Knowledge, shown: VisibleGraph): HTMLElement[] {
  const notes: HTMLElement[] = [];
  if (shown.folded > 0) {
    notes.push(
      h(
        'p',
        { class: 'note' },
        `${count(shown.folded, 'more concept')} folded, to keep the graph readable. Filter or search to narrow it.`,
      ),
    );
  }
  if (shown.filtered > 0 || shown.nodes.length === 0) {
    notes.push(
      h(
        'p',
        { class: 'note' },
        shown.nodes.length === 0
          ? 'The filter hides everything. '
          : `${count(shown.filtered, 'concept')} hidden by the filter. `,
        h(
          'button',
          { type: 'button', class: 'link', onclick: () => page.look({ hiddenTypes: [], hiddenFiles: [] }) },
          'Clear filter',
        ),
      ),
    );
  }
  const drawn = new Set(shown.edges.map((edge) => edge.id));
  const unseen = state.lit.flatMap((id) => {
    const link = known.links.get(id);
    const edge = known.edgeOfLink.get(id);
    return link && edge && !drawn.has(edge) ? [link] : [];
  });
  const first = unseen[0];
  if (first) {
    notes.push(
      h(
        'p',
        { class: 'note' },
        'Under the cursor, but not drawn: ',
        words(first.cause.text),
        ' → ',
        words(first.effect.text),
        ' ',
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            onclick: () => page.look({ expanded: [...state.look.expanded, first.cause.concept] }),
          },
          'Show',
        ),
      ),
    );
  }
  return notes;
}
