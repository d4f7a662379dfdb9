/** Stand-ins for the index's tests: a folder in memory, an embedder and a tagger that count what they are asked. */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { SpanTriple } from '../../../models/protocol.ts';
import type { Embedder } from '../../../server/sarg/types.ts';
import type { FileInFolder, Folder } from '../../../server/workspace/folder.ts';
import { Indexer, type IndexerParts } from '../../../server/workspace/indexer.ts';
import { readDocument, readText } from '../../../server/workspace/readers/index.ts';
import { IndexStore, type StoreOptions } from '../../../server/workspace/store.ts';
import type { Tagger, TagResult } from '../../../server/workspace/triplecache.ts';

export const FAKE_EMBEDDER = { name: 'fake', version: '1', dimensions: 16 };

/** A unit vector that depends on nothing but the text: a sum of one random-looking direction a word. */
export function fakeVector(text: string, dimensions = FAKE_EMBEDDER.dimensions): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const digest = createHash('sha256').update(word).digest();
    for (let at = 0; at < dimensions; at++) vector[at]! += digest[at % 32]! / 127.5 - 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((number) => number / length);
}

export class FakeEmbedder implements Embedder {
  readonly dimensions: number;
  readonly asked: { text: string; role: string }[] = [];
  /** Called before each batch. */
  onEmbed: (texts: readonly string[]) => void = () => {};

  constructor(dimensions = FAKE_EMBEDDER.dimensions) {
    this.dimensions = dimensions;
  }

  async embed(texts: readonly string[], role: 'query' | 'passage' | 'concept'): Promise<Float32Array[]> {
    this.onEmbed(texts);
    for (const text of texts) this.asked.push({ text, role });
    return texts.map((text) => fakeVector(text, this.dimensions));
  }
}

/** Reads "… because …" as one triple a text. */
export class FakeTagger implements Tagger {
  readonly version: string;
  readonly asked: string[] = [];
  onTag: (texts: readonly string[]) => void = () => {};

  constructor(version = 'fake-tagger@1') {
    this.version = version;
  }

  async tag(texts: readonly string[]): Promise<readonly TagResult[]> {
    this.onTag(texts);
    this.asked.push(...texts);
    return texts.map((text): SpanTriple[] => {
      const at = text.indexOf(' because ');
      if (at < 1) return [];
      return [
        {
          cause: { start: at + 9, end: text.length },
          effect: { start: 0, end: at },
          relation: { start: at + 1, end: at + 8 },
          type: 'causes',
          negated: false,
          hedged: false,
          confidence: 1,
        },
      ];
    });
  }
}

/** Files in memory that count how often they are read. */
export class MemoryFolder implements Folder {
  readonly #files = new Map<string, { bytes: Uint8Array; mtime: number }>();
  readonly skipped: { path: string; reason: string }[] = [];
  readonly reads: string[] = [];
  #clock = 1_000_000;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  write(path: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.#files.set(path, { bytes, mtime: ++this.#clock });
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  async list(): Promise<{ files: FileInFolder[]; skipped: { path: string; reason: string }[] }> {
    const files = [...this.#files].map(([path, { bytes, mtime }]) => ({ path, size: bytes.length, mtime }));
    return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), skipped: this.skipped };
  }

  async read(path: string): Promise<Uint8Array> {
    this.reads.push(path);
    const file = this.#files.get(path);
    if (file === undefined) throw new Error(`ENOENT: no such file, ${path}`);
    return file.bytes;
  }
}

/** An index in memory (or at `options.path`) with its indexer over a folder. */
export function indexOf(
  folder: Folder,
  options: Partial<StoreOptions> &
    Partial<Pick<IndexerParts, 'batch'>> & { embedder?: typeof FAKE_EMBEDDER } = {},
): { store: IndexStore; indexer: Indexer; embedder: FakeEmbedder } & Disposable {
  const { batch, ...rest } = options;
  const identity = options.embedder ?? FAKE_EMBEDDER;
  const embedder = new FakeEmbedder(identity.dimensions);
  const store = new IndexStore({ path: ':memory:', embedder: identity, ...rest });
  const indexer = new Indexer({
    folder,
    readers: { readDocument, readText },
    store,
    embedder,
    ...(batch === undefined ? {} : { batch }),
  });
  return { store, indexer, embedder, [Symbol.dispose]: () => store.close() };
}

/** All that an index file says of the present files, free of row numbers and of the order of the work. */
export function canonicalDump(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const lines: string[] = [];
    const dump = (name: string, sql: string): void => {
      for (const row of database.prepare(sql).all())
        lines.push(
          `${name} ${JSON.stringify(row, (_, value: unknown) =>
            value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value,
          )}`,
        );
    };
    const present = 'texts.id IN (SELECT text_id FROM passages)';
    dump('header', "SELECT key, value FROM header WHERE key <> 'generation' ORDER BY key");
    dump('file', 'SELECT path, size, mtime, hash, state, reason, title, notes FROM files ORDER BY path');
    dump(
      'passage',
      `SELECT key, path, ordinal, texts.hash, text, headings, sentences, cell, source, source_offset, line, character, segments
       FROM passages JOIN files ON files.id = file JOIN texts ON texts.id = text_id ORDER BY path, ordinal`,
    );
    dump(
      'vector',
      `SELECT hash, kind, vector FROM vectors JOIN texts ON texts.id = text_id WHERE ${present} ORDER BY hash`,
    );
    dump(
      'triples',
      `SELECT hash, extractor, state, reason, triples FROM triples JOIN texts ON texts.id = text_id WHERE ${present} ORDER BY hash, extractor`,
    );
    dump(
      'words',
      `SELECT key, path, bm25(words) AS score FROM words JOIN passages ON passages.id = words.rowid JOIN files ON files.id = file
       WHERE words MATCH 'pump OR frost OR the' ORDER BY path, ordinal`,
    );
    return lines;
  } finally {
    database.close();
  }
}
