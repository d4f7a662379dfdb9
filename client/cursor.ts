/** From the text to the graph: the editor's cursor on evidence lights the links that it states. */
import * as vscode from 'vscode';
import type { LinkView } from '../server/protocol.ts';
import { linksOf, type ShownAnswer, uriOf } from './answer.ts';
import type { Causeway } from './causeway.ts';
import type { GraphPanel } from './panel.ts';
import { rangeOf } from './places.ts';

export class CursorLight implements vscode.Disposable {
  readonly #causeway: Causeway;
  readonly #panel: GraphPanel;
  readonly #listeners: vscode.Disposable[];
  #of: ShownAnswer | null = null;
  #byFile = new Map<string, LinkView[]>();
  #lit = '';

  constructor(causeway: Causeway, panel: GraphPanel) {
    this.#causeway = causeway;
    this.#panel = panel;
    this.#listeners = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#update(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor) this.#update(editor);
      }),
    ];
  }

  #update(editor: vscode.TextEditor): void {
    if (!this.#panel.visible) return;
    const links = this.#linksOf(editor.document);
    const lit = links
      .filter((link) => rangeOf(editor.document, link.evidence)?.intersection(editor.selection) !== undefined)
      .map(({ id }) => id);
    if (String(lit) === this.#lit) return;
    this.#lit = String(lit);
    this.#panel.highlight(lit);
  }

  #linksOf(document: vscode.TextDocument): readonly LinkView[] {
    const { answer } = this.#causeway;
    if (answer !== this.#of) {
      this.#of = answer;
      this.#byFile = Map.groupBy(answer ? linksOf(answer.view) : [], ({ evidence }) =>
        key(uriOf(answer!.folders, evidence)?.path, evidence.cell),
      ) as Map<string, LinkView[]>;
    }
    if (document.uri.scheme !== 'vscode-notebook-cell') return this.#byFile.get(key(document.uri.path)) ?? [];
    const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.path === document.uri.path);
    const cell = notebook?.getCells().findIndex((candidate) => candidate.document === document);
    return this.#byFile.get(key(document.uri.path, cell)) ?? [];
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }
}

function key(path: string | undefined, cell?: number): string {
  return `${path ?? ''}#${cell ?? ''}`;
}
