/** Finds the files of a folder that are to be read. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { DEFAULT_MAX_BYTES, readerFor } from './readers/index.ts';

export interface WalkOptions {
  /** Globs relative to the root, forward slashes; only files that one of them matches are listed. */
  readonly include?: readonly string[];
  /** Globs relative to the root; files and folders that one of them matches are left out. */
  readonly exclude?: readonly string[];
  /** Larger files are listed as skipped. Bytes; 20 MB by default. */
  readonly maxBytes?: number;
  /** List files of formats that no reader knows, as skipped. They are only counted otherwise. */
  readonly listUnsupported?: boolean;
  /** Told at the end how many files of unknown formats were passed by. */
  readonly onUnsupported?: (count: number) => void;
}

/** A file to read. */
export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  readonly absolute: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** A file or folder that can't or shall not be read, with the reason. */
export interface SkippedFile {
  readonly file: string;
  readonly skipped: string;
}

export type WalkEntry = FoundFile | SkippedFile;

/** Never entered, whatever the globs say. */
const NEVER: ReadonlySet<string> = new Set(['.git', 'node_modules', '.causeway']);

const NAME_NOT_UTF8 = 'its name is not valid UTF-8; rename it';
const NO_FILE = 'a pipe, a socket or a device, no file';

/** A .gitignore and the folder it rules, relative to the root, "" or with a slash at its end. */
interface Rules {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * Walks a folder, in the order of names (by code units, a folder's files where its name stands). Honours .gitignore
 * files at every level and leaves out .git, node_modules, .causeway and hidden folders. Links to files inside the
 * root are read where they stand unless the file itself is there too; links to folders are not followed, so no walk
 * is endless. What can't be opened is yielded as skipped. Throws the signal's reason when aborted, and the error of
 * the file system where the root itself can't be read.
 */
export async function* walk(
  root: string,
  options: WalkOptions,
  signal: AbortSignal,
): AsyncGenerator<WalkEntry, void, void> {
  signal.throwIfAborted();
  const realRoot = await realpath(root);
  signal.throwIfAborted();
  const included = matcher(options.include) ?? (() => true);
  const excluded = matcher(options.exclude) ?? (() => false);
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  let unsupported = 0;

  yield* folder('', []);
  options.onUnsupported?.(unsupported);

  async function* folder(path: string, above: readonly Rules[]): AsyncGenerator<WalkEntry, void, void> {
    let entries: Awaited<ReturnType<typeof list>>;
    try {
      entries = await list(join(realRoot, path));
    } catch (error) {
      if (path === '') throw error;
      const skipped = isGone(error) && path.includes('\ufffd') ? NAME_NOT_UTF8 : reason(error, 'folder');
      yield { file: path.slice(0, -1), skipped };
      return;
    }
    signal.throwIfAborted();
    const rules = [...above];
    if (entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) {
      const own = await gitignore(join(realRoot, path, '.gitignore'));
      signal.throwIfAborted();
      if (own !== undefined) rules.push({ folder: path, rules: own });
    }
    for (const entry of entries) {
      const file = `${path}${entry.name}`;
      if (NEVER.has(entry.name)) continue;
      if (entry.isDirectory()) {
        if (entry.name.startsWith('.') || excluded(file) || excluded(`${file}/`)) continue;
        if (isIgnored(`${file}/`, rules)) continue;
        yield* folder(`${file}/`, rules);
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        if (entry.name.startsWith('.') || !included(file) || excluded(file) || isIgnored(file, rules))
          continue;
        if (readerFor(file) === undefined) {
          // What a link leads to doesn't matter here: its name decides the reader.
          unsupported += 1;
          if (options.listUnsupported === true) yield { file, skipped: 'no reader for this format' };
          continue;
        }
        const found = await look(file, entry.isSymbolicLink());
        signal.throwIfAborted();
        if (found !== undefined) yield found;
      } else if (
        readerFor(file) !== undefined &&
        !entry.name.startsWith('.') &&
        included(file) &&
        !excluded(file)
      ) {
        // Opening a pipe would wait for its other end.
        if (!isIgnored(file, rules)) yield { file, skipped: NO_FILE };
      }
    }
  }

  async function look(file: string, isLink: boolean): Promise<WalkEntry | undefined> {
    const absolute = join(realRoot, file);
    try {
      if (isLink) {
        const target = await realpath(absolute);
        if (!target.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) {
          return { file, skipped: 'a link that leads out of the folder' };
        }
        const info = await stat(absolute);
        if (info.isDirectory()) return undefined;
        const twin = target.slice(realRoot.length).replaceAll(sep, '/').replace(/^\//, '');
        if (readerFor(twin) !== undefined) return { file, skipped: `a link to ${twin}` };
      }
      const info = await stat(absolute);
      if (!info.isFile()) return { file, skipped: NO_FILE };
      if (info.size > maxBytes) {
        return { file, skipped: `too large: ${megabytes(info.size)}, the limit is ${megabytes(maxBytes)}` };
      }
      return { file, absolute, size: info.size, mtimeMs: info.mtimeMs };
    } catch (error) {
      // Bytes that are no UTF-8 came back as U+FFFD, and no file has that name.
      if (isGone(error) && file.includes('\ufffd')) return { file, skipped: NAME_NOT_UTF8 };
      return { file, skipped: reason(error, 'file') };
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function list(path: string) {
  const entries = await readdir(path, { withFileTypes: true });
  // By code units, a folder as if its name ended in a slash: the order doesn't depend on system or language.
  const key = (entry: (typeof entries)[number]) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  return entries.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

async function gitignore(path: string): Promise<Ignore | undefined> {
  try {
    return ignore().add(await readFile(path, 'utf8'));
  } catch {
    // One that can't be read ignores nothing.
    return undefined;
  }
}

/** The innermost .gitignore that has a word on the path decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (let i = rules.length - 1; i >= 0; i -= 1) {
    const result = rules[i]!.rules.test(path.slice(rules[i]!.folder.length));
    if (result.ignored) return true;
    if (result.unignored) return false;
  }
  return false;
}

function matcher(globs: readonly string[] | undefined): ((path: string) => boolean) | undefined {
  return globs === undefined || globs.length === 0 ? undefined : picomatch([...globs], { dot: true });
}

/** Why the file system gave no file or folder, in words. */
export function reason(error: unknown, what: 'file' | 'folder'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EACCES' || code === 'EPERM') return `no permission to read the ${what}`;
  if (code === 'ENOENT') return `the ${what} is gone, or a link leads nowhere`;
  if (code === 'ELOOP') return 'a link that leads to itself';
  return `the ${what} can't be read: ${error instanceof Error ? error.message : String(error)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
