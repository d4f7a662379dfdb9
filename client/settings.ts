/** The person's settings, as the server and the page take them. */
import * as vscode from 'vscode';
import type { AskSettings, InitializationOptions, ServerSettings } from '../server/protocol.ts';
import type { AskOptions } from '../webview/protocol.ts';

const section = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('causeway');

/**
 * A setting that a folder nobody vouched for must not choose. VS Code itself keeps such a folder's values out
 * (restrictedConfigurations); this holds where it does not.
 */
function vouched(name: string): unknown {
  if (vscode.workspace.isTrusted) return section().get<unknown>(name);
  return section().inspect<unknown>(name)?.globalValue;
}

function vouchedPath(name: string): string {
  const value = vouched(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** A whole number within bounds; settings files may hold anything. */
function count(
  name: string,
  fallback: number,
  least: number,
  most: number,
  value = section().get<unknown>(name),
): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(most, Math.max(least, Math.round(value)))
    : fallback;
}

function choice<const T extends readonly string[]>(name: string, allowed: T): T[number] {
  const value = section().get<string>(name);
  return value !== undefined && allowed.includes(value) ? value : allowed[0]!;
}

function globs(name: string): string[] {
  const value = section().get<unknown>(name);
  return Array.isArray(value)
    ? value.filter((glob): glob is string => typeof glob === 'string' && glob !== '')
    : [];
}

/** What a question is asked with unless the page says otherwise. */
export function askDefaults(): AskOptions {
  return {
    direction: choice('ask.direction', ['auto', 'forward', 'backward', 'bidirectional']),
    beamWidth: count('ask.beamWidth', 3, 1, 10),
    chains: count('ask.chains', 3, 1, 10),
    passages: count('ask.passages', 20, 5, 100),
    hedged: section().get<boolean>('ask.hedged') !== false,
  };
}

/** The page's options with those that only the settings have. */
export function askSettings(options: AskOptions): AskSettings {
  return {
    ...options,
    method: choice('ask.method', ['causeway', 'paper']),
    maxHops: count('ask.maxHops', 6, 1, 20),
  };
}

/** Globs that the person keeps out of the explorer or of searches are kept out of the index too. */
function editorExcludes(): string[] {
  return ['files.exclude', 'search.exclude'].flatMap((name) => {
    const value = vscode.workspace.getConfiguration().get<Record<string, unknown>>(name) ?? {};
    return Object.entries(value).flatMap(([glob, on]) => (on === true ? [glob, `${glob}/**`] : []));
  });
}

export function serverSettings(): ServerSettings {
  const own = globs('files.exclude');
  return {
    include: globs('files.include'),
    exclude: [
      ...own,
      ...(section().get<boolean>('files.useEditorExcludes') === false ? [] : editorExcludes()),
    ],
    extractAhead: section().get<boolean>('index.extractAhead') !== false,
    extractor: choice('extractor', ['tagger']),
    logLevel: choice('log.level', ['info', 'debug', 'warn', 'error']),
  };
}

/** Where the index lies: the setting, else VS Code's own storage for the workspace. */
function indexFolder(context: vscode.ExtensionContext): string {
  const set = vouchedPath('index.location');
  const storage = context.storageUri ?? context.globalStorageUri;
  if (set === '') return storage.fsPath;
  // Two workspaces may name the same folder: each gets its own place in it.
  const name = storage.path.split('/').filter(Boolean).slice(-2, -1)[0] ?? 'workspace';
  return vscode.Uri.joinPath(vscode.Uri.file(set), name).fsPath;
}

export function initializationOptions(context: vscode.ExtensionContext): InitializationOptions {
  return {
    indexFolder: indexFolder(context),
    modelsNode: vouchedPath('models.node'),
    threads: count('models.threads', 0, 0, 64, vouched('models.threads')),
    settings: serverSettings(),
  };
}

/** Settings that only a fresh server takes up. */
export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return ['causeway.models', 'causeway.index.location'].some((name) => event.affectsConfiguration(name));
}
