/** Activation: puts the parts together. Nothing is started until somebody looks or asks. */
import * as vscode from 'vscode';
import { ASK_VIEW, AskView } from './askview.ts';
import { Causeway } from './causeway.ts';
import { ChainsView } from './chains.ts';
import { registerCommands } from './commands.ts';
import { CursorLight } from './cursor.ts';
import { DocumentsView } from './documents.ts';
import { Explanations } from './explanations.ts';
import { GraphPanel, PANEL } from './panel.ts';
import { Places } from './places.ts';
import { StatusItem } from './status.ts';

let running: Causeway | undefined;

/** What tests may look at. */
export interface Exports {
  readonly causeway: Causeway;
  readonly panel: GraphPanel;
}

export function activate(context: vscode.ExtensionContext): Exports {
  const from = performance.now();
  const causeway = new Causeway(context);
  running = causeway;
  const places = new Places();
  const explanations = new Explanations();
  const panel = new GraphPanel(causeway, places);
  const askView = new AskView(causeway);
  const chainsView = new ChainsView(causeway);
  const documentsView = new DocumentsView(causeway);
  const chains = vscode.window.createTreeView('causeway.chains', {
    treeDataProvider: chainsView,
    showCollapseAll: true,
  });
  const documents = vscode.window.createTreeView('causeway.documents', {
    treeDataProvider: documentsView,
    showCollapseAll: true,
  });
  const wake = ({ visible }: vscode.TreeViewVisibilityChangeEvent): void => {
    if (visible) causeway.wake();
  };
  context.subscriptions.push(
    causeway,
    places,
    panel,
    askView,
    chainsView,
    documentsView,
    chains,
    documents,
    chains.onDidChangeVisibility(wake),
    documents.onDidChangeVisibility(wake),
    new StatusItem(causeway),
    new CursorLight(causeway, panel),
    vscode.window.registerWebviewPanelSerializer(PANEL, panel),
    vscode.window.registerWebviewViewProvider(ASK_VIEW, askView),
    explanations,
    ...registerCommands({ causeway, panel, askView, places, explanations, chains }),
  );
  void causeway.restore();
  causeway.activation = performance.now() - from;
  causeway.log.debug(`activated in ${causeway.activation.toFixed(1)} ms`);
  return { causeway, panel };
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
