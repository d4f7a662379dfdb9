/** Where documents come from. */

export interface FileInFolder {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Last change, in ms since 1970. */
  readonly mtime: number;
}

/** A folder of documents: on disk, or in memory for tests. */
export interface Folder {
  /** The files to index, by path, and those that are left out for a reason worth telling. */
  list(signal?: AbortSignal): Promise<{
    readonly files: readonly FileInFolder[];
    readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  }>;
  /** A file's bytes. */
  read(path: string, signal?: AbortSignal): Promise<Uint8Array>;
}
