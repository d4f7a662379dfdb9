/** The sample folder, as the person's own copy: an installed extension's folder is no place to work in. */
import * as vscode from 'vscode';

/** Copies the sample to the extension's storage, unless it is there, and opens it. */
export async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const target = vscode.Uri.joinPath(context.globalStorageUri, 'causeway-sample');
  try {
    await vscode.workspace.fs.stat(target);
  } catch {
    const source = vscode.Uri.joinPath(context.extensionUri, 'examples', 'harbour');
    await vscode.workspace.fs.copy(source, target, { overwrite: false });
  }
  const empty = !vscode.workspace.workspaceFolders?.length;
  await vscode.commands.executeCommand('vscode.openFolder', target, {
    forceReuseWindow: empty,
    forceNewWindow: !empty,
  });
}
