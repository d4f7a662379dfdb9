/** The status bar item: what goes on, and the way to it. */
import * as vscode from 'vscode';
import type { Causeway } from './causeway.ts';

const RESTRICTED =
  'Restricted Mode: what this folder sets for the program and threads of the models and for the place of the index is not used; your own settings are.';

interface Shown {
  readonly text: string;
  readonly tooltip: string;
  readonly command: string;
  readonly warn?: boolean;
}

const PHASES = { files: 'reading', embed: 'embedding', extract: 'looking for causes' } as const;

export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('causeway.status', vscode.StatusBarAlignment.Left, 10);
  readonly #listener: vscode.Disposable;

  constructor(causeway: Causeway) {
    this.#item.name = 'Causeway';
    this.#listener = causeway.onDidChange(() => this.#update(causeway));
    this.#update(causeway);
    this.#item.show();
  }

  #update(causeway: Causeway): void {
    const { text, tooltip, command, warn } = shown(causeway);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.command = command;
    this.#item.accessibilityInformation = { label: `Causeway: ${tooltip}`, role: 'button' };
    this.#item.backgroundColor = warn ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#item.dispose();
  }
}

function shown({ health, index, models, run }: Causeway): Shown {
  if (health.kind === 'failed')
    return {
      text: '$(error) Causeway',
      tooltip: health.message,
      command: 'causeway.restartServer',
      warn: true,
    };
  if (health.kind === 'recovering')
    return {
      text: '$(sync~spin) Causeway: recovering',
      tooltip: health.message,
      command: 'causeway.showLog',
      warn: true,
    };
  if (models?.state === 'failed')
    return {
      text: '$(warning) Causeway: models',
      tooltip: models.message,
      command: 'causeway.restartServer',
      warn: true,
    };
  if (run)
    return {
      text: '$(sync~spin) Causeway: asking',
      tooltip: `Asking: ${run.question}. Select to stop.`,
      command: 'causeway.cancel',
    };
  if (health.kind === 'starting')
    return { text: '$(sync~spin) Causeway', tooltip: 'Starting the server', command: 'causeway.showLog' };
  const { state, pass, files, unread, passages, links } = index;
  const documents = 'causeway.showDocuments';
  switch (state) {
    case 'no-folder':
      return {
        text: '$(git-commit) Causeway',
        tooltip: 'Open a folder of documents to ask about.',
        command: 'workbench.action.files.openFolder',
      };
    case 'failed':
      return { text: '$(error) Causeway: index', tooltip: index.message, command: documents, warn: true };
    case 'paused':
      return {
        text: '$(debug-pause) Causeway: paused',
        tooltip: 'Indexing is paused. Select to go on.',
        command: 'causeway.resumeIndexing',
      };
    case 'running': {
      const what = pass ? `${PHASES[pass.phase]} ${pass.done}/${pass.total}` : 'indexing';
      return {
        text: `$(sync~spin) Causeway: ${what}`,
        tooltip: `Indexing: ${what}. Questions can be asked meanwhile.`,
        command: documents,
      };
    }
    case 'closed':
      return { text: '$(git-commit) Causeway', tooltip: 'Ask your documents why.', command: 'causeway.ask' };
    case 'ready': {
      const told = `${count(files, 'document')}, ${count(passages, 'passage')}, ${count(links, 'causal statement')}`;
      const left = unread > 0 ? ` ${count(unread, 'file')} not read.` : '';
      return {
        text: `$(git-commit) Causeway: ${files}${unread > 0 ? ` $(warning) ${unread}` : ''}`,
        tooltip: [`${told}.${left}`, index.message, vscode.workspace.isTrusted ? '' : RESTRICTED]
          .filter(Boolean)
          .join('\n'),
        command: documents,
      };
    }
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
