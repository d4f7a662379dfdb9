/** Opens documents at exact words, and colours what the words are. */
import * as vscode from 'vscode';
import type { FolderView, Place } from '../server/protocol.ts';
import type { LinkPlaces } from '../webview/protocol.ts';
import { findQuote } from './anchor.ts';
import { uriOf } from './answer.ts';

/** The words are not in the document any more, or more than once. */
export class PlaceGoneError extends Error {
  override readonly name = 'PlaceGoneError';
  constructor(place: Place) {
    super(`The words are no longer in ${place.file} as they were read. Ask again to see what it says now.`);
  }
}

export class Places implements vscode.Disposable {
  readonly #evidence = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('causeway.evidenceBackground'),
    overviewRulerColor: new vscode.ThemeColor('causeway.evidenceRuler'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  readonly #cause = mark('cause', 'solid 2px');
  readonly #effect = mark('effect', 'double 1px');
  readonly #relation = vscode.window.createTextEditorDecorationType({ fontStyle: 'italic' });
  #marked: { readonly uri: string; readonly link: LinkPlaces } | null = null;
  readonly #listener = vscode.window.onDidChangeVisibleTextEditors((editors) => {
    for (const editor of editors) this.#decorate(editor);
  });

  /**
   * Opens the file in another column than `beside`, selects the place's words and colours the link's.
   * @throws PlaceGoneError, what opening the file throws
   */
  async open(
    folders: readonly FolderView[],
    place: Place,
    link: LinkPlaces | null,
    beside?: vscode.ViewColumn,
  ): Promise<void> {
    const uri = uriOf(folders, place);
    if (uri === undefined) throw new PlaceGoneError(place);
    const viewColumn =
      beside === undefined
        ? vscode.ViewColumn.Active
        : beside === vscode.ViewColumn.One
          ? vscode.ViewColumn.Two
          : vscode.ViewColumn.One;
    const editor =
      place.cell === undefined ? await openText(uri, viewColumn) : await openCell(uri, place, viewColumn);
    const range = rangeOf(editor.document, place);
    if (range === null) throw new PlaceGoneError(place);
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.#marked = link && { uri: editor.document.uri.toString(), link };
    for (const visible of vscode.window.visibleTextEditors) this.#decorate(visible);
  }

  /** Takes the colours away. */
  clear(): void {
    this.#marked = null;
    for (const editor of vscode.window.visibleTextEditors) this.#decorate(editor);
  }

  dispose(): void {
    this.#listener.dispose();
    for (const type of [this.#evidence, this.#cause, this.#effect, this.#relation]) type.dispose();
  }

  #decorate(editor: vscode.TextEditor): void {
    const link = this.#marked?.uri === editor.document.uri.toString() ? this.#marked.link : null;
    const ranges = (place: Place | null | undefined): vscode.Range[] => {
      const range = place ? rangeOf(editor.document, place) : null;
      return range ? [range] : [];
    };
    editor.setDecorations(this.#evidence, ranges(link?.evidence));
    editor.setDecorations(this.#cause, ranges(link?.cause));
    editor.setDecorations(this.#effect, ranges(link?.effect));
    editor.setDecorations(this.#relation, ranges(link?.relation));
  }
}

/** Where the place's words stand in the document now; null when they are gone or no longer one of a kind. */
export function rangeOf(document: vscode.TextDocument, place: Place): vscode.Range | null {
  const { start } = place.range;
  const expected = document.offsetAt(new vscode.Position(start.line, start.character));
  const found = findQuote(document.getText(), place.quote, expected);
  return found && new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
}

async function openText(uri: vscode.Uri, viewColumn: vscode.ViewColumn): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(uri);
  return vscode.window.showTextDocument(document, { viewColumn, preview: true });
}

async function openCell(
  uri: vscode.Uri,
  place: Place,
  viewColumn: vscode.ViewColumn,
): Promise<vscode.TextEditor> {
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  const number = place.cell ?? 0;
  if (number >= notebook.cellCount) throw new PlaceGoneError(place);
  const selection = new vscode.NotebookRange(number, number + 1);
  const editor = await vscode.window.showNotebookDocument(notebook, { viewColumn, selections: [selection] });
  editor.revealRange(selection, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  const cell = notebook.cellAt(number);
  // A cell of prose is drawn until it is edited: only then it has an editor with a selection.
  await vscode.commands.executeCommand('notebook.cell.edit');
  for (let tries = 0; tries < 40; tries++) {
    const shown = vscode.window.visibleTextEditors.find((candidate) => candidate.document === cell.document);
    if (shown) return shown;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return vscode.window.showTextDocument(cell.document, { viewColumn });
}

/**
 * What marks a cause or an effect: its own colour and its own line. The line is drawn with the text and leans to the
 * text's colour, so that it is seen on a selection too, which in high contrast covers everything behind the text.
 */
function mark(part: 'cause' | 'effect', line: string): vscode.TextEditorDecorationType {
  const color = new vscode.ThemeColor(`causeway.${part}`);
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(`causeway.${part}Background`),
    textDecoration: `underline ${line} color-mix(in srgb, var(--vscode-causeway-${part}) 60%, currentcolor)`,
    overviewRulerColor: color,
    overviewRulerLane: vscode.OverviewRulerLane.Right,
  });
}
