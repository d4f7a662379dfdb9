/** Getting an answer out: the graph as a picture or as data, and what a report of a fault should hold. */
import * as vscode from 'vscode';
import type { AnswerView } from '../server/protocol.ts';
import { type Causeway, message } from './causeway.ts';
import type { GraphPanel } from './panel.ts';

type Format = 'svg' | 'png' | 'json';

/** Asks for a format and a file, and writes the graph there. */
export async function exportGraph(causeway: Causeway, panel: GraphPanel): Promise<vscode.Uri | undefined> {
  const { answer } = causeway;
  if (!answer) return undefined;
  const formats: (vscode.QuickPickItem & { readonly format: Format })[] = [
    { format: 'svg', label: 'SVG', description: 'a picture that scales' },
    { format: 'png', label: 'PNG', description: 'a picture' },
    { format: 'json', label: 'JSON', description: 'the whole answer as data' },
  ];
  const chosen = await vscode.window.showQuickPick(formats, { title: 'Export Graph' });
  if (!chosen) return undefined;
  const { format } = chosen;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const uri = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${fileName(answer.view.question)}.${format}`),
    filters: { [format.toUpperCase()]: [format] },
  });
  if (!uri) return undefined;
  await vscode.workspace.fs.writeFile(uri, await graphBytes(answer.view, panel, format));
  vscode.window.setStatusBarMessage(`Graph written to ${vscode.workspace.asRelativePath(uri)}`, 5000);
  return uri;
}

/** The graph as a file's content. Throws the page's reason where it cannot draw it. */
export async function graphBytes(view: AnswerView, panel: GraphPanel, format: Format): Promise<Uint8Array> {
  return format === 'json'
    ? new TextEncoder().encode(`${JSON.stringify(view, null, 2)}\n`)
    : panel.picture(format);
}

function fileName(question: string): string {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 8).join('-').slice(0, 60) || 'graph';
}

/** Versions, states and counts; no file name, no question and no text of a document. */
export async function diagnosticReport(causeway: Causeway): Promise<string> {
  const { health, context, activation } = causeway;
  const own: Record<string, unknown> = {
    extension: (context.extension.packageJSON as { version: string }).version,
    vscode: vscode.version,
    app: vscode.env.appName,
    remote: vscode.env.remoteName ?? 'none',
    trusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    activation: `${activation.toFixed(1)} ms`,
    extensionHostMemory: process.memoryUsage().rss,
    server: health,
  };
  if (health.kind === 'ready') {
    try {
      const { index, ...rest } = await causeway.request('causeway/diagnostics', {});
      const { folders, pass, ...counts } = index;
      Object.assign(own, rest, {
        index: { ...counts, folders: folders.length, pass: pass && { ...pass, file: undefined } },
      });
    } catch (error) {
      own['diagnostics'] = message(error);
    }
  }
  return `\`\`\`json\n${JSON.stringify(own, null, 2)}\n\`\`\`\n`;
}
