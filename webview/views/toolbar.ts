/** Tools of the stage: graph or table, search, how much is shown, which way it flows, the filter. */
import { h, type IconName, icon } from '../dom.ts';
import type { GraphView } from '../graph/view.ts';
import type { Page, Part } from '../page.ts';
import { knowledge } from '../state.ts';

/** `matches` are the drawn concepts that the search finds, null without a search. */
export function toolbar(
  page: Page,
  graphView: () => GraphView,
  matches: () => ReadonlySet<number> | null,
): Part {
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
    { class: 'toolbar', role: 'group', 'aria-label': 'Graph tools' },
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
