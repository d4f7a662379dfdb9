/** Which reader reads which file. */
import { extname } from 'node:path';
import { BinaryError, decode } from '../encoding.ts';
import { type ReadDocument, type Reader, UnreadableError } from '../types.ts';
import { csvReader } from './csv.ts';
import { htmlReader } from './html.ts';
import { markdownReader } from './markdown.ts';
import { notebookReader } from './notebook.ts';
import { texReader } from './tex.ts';
import { textReader } from './text.ts';

const READERS: readonly Reader[] = [
  markdownReader,
  textReader,
  htmlReader,
  csvReader,
  texReader,
  notebookReader,
];

const BY_EXTENSION: ReadonlyMap<string, Reader> = new Map(
  READERS.flatMap((reader) => reader.extensions.map((extension) => [extension, reader] as const)),
);

/** Bytes above which a file isn't read unless the caller says so. */
export const DEFAULT_MAX_BYTES = 20 * 1024 * 1024;

/** Extensions that a reader exists for, lower case with the dot. */
export const supportedExtensions: readonly string[] = [...BY_EXTENSION.keys()];

/** The reader for a file by its extension, whatever its case; undefined for other formats. */
export function readerFor(file: string): Reader | undefined {
  return BY_EXTENSION.get(extname(file.replaceAll('\\', '/')).toLowerCase());
}

/**
 * Reads a file's bytes. An empty file gives no parts and a note. Throws {@link UnreadableError} with the reason for
 * an unknown format, bytes that are no text, and more bytes than `maxBytes`.
 */
export function readDocument(
  bytes: Uint8Array,
  file: string,
  options: { readonly maxBytes?: number } = {},
): ReadDocument {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  if (bytes.length > maxBytes) {
    throw new UnreadableError(
      file,
      `too large: ${megabytes(bytes.length)}, the limit is ${megabytes(maxBytes)}`,
    );
  }
  requireReader(file);
  let text: string;
  try {
    text = decode(bytes).text;
  } catch (error) {
    if (error instanceof BinaryError) throw new UnreadableError(file, error.message);
    throw error;
  }
  return readText(text, file);
}

/** Reads text as an editor holds it, saved or not. Throws {@link UnreadableError} as {@link readDocument} does. */
export function readText(text: string, file: string): ReadDocument {
  return requireReader(file).read(text, file);
}

function requireReader(file: string): Reader {
  const reader = readerFor(file);
  if (reader === undefined) {
    const extension = extname(file);
    throw new UnreadableError(
      file,
      extension === '' ? 'unknown format: the name has no extension' : `unknown format: ${extension}`,
    );
  }
  return reader;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
