/** The view "Ask": a question field and the questions asked before. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Causeway } from './causeway.ts';
import type { FromAskPage, ToAskPage } from './page/protocol.ts';

export const ASK_VIEW = 'causeway.ask';

export class AskView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #causeway: Causeway;
  readonly #listener: vscode.Disposable;
  #view: vscode.WebviewView | null = null;

  constructor(causeway: Causeway) {
    this.#causeway = causeway;
    this.#listener = causeway.onDidChange(() => this.#update());
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const { webview } = view;
    const root = vscode.Uri.joinPath(this.#causeway.context.extensionUri, 'dist', 'page');
    webview.options = { enableScripts: true, localResourceRoots: [root] };
    webview.onDidReceiveMessage((received: FromAskPage) => this.#receive(received));
    view.onDidChangeVisibility(() => {
      if (view.visible) this.#causeway.wake();
    });
    view.onDidDispose(() => {
      if (this.#view === view) this.#view = null;
    });
    const nonce = randomBytes(24).toString('hex');
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString();
    webview.html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('ask.css')}">
<title>Ask</title>
</head>
<body>
<main id="ask"></main>
<script nonce="${nonce}" src="${file('ask.js')}"></script>
</body>
</html>`;
    this.#causeway.wake();
  }

  /** Puts the focus into the field, with words in it if there are any. */
  async focus(question?: string): Promise<void> {
    await vscode.commands.executeCommand(`${ASK_VIEW}.focus`);
    this.#post({ kind: 'focus', ...(question === undefined ? {} : { question }) });
  }

  #receive(received: FromAskPage): void {
    switch (received.kind) {
      case 'ready':
        this.#update();
        break;
      case 'ask':
        void this.#causeway.ask(received.question);
        break;
      case 'cancel':
        this.#causeway.cancel();
        break;
      case 'forget':
        void this.#causeway.forget(received.question);
        break;
      case 'open-folder':
        void vscode.commands.executeCommand('workbench.action.files.openFolder');
        break;
      case 'sample':
        void vscode.commands.executeCommand('causeway.openSample');
        break;
    }
  }

  #update(): void {
    const { history, run, index } = this.#causeway;
    this.#post({
      kind: 'state',
      history: history.map(({ question, at }) => ({ question, when: new Date(at).toLocaleString() })),
      asking: run?.question ?? null,
      folder: index.state !== 'no-folder',
    });
  }

  #post(sent: ToAskPage): void {
    void this.#view?.webview.postMessage(sent);
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
