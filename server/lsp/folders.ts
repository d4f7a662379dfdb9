/** The workspace's folders as one folder of documents, and the way between file names and addresses. */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DiskFolder } from '../engine.ts';
import type { FolderView } from '../protocol.ts';
import type { Folder } from '../workspace/folder.ts';

/** A workspace folder as the client names it. */
export interface NamedFolder {
  readonly uri: string;
  readonly name: string;
}

interface Root extends FolderView {
  readonly path: string;
}

/**
 * Several folders on disk that list as one. With one folder, files are named by their path in it; with more, the
 * folder's name comes before. Folders that are no files on this machine are left out.
 */
export class WorkspaceFolders {
  readonly roots: readonly Root[];

  constructor(folders: readonly NamedFolder[]) {
    const local = folders.flatMap(({ uri, name }) => {
      const at = uri.startsWith('file:') ? pathOf(uri) : null;
      return at === null ? [] : [{ uri, name, path: at }];
    });
    const taken = new Set<string>();
    this.roots = local.map(({ uri, name, path: at }) => {
      if (local.length === 1) return { uri, path: at, prefix: '' };
      const plain = name.replaceAll(/[/\\]/g, '_') || path.basename(at);
      let unique = plain;
      for (let more = 2; taken.has(unique); more++) unique = `${plain} (${more})`;
      taken.add(unique);
      return { uri, path: at, prefix: `${unique}/` };
    });
  }

  get views(): FolderView[] {
    return this.roots.map(({ prefix, uri }) => ({ prefix, uri }));
  }

  /** The file's name in the index; undefined for what lies in no folder. The innermost folder wins. */
  fileOf(uri: string): string | undefined {
    const at = uri.startsWith('file:') ? pathOf(uri) : null;
    if (at === null) return undefined;
    let best: { root: Root; inner: string } | undefined;
    for (const root of this.roots) {
      const inner = path.relative(root.path, at);
      if (inner === '' || inner.startsWith('..') || path.isAbsolute(inner)) continue;
      if (best === undefined || inner.length < best.inner.length) best = { root, inner };
    }
    return best && best.root.prefix + best.inner.split(path.sep).join('/');
  }

  /** The address of a file of the index. */
  uriOf(file: string): string | undefined {
    const root = this.#rootOf(file);
    return root && pathToFileURL(path.join(root.path, ...file.slice(root.prefix.length).split('/'))).href;
  }

  /** The folders as the indexer reads them. */
  documents(include: readonly string[], exclude: readonly string[]): Folder {
    const parts = this.roots.map((root) => ({ root, folder: new DiskFolder(root.path, include, exclude) }));
    return {
      list: async (signal) => {
        const files: Awaited<ReturnType<Folder['list']>>['files'][number][] = [];
        const skipped: Awaited<ReturnType<Folder['list']>>['skipped'][number][] = [];
        for (const { root, folder } of parts) {
          const name = <T extends { readonly path: string }>(entry: T): T => ({
            ...entry,
            path: root.prefix + entry.path,
          });
          const listed = await folder.list(signal);
          signal?.throwIfAborted();
          files.push(...listed.files.map(name));
          skipped.push(...listed.skipped.map(name));
        }
        return { files, skipped };
      },
      read: async (file, signal) => {
        const root = this.#rootOf(file);
        const part = parts.find((entry) => entry.root === root);
        if (root === undefined || part === undefined)
          throw new Error(`${file} lies in no folder of the workspace`);
        return part.folder.read(file.slice(root.prefix.length), signal);
      },
    };
  }

  #rootOf(file: string): Root | undefined {
    return this.roots.find((root) => file.startsWith(root.prefix));
  }
}

function pathOf(uri: string): string | null {
  try {
    return path.resolve(fileURLToPath(uri));
  } catch {
    return null; // A file address of another machine or system.
  }
}
