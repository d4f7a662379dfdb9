/** What to do when there is nothing to show yet, by how the index stands. */
import { h, refill } from '../dom.ts';
import type { Page, Part } from '../page.ts';
import type { IndexState } from '../protocol.ts';
import { count } from '../text.ts';
import { actionButton } from './pieces.ts';

export function empty(page: Page): Part {
  const element = h('section', { class: 'empty', 'aria-label': 'Getting started' });
  return {
    element,
    update(state, before) {
      element.hidden = state.run !== null || state.index === null;
      if (
        element.hidden ||
        (before?.index === state.index &&
          before?.suggestions === state.suggestions &&
          before.run === state.run)
      )
        return;
      const usable = state.index!.state === 'ready' || ('usable' in state.index! && state.index.usable);
      refill(
        element,
        ...forIndex(page, state.index!),
        usable && state.suggestions.length > 0
          ? h(
              'div',
              { class: 'suggestions' },
              h('h3', { class: 'small-title' }, 'Try'),
              state.suggestions.slice(0, 4).map((question) =>
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'suggestion',
                    dir: 'auto',
                    onclick: () => {
                      page.set({ draft: question });
                      page.ask();
                    },
                  },
                  question,
                ),
              ),
            )
          : h('span', {}),
      );
    },
  };
}

function forIndex(page: Page, index: IndexState): HTMLElement[] {
  const say = (title: string, text: string, ...actions: HTMLElement[]) => [
    h('h2', { class: 'empty-title' }, title),
    h('p', {}, text),
    actions.length > 0 ? h('div', { class: 'button-row' }, actions) : h('span', {}),
  ];
  switch (index.state) {
    case 'no-folder':
      return say(
        'No folder is open',
        'Causeway answers from the notes, papers and reports of a folder.',
        actionButton('Open Folder', () => page.command('open-folder'), true),
      );
    case 'no-documents':
      return say(
        'Nothing to read here',
        'This folder holds no documents that Causeway reads. Add some, or look at the include and exclude settings.',
        actionButton('Settings', () => page.command('settings')),
        actionButton('Documents', () => page.command('show-documents')),
      );
    case 'missing':
      return say(
        'Not indexed yet',
        `${count(index.documents, 'document')} can be read. Everything stays on this machine.`,
        actionButton('Index Workspace', () => page.command('index'), true),
      );
    case 'indexing': {
      const bar = h('progress', {
        max: Math.max(1, index.total),
        value: index.done,
        'aria-label': 'Indexing',
      });
      return [
        ...say(
          'Indexing',
          index.usable
            ? `${index.done} of ${count(index.total, 'document')} read. You can ask already; answers grow as more is read.`
            : `${index.done} of ${count(index.total, 'document')} read.`,
        ),
        bar,
        h(
          'div',
          { class: 'button-row' },
          actionButton('Pause', () => page.command('pause-index')),
        ),
      ];
    }
    case 'paused':
      return say(
        'Indexing is paused',
        `${index.done} of ${count(index.total, 'document')} read.`,
        actionButton('Resume', () => page.command('resume-index'), true),
      );
    case 'failed':
      return say(
        'The index cannot be used',
        index.message,
        actionButton('Rebuild Index', () => page.command('rebuild-index'), true),
        actionButton('Show Log', () => page.command('show-log')),
      );
    case 'ready':
      if (index.links === 0) {
        return say(
          'No causal statements found',
          `${count(index.documents, 'document')} read, but none says that one thing leads to another. A question will find passages at most.`,
          actionButton('Documents', () => page.command('show-documents')),
        );
      }
      return say(
        'Ask your documents why',
        `${count(index.documents, 'document')} read${index.unread > 0 ? `, ${index.unread} left out` : ''}. Causeway follows cause and effect across them, and each hop leads to the exact words.`,
      );
  }
}
