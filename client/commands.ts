/** Every command of the palette and the menus. */
import * as vscode from 'vscode';
import { explainedBy, linksOf } from './answer.ts';
import type { AskView } from './askview.ts';
import { type Causeway, message } from './causeway.ts';
import { type ChainNode, linkOf } from './chains.ts';
import type { Explanations } from './explanations.ts';
import { diagnosticReport, exportGraph } from './export.ts';
import { answerMarkdown, explanationMarkdown } from './markdown.ts';
import type { GraphPanel } from './panel.ts';
import type { Places } from './places.ts';
import { openSample } from './sample.ts';
import { askDefaults } from './settings.ts';

export interface Parts {
  readonly causeway: Causeway;
  readonly panel: GraphPanel;
  readonly askView: AskView;
  readonly places: Places;
  readonly explanations: Explanations;
  readonly chains: vscode.TreeView<ChainNode>;
}

/** Words of a selection that a question is made of, in characters. */
const LONGEST_SELECTION = 300;

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const { causeway, panel, askView, chains } = parts;
  const register = (name: string, act: (...args: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`causeway.${name}`, async (...args: never[]) => {
      try {
        return await act(...args);
      } catch (error) {
        causeway.log.error(`${name}: ${message(error)}`);
        void offerLog(`${message(error)}`);
        return undefined;
      }
    });
  const steer =
    (action: 'update' | 'pause' | 'resume'): (() => Promise<unknown>) =>
    () =>
      causeway.steer(action);

  return [
    register('ask', async (question?: unknown) => {
      if (!(await folderThere())) return undefined;
      if (typeof question === 'string' && question.trim() !== '') return causeway.ask(question);
      const typed = await vscode.window.showInputBox({
        title: 'Ask a Question',
        prompt: 'Asked of the documents in this workspace.',
        placeHolder: 'Why did …? What follows from …?',
        ignoreFocusOut: true,
      });
      return typed?.trim() ? causeway.ask(typed.trim()) : undefined;
    }),
    // From the explorer, which hands over a place where the palette hands over nothing.
    register('askFolder', () => vscode.commands.executeCommand('causeway.ask')),
    register('askInView', () => askView.focus()),
    register('askSelection', () => selected((words) => panel.compose(words))),
    register('causesOfSelection', () =>
      selected((words) => causeway.ask(`What led to ${words}?`, { ...askDefaults(), direction: 'backward' })),
    ),
    register('effectsOfSelection', () =>
      selected((words) =>
        causeway.ask(`What follows from ${words}?`, { ...askDefaults(), direction: 'forward' }),
      ),
    ),
    register('askAgain', () => {
      const last = causeway.answer;
      const question = last?.view.question ?? causeway.history[0]?.question;
      return question === undefined ? askView.focus() : causeway.ask(question, last?.options);
    }),
    register('cancel', () => causeway.cancel()),
    register('index', async () => {
      if (await folderThere()) await causeway.steer(causeway.index.state === 'paused' ? 'resume' : 'update');
    }),
    register('pauseIndexing', steer('pause')),
    register('resumeIndexing', steer('resume')),
    register('rebuildIndex', async () => {
      if (!(await folderThere())) return;
      await vscode.window.withProgress(
        { location: { viewId: 'causeway.documents' }, title: 'Rebuilding the index' },
        () => causeway.steer('rebuild'),
      );
    }),
    register('showDocuments', () => vscode.commands.executeCommand('causeway.documents.focus')),
    register('showGraph', async () => {
      if (!causeway.answer) await causeway.restore();
      panel.show();
    }),
    register('exportGraph', () => exportGraph(causeway, panel)),
    register('copyAnswer', async () => {
      if (!causeway.answer) return;
      await vscode.env.clipboard.writeText(answerMarkdown(causeway.answer.view));
      vscode.window.setStatusBarMessage('Answer copied with its citations', 3000);
    }),
    register('showLog', () => causeway.log.show(true)),
    register('copyDiagnostics', async () => {
      await vscode.env.clipboard.writeText(await diagnosticReport(causeway));
      vscode.window.setStatusBarMessage('Diagnostic information copied', 3000);
    }),
    register('restartServer', () => causeway.restart()),
    register('openSettings', () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:causeway.causeway'),
    ),
    register('openWalkthrough', () =>
      vscode.commands.executeCommand(
        'workbench.action.openWalkthrough',
        'causeway.causeway#causeway.start',
        false,
      ),
    ),
    register('openSample', () => openSample(causeway.context)),
    register('clearHistory', () => causeway.forget()),
    register('openHop', async (node?: ChainNode) => {
      const chosen = node ?? chains.selection[0];
      const link = chosen && linkOf(chosen);
      if (!chosen || !link || !causeway.answer) return;
      if (panel.visible)
        panel.reveal(
          chosen.kind === 'hop' ? { kind: 'hop', hop: chosen.hop.number } : { kind: 'link', link: link.id },
        );
      const marks = {
        evidence: link.evidence,
        cause: link.cause.place,
        relation: link.relation.place,
        effect: link.effect.place,
      };
      await parts.places.open(
        causeway.answer.folders,
        link.evidence,
        marks,
        panel.visible ? panel.viewColumn : undefined,
      );
    }),
    register('explainHop', async (node?: ChainNode) => {
      const chosen = node ?? chains.selection[0];
      const link = chosen && linkOf(chosen);
      const { answer } = causeway;
      if (!link || !answer) return;
      // A later server does not know the answer; then its own words have to do.
      const told = await causeway
        .request('causeway/explain', { answer: answer.server, link: link.id })
        .catch(() => explainedBy(answer.view, link));
      const hop = answer.view.chains
        .flatMap((chain) => chain.hops)
        .find((candidate) => candidate.id === link.id);
      const title = hop ? `Why hop ${hop.number}` : 'Why this link';
      await parts.explanations.show(title, explanationMarkdown(told, hop));
    }),
    register('evidenceHere', async () => {
      const editor = vscode.window.activeTextEditor;
      const { answer } = causeway;
      if (!editor || !answer) return;
      const here = linksOf(answer.view).find(
        (link) => link.evidence.range.start.line === editor.selection.active.line,
      );
      if (here) panel.reveal({ kind: 'link', link: here.id });
    }),
  ];
}

/** The words selected in the editor, or the one under the cursor, handed on in one line. */
async function selected(act: (words: string) => unknown): Promise<unknown> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !(await folderThere())) return undefined;
  const { document, selection } = editor;
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active) : selection;
  const words = range ? document.getText(range).replace(/\s+/g, ' ').trim() : '';
  if (words === '') {
    void vscode.window.showInformationMessage('Select the words to ask about first.');
    return undefined;
  }
  return act(words.length > LONGEST_SELECTION ? `${words.slice(0, LONGEST_SELECTION)}…` : words);
}

async function folderThere(): Promise<boolean> {
  if (vscode.workspace.workspaceFolders?.length) return true;
  const open = 'Open Folder';
  const sample = 'Try the Sample';
  const chosen = await vscode.window.showInformationMessage(
    'Open the folder that holds your documents, then ask.',
    open,
    sample,
  );
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.files.openFolder');
  if (chosen === sample) await vscode.commands.executeCommand('causeway.openSample');
  return false;
}

async function offerLog(text: string): Promise<void> {
  const log = 'Show Log';
  if ((await vscode.window.showErrorMessage(text, log)) === log)
    await vscode.commands.executeCommand('causeway.showLog');
}
