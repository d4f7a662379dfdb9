/** The webview's host: frames the page, feeds it, and does what it asks. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { AskPartial, FolderView, IndexStatus } from '../server/protocol.ts';
import { panelHtml } from '../webview/html.ts';
import type {
  ActionView,
  HostCommand,
  IndexState,
  RunStep,
  Target,
  ToHost,
  ToWebview,
} from '../webview/protocol.ts';
import { type Causeway, message, type Run, type RunEnd } from './causeway.ts';
import type { Places } from './places.ts';
import { ServerGoneError } from './server.ts';
import { askDefaults } from './settings.ts';

export const PANEL = 'causeway.panel';

/** What the page may have done in VS Code: a closed list. */
const COMMANDS: Readonly<Record<HostCommand, string>> = {
  'ask-again': 'causeway.askAgain',
  index: 'causeway.index',
  'pause-index': 'causeway.pauseIndexing',
  'resume-index': 'causeway.resumeIndexing',
  'rebuild-index': 'causeway.rebuildIndex',
  'open-folder': 'workbench.action.files.openFolder',
  'show-documents': 'causeway.showDocuments',
  settings: 'causeway.openSettings',
  'show-log': 'causeway.showLog',
  'restart-server': 'causeway.restartServer',
  walkthrough: 'causeway.openWalkthrough',
  'copy-diagnostics': 'causeway.copyDiagnostics',
};

/** Questions that the sample folder answers. */
const SAMPLE_QUESTIONS = [
  'What led to the ferry outage in March?',
  'Why could the relief boat not take over?',
  'How is the county’s budget cut connected with the mussels buried behind a shed?',
];

