/** What is not drawn, and how to see it. */
import { h, words } from '../dom.ts';
import type { Knowledge } from '../graph/knowledge.ts';
import type { VisibleGraph } from '../graph/visible.ts';
import type { Page } from '../page.ts';
import type { State } from '../state.ts';
import { count } from '../text.ts';

/** Folded and filtered concepts, and a link under the editor's cursor that is not drawn. */
export function notesFor(page: Page, state: State, known: Knowledge, shown: VisibleGraph): HTMLElement[] {
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
