/** The view "Documents": each file as the index knows it, those not read first, with the reason. */
import * as vscode from 'vscode';
import type { DocumentView } from '../server/protocol.ts';
import { uriOf } from './answer.ts';
import type { Causeway } from './causeway.ts';

type Node =
  | {
      readonly kind: 'group';
      readonly label: string;
      readonly documents: readonly DocumentView[];
      readonly open: boolean;
    }
  | { readonly kind: 'document'; readonly document: DocumentView };

export class DocumentsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #causeway: Causeway;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #listeners: vscode.Disposable[];
  #seen = '';

  constructor(causeway: Causeway) {
    this.#causeway = causeway;
    this.#listeners = [
      causeway.onDidChangeDocuments(() => this.#changed.fire(undefined)),
      causeway.onDidChange(() => {
        const { state, files, unread } = causeway.index;
        const now = state === 'running' ? this.#seen : `${state} ${files} ${unread}`;
        if (now === this.#seen) return;
        this.#seen = now;
        this.#changed.fire(undefined);
      }),
    ];
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.kind === 'document') return [];
    if (node) return node.documents.map((document) => ({ kind: 'document', document }));
    // A tree that is merely looked at does not start the server; the view's being shown does.
    if (this.#causeway.health.kind !== 'ready' || this.#causeway.index.state === 'closed') return [];
    const { documents } = await this.#causeway.request('causeway/documents', {});
    const unread = documents.filter(({ state }) => state !== 'indexed');
    const read = documents.filter(({ state }) => state === 'indexed');
    const groups: Node[] = [];
    if (unread.length > 0) groups.push({ kind: 'group', label: 'Not read', documents: unread, open: true });
    if (read.length > 0)
      groups.push({ kind: 'group', label: 'Read', documents: read, open: read.length <= 100 });
    return groups;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    if (node.kind === 'group') {
      const item = new vscode.TreeItem(node.label, node.open ? Expanded : Collapsed);
      item.id = node.label;
      item.description = String(node.documents.length);
      return item;
    }
    const { document } = node;
    const item = new vscode.TreeItem(document.file, None);
    const uri = uriOf(this.#causeway.index.folders, document);
    const bad = document.state !== 'indexed';
    item.id = document.file;
    item.description = document.reason ?? (document.notes.length > 0 ? document.notes[0]! : document.title);
    item.tooltip = [document.file, document.title, document.reason ?? '', ...document.notes]
      .filter(Boolean)
      .join('\n');
    item.iconPath = bad
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon('file');
    item.contextValue = document.state;
    if (uri) item.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
    return item;
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#changed.dispose();
  }
}