export class GraphPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #causeway: Causeway;
  readonly #places: Places;
  #panel: vscode.WebviewPanel | null = null;
  #listening = false;
  /** Messages for a page that does not listen yet. */
  #waiting: ToWebview[] = [];
  /** Where the places of the run on show lie. */
  #folders: readonly FolderView[] = [];
  readonly #exports = new Map<string, (message: Extract<ToHost, { kind: 'exported' }>) => void>();
  readonly #selected = new vscode.EventEmitter<Target | null>();
  readonly onDidSelect = this.#selected.event;
  readonly #disposables: vscode.Disposable[] = [this.#selected];

  constructor(causeway: Causeway, places: Places) {
    this.#causeway = causeway;
    this.#places = places;
    this.#disposables.push(
      causeway.onDidStart((run) => this.#start(run)),
      causeway.onPartial(({ run, partial }) => this.#partial(run, partial)),
      causeway.onDidEnd(({ run, end }) => this.#end(run, end)),
      causeway.onDidChange(() => this.#post({ kind: 'index', index: this.#index() })),
      causeway.onDidBecomeStale((files) => this.#post({ kind: 'stale', files })),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('causeway.ask')) this.#setup();
      }),
    );
  }

  get visible(): boolean {
    return this.#panel?.visible === true;
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.#panel?.viewColumn;
  }

  /** Shows the page, making it if need be. */
  show(preserveFocus = false): void {
    if (this.#panel) {
      this.#panel.reveal(undefined, preserveFocus);
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    this.#adopt(vscode.window.createWebviewPanel(PANEL, 'Causeway', column, {}));
    const { answer } = this.#causeway;
    if (answer && !this.#causeway.run)
      this.#post({ kind: 'answer', run: answer.run, view: answer.view, options: answer.options });
  }

  /** After a reload of the window: the page restores itself, and the host what belongs to it. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    const answer = await this.#causeway.restore();
    this.#adopt(panel);
    this.#folders = answer?.folders ?? [];
    this.#causeway.wake();
  }

  /** Selects something on the page. */
  reveal(target: Target): void {
    this.show(true);
    this.#post({ kind: 'reveal', target });
  }

  /** Lights links of the graph. */
  highlight(links: readonly number[]): void {
    if (this.#panel) this.#post({ kind: 'highlight', links });
  }

  /** Puts words into the question field. */
  compose(question: string): void {
    this.show();
    this.#post({ kind: 'compose', question });
  }

  /**
   * The graph as the page draws it: SVG source, or PNG bytes.
   * @throws Error with the page's reason
   */
  async picture(format: 'svg' | 'png'): Promise<Uint8Array> {
    this.show(true);
    const request = `export-${Date.now()}`;
    const answered = new Promise<Extract<ToHost, { kind: 'exported' }>>((resolve) =>
      this.#exports.set(request, resolve),
    );
    this.#post({ kind: 'export', request, format });
    const late = new Promise<never>((_, reject) =>
      setTimeout(
        () => reject(new Error('The graph did not answer. Show it, then export again.')),
        20_000,
      ).unref(),
    );
    try {
      const { data, error } = await Promise.race([answered, late]);
      if (error !== undefined || data === undefined) throw new Error(error ?? 'The graph is empty.');
      return format === 'svg' ? new TextEncoder().encode(data) : Buffer.from(data, 'base64');
    } finally {
      this.#exports.delete(request);
    }
  }

  dispose(): void {
    for (const disposable of this.#disposables.splice(0)) disposable.dispose();
  }

  #adopt(panel: vscode.WebviewPanel): void {
    this.#panel?.dispose();
    this.#panel = panel;
    this.#listening = false;
    this.#waiting = [];
    const { webview } = panel;
    const root = vscode.Uri.joinPath(this.#causeway.context.extensionUri, 'dist', 'webview');
    webview.options = { enableScripts: true, localResourceRoots: [root] };
    panel.iconPath = vscode.Uri.joinPath(this.#causeway.context.extensionUri, 'dist', 'logo.svg');
    const listeners = [
      webview.onDidReceiveMessage((received: ToHost) => {
        this.#receive(received).catch((error: unknown) => this.#causeway.log.error(message(error)));
      }),
      panel.onDidDispose(() => {
        for (const listener of listeners) listener.dispose();
        if (this.#panel !== panel) return;
        this.#panel = null;
        this.#places.clear();
      }),
      panel.onDidChangeViewState(() => {
        // A hidden page is torn down and says "ready" again when it is shown.
        if (!panel.visible) this.#listening = false;
      }),
    ];
    webview.html = panelHtml({
      nonce: randomBytes(24).toString('hex'),
      cspSource: webview.cspSource,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(root, 'main.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(root, 'main.css')).toString(),
    });
  }

  #post(sent: ToWebview): void {
    if (!this.#panel) return;
    if (this.#listening) void this.#panel.webview.postMessage(sent);
    else this.#waiting.push(sent);
  }

  #setup(): void {
    const sample = vscode.workspace.workspaceFolders?.some(({ uri }) =>
      /\/(harbour|causeway-sample)$/.test(uri.path),
    );
    this.#post({
      kind: 'setup',
      defaults: askDefaults(),
      index: this.#index(),
      ...(sample ? { suggestions: SAMPLE_QUESTIONS } : {}),
    });
  }

  async #receive(received: ToHost): Promise<void> {
    const { answer } = this.#causeway;
    switch (received.kind) {
      case 'ready': {
        this.#listening = true;
        const waiting = this.#waiting.splice(0);
        this.#setup();
        const { run } = this.#causeway;
        const told = waiting.some(({ kind }) => kind === 'started' || kind === 'answer');
        // A page that was torn down while a question ran, or that was made anew, is told what is on show.
        if (run && !told)
          this.#post({ kind: 'started', run: run.id, question: run.question, options: run.options });
        else if (!run && answer && !told && (!received.restored || this.#missed)) {
          this.#post({ kind: 'answer', run: answer.run, view: answer.view, options: answer.options });
        }
        this.#missed = false;
        if (answer && !run) this.#folders = answer.folders;
        for (const sent of waiting) if (sent.kind !== 'setup' && sent.kind !== 'index') this.#post(sent);
        if (answer && !run) this.#post({ kind: 'stale', files: this.#causeway.stale });
        this.#causeway.wake();
        break;
      }
      case 'ask':
        await this.#causeway.ask(received.question, received.options);
        break;
      case 'cancel':
        if (this.#causeway.run?.id === received.run) this.#causeway.cancel();
        break;
      case 'open':
        await this.#open(received);
        break;
      case 'expand':
        await this.#expand(received.concept);
        break;
      case 'selected':
        this.#selected.fire(received.target);
        break;
      case 'copy-answer':
        await vscode.commands.executeCommand('causeway.copyAnswer');
        break;
      case 'command': {
        const command = Object.hasOwn(COMMANDS, received.command) ? COMMANDS[received.command] : undefined;
        if (command) await vscode.commands.executeCommand(command);
        break;
      }
      case 'exported':
        this.#exports.get(received.request)?.(received);
        break;
      case 'fault':
        this.#causeway.log.error(`page: ${received.message}`);
        break;
    }
  }

  /** The page was hidden while an answer came. */
  #missed = false;

  async #open({ place, link }: Extract<ToHost, { kind: 'open' }>): Promise<void> {
    const folders = this.#folders.length > 0 ? this.#folders : this.#causeway.index.folders;
    try {
      await this.#places.open(folders, place, link, this.#panel?.viewColumn);
    } catch (error) {
      const again = 'Ask Again';
      void vscode.window.showWarningMessage(message(error), again).then((chosen) => {
        if (chosen === again) void vscode.commands.executeCommand('causeway.askAgain');
      });
    }
  }

  async #expand(concept: number): Promise<void> {
    const { answer } = this.#causeway;
    try {
      if (!answer) throw new Error('Ask again, and then look further.');
      const { concepts, links } = await this.#causeway.request('causeway/expand', {
        answer: answer.server,
        concept,
      });
      this.#post({ kind: 'expanded', concept, concepts, links });
    } catch (error) {
      this.#post({ kind: 'expand-failed', concept, message: message(error) });
    }
  }

  #start(run: Run): void {
    this.show(true);
    this.#folders = this.#causeway.index.folders;
    this.#places.clear();
    this.#post({ kind: 'started', run: run.id, question: run.question, options: run.options });
  }

  #partial(run: Run, partial: AskPartial): void {
    if (partial.kind === 'found') {
      if (this.#listening) this.#post({ kind: 'partial', run: run.id, found: partial.found });
      return;
    }
    const { done, total } = partial;
    const step: RunStep = partial.step === 'index' ? 'retrieve' : partial.step;
    this.#post({
      kind: 'progress',
      run: run.id,
      step,
      message: partial.message,
      ...(done === undefined || total === undefined ? {} : { done, total }),
    });
  }

  #end(run: Run, end: RunEnd): void {
    if (!this.#listening) this.#missed = true;
    switch (end.kind) {
      case 'answer':
        this.#folders = end.answer.folders;
        this.#post({ kind: 'answer', run: run.id, view: end.answer.view, options: run.options });
        break;
      case 'cancelled':
        this.#post({ kind: 'cancelled', run: run.id });
        break;
      case 'failed':
        this.#post({ kind: 'failed', run: run.id, message: end.message, actions: waysOn(end.error) });
        break;
    }
  }

  #index(): IndexState {
    return indexState(this.#causeway.index);
  }
}

