/** How an answer was found: counts, times, models. */
import { h, refill } from '../dom.ts';
import type { Part } from '../page.ts';
import { count } from '../text.ts';

export function footer(): Part {
  const element = h('footer', { class: 'footer', hidden: true });
  return {
    element,
    update(state, before) {
      if (before !== null && before.found.view === state.found.view) return;
      const { view } = state.found;
      element.hidden = view === null;
      if (view === null) return;
      const { counts, timings, models } = view;
      const total = timings.total ?? Object.values(timings).reduce((sum, time) => sum + time, 0);
      const rows: [string, string][] = [
        ['Method', view.method === 'paper' ? 'as in the paper' : 'Causeway'],
        ['Passages', `${counts.passagesRead} read in ${count(counts.rounds, 'round')}`],
        [
          'Links',
          `${counts.links} between ${count(counts.concepts, 'concept')}; ${counts.triplesFromCache} from the index, ${counts.triplesExtracted} read now`,
        ],
        ['Search', count(counts.expansions, 'step')],
        [
          'Times',
          Object.entries(timings)
            .map(([step, time]) => `${step} ${seconds(time)}`)
            .join(', '),
        ],
        [
          'Models',
          Object.entries(models)
            .map(([role, model]) => `${role}: ${model.name} ${model.version}`)
            .join(', '),
        ],
      ];
      refill(
        element,
        h(
          'details',
          {},
          h(
            'summary',
            {},
            `${count(counts.passagesRead, 'passage')}, ${count(counts.links, 'link')}, ${count(view.chains.length, 'chain')} in ${seconds(total)}`,
          ),
          h(
            'dl',
            { class: 'facts' },
            rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', { dir: 'auto' }, value))),
          ),
        ),
      );
    },
  };
}

function seconds(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
