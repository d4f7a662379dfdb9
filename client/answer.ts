/** The answer on show: where its words stand, and keeping it over restarts. */
import * as vscode from 'vscode';
import type { AnswerView, ExplainResult, FolderView, LinkView, Place } from '../server/protocol.ts';
import type { AskOptions } from '../webview/protocol.ts';

export interface ShownAnswer {
  readonly run: string;
  readonly view: AnswerView;
  readonly options: AskOptions;
  readonly folders: readonly FolderView[];
  /** Its name at the server that gave it; a later server does not know it. */
  readonly server: string;
}

/** The file's address; undefined for a file of a folder that is not known. */
export function uriOf(folders: readonly FolderView[], place: Pick<Place, 'file'>): vscode.Uri | undefined {
  const folder = folders.find(({ prefix }) => place.file.startsWith(prefix));
  return (
    folder &&
    vscode.Uri.joinPath(vscode.Uri.parse(folder.uri), ...place.file.slice(folder.prefix.length).split('/'))
  );
}

/** Every link of the answer once, hops with the links that state the same. */
export function linksOf(view: AnswerView): LinkView[] {
  const links = new Map<number, LinkView>();
  for (const link of [
    ...view.links,
    ...view.chains.flatMap((chain) => chain.hops.flatMap((hop) => [hop, ...hop.also])),
  ])
    if (!links.has(link.id)) links.set(link.id, link);
  return [...links.values()];
}

/** What the answer itself tells of a link, where its server cannot be asked any more: no place among the others. */
export function explainedBy(view: AnswerView, link: LinkView): ExplainResult {
  const hop = view.chains.flatMap((chain) => chain.hops).find(({ id }) => id === link.id);
  const rivals = linksOf(view)
    .filter(
      ({ id, cause, effect }) =>
        id !== link.id && (cause.concept === link.cause.concept || effect.concept === link.effect.concept),
    )
    .slice(0, 8)
    .map((other) => ({ link: other, logOdds: null }));
  return { link, why: hop?.why ?? null, rank: 0, of: 0, rivals };
}

/** Files that the answer rests on: those of its chains, or where there are none, of what was found nearest. */
export function filesOf(view: AnswerView): Set<string> {
  const hops = view.chains.flatMap((chain) => chain.hops);
  return new Set(
    hops.length > 0
      ? hops.map((hop) => hop.evidence.file)
      : view.retrieved.slice(0, 5).map(({ file }) => file),
  );
}

const FILE = 'answer.json';

/** Writes the answer to the workspace's storage; without a workspace nothing is kept. */
export async function keepAnswer(context: vscode.ExtensionContext, answer: ShownAnswer): Promise<void> {
  if (!context.storageUri) return;
  const kept: ShownAnswer = { ...answer, view: { ...answer.view, context: '' } };
  await vscode.workspace.fs.createDirectory(context.storageUri);
  const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, answer: kept }));
  await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(context.storageUri, FILE), bytes);
}

/** The answer kept last; null when there is none or it is of another version. */
export async function keptAnswer(context: vscode.ExtensionContext): Promise<ShownAnswer | null> {
  if (!context.storageUri) return null;
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.storageUri, FILE));
    const { version, answer } = JSON.parse(new TextDecoder().decode(bytes)) as {
      version: number;
      answer: ShownAnswer;
    };
    return version === 1 && Array.isArray(answer.view.chains) ? answer : null;
  } catch {
    return null;
  }
}
