/** The reasoning graph with its tools, or the table in its place. */
import { h, refill } from '../dom.ts';
import { svgToPng } from '../graph/export.ts';
import { lightFor, lightForLinks, matching, spotOf, targetOf } from '../graph/light.ts';
import { GraphView } from '../graph/view.ts';
import { type VisibleGraph, visible } from '../graph/visible.ts';
import type { Spot } from '../graph/walk.ts';
import type { Page, Part } from '../page.ts';
import type { Target } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { legend } from './legend.ts';
import { notesFor } from './notes.ts';
import { fillTable } from './table.ts';
import { toolbar } from './toolbar.ts';

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
    point: (spot) => page.point(spot && targetOf(knowledge(page.state), spot)),
    moved: (transform) => page.look({ transform }),
    escape: () => page.select(null),
  });
  const tools = toolbar(
    page,
    () => graphView,
    () => matching(knowledge(page.state), shown, page.state.look.search),
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
    const matches = matching(known, shown, state.look.search);
    graphView.light(light ?? (matches && { nodes: matches, edges: new Set() }));
    const cursor = new Set(state.lit.flatMap((link) => known.edgeOfLink.get(link) ?? []));
    graphView.mark(spotOf(known, state.selected), matches ?? new Set(), cursor);
  };

  /** Brings a link under the editor's cursor into view, one of a chain before others. */
  const followCursor = (state: State) => {
    if (element.hidden || shown === null || state.look.pane !== 'graph') return;
    const known = knowledge(state);
    const lit = new Set(state.lit.map((link) => known.edgeOfLink.get(link)));
    const drawn = shown.edges.filter((edge) => lit.has(edge.id));
    const edge = drawn.find(({ hops }) => hops.length > 0) ?? drawn[0];
    if (edge) graphView.reveal({ kind: 'edge', id: edge.id });
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
      fillTable(table, page, state, shown, matching(known, shown, state.look.search));
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
        !sameMarks(before.look, state.look) ||
        before.found !== state.found ||
        before.extra !== state.extra;
      if (!element.hidden && lightChanged) relight();
      if (before !== null && before.lit !== state.lit) followCursor(state);
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
  const target = targetOf(knowledge(page.state), spot);
  if (!target) return;
  page.select(target, 'graph');
  if (spot.kind === 'edge') {
    const link = knowledge(page.state).edges.get(spot.id)?.links[0];
    if (link) page.openLink(link);
  }
}

/** Whether nothing changed in the look that decides what is lit; zoom and pan do not. */
function sameMarks(before: State['look'], now: State['look']): boolean {
  const keys = ['search', 'all', 'expanded', 'hiddenTypes', 'hiddenFiles', 'pane', 'flow'] as const;
  return keys.every((key) => before[key] === now[key]);
}
