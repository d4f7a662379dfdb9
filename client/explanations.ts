/** "Why This Hop" as a page to read: a document that nobody has to save or throw away. */
import * as vscode from 'vscode';

const SCHEME = 'causeway-why';
/** Explanations kept for pages that stay open. */
const KEPT = 20;

export class Explanations implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  #last = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? 'Ask again, then look why once more.\n';
  }

  /** Shows Markdown, drawn where VS Code can draw it, and never over the graph. */
  async show(title: string, markdown: string): Promise<void> {
    const name = title.replaceAll(/[\\/:*?"<>|#%]+/g, ' ').trim();
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md`, query: String(++this.#last) });
    this.#texts.set(uri.toString(), markdown);
    for (const old of [...this.#texts.keys()].slice(0, -KEPT)) this.#texts.delete(old);
    const beside = vscode.window.activeTextEditor === undefined;
    try {
      await vscode.commands.executeCommand(
        beside ? 'markdown.showPreviewToSide' : 'markdown.showPreview',
        uri,
      );
    } catch {
      // Without VS Code's own Markdown extension the source is readable too.
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, {
        viewColumn: beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
        preview: true,
      });
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }
}