/** What a person can do about a failure. */
function waysOn(error: unknown): ActionView[] {
  const again: ActionView = { label: 'Ask Again', command: 'ask-again' };
  const log: ActionView = { label: 'Show Log', command: 'show-log' };
  if (error instanceof ServerGoneError) return [again, log];
  return [again, { label: 'Restart Server', command: 'restart-server' }, log];
}

/** The index in the page's words. */
export function indexState(status: IndexStatus): IndexState {
  const { files, passages, links, unread, pass } = status;
  const usable = passages > 0;
  switch (status.state) {
    case 'no-folder':
      return { state: 'no-folder' };
    case 'failed':
      return { state: 'failed', message: status.message };
    case 'paused':
      return { state: 'paused', done: files, total: files + unread, usable };
    case 'closed':
      return { state: 'indexing', done: 0, total: 0, usable: false };
    case 'running':
      // Once the passages are in, looking for links ahead of questions is no reason to wait.
      if (pass?.phase === 'extract' && usable)
        return { state: 'ready', documents: files, passages, links: Math.max(links, 1), unread };
      return { state: 'indexing', done: pass?.done ?? 0, total: pass?.total ?? 0, usable };
    case 'ready':
      if (files === 0) return { state: 'no-documents' };
      return { state: 'ready', documents: files, passages, links, unread };
  }
}
