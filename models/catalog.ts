import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CatalogError, ModelFileError } from './errors.ts';
import type { EmbedRole, ModelIdentity } from './protocol.ts';

/** A file of a model, relative to the model's directory. */
export interface CatalogFile {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

interface EntryBase extends ModelIdentity {
  /** Folder under the weights folder. */
  readonly directory: string;
  readonly files: readonly CatalogFile[];
  /** SPDX identifier. */
  readonly licence: string;
  /** Where the files came from, nearest first. */
  readonly source: readonly string[];
}

export interface EmbedderEntry extends EntryBase {
  readonly role: 'embedder';
  readonly model: string;
  readonly tokenizer: string;
  readonly dimensions: number;
  readonly pooling: 'cls' | 'mean';
  /** Most pieces that are read of a text. */
  readonly maxLength: number;
  readonly prefixes: Readonly<Record<EmbedRole, string>>;
}

/** One of our own models: its settings are in its directory's config.json, with its version. */
export interface TrainedEntry extends EntryBase {
  readonly role: 'tagger' | 'direction';
}

export type CatalogEntry = EmbedderEntry | TrainedEntry;

/** The models that are there, one for each role. */
export interface Catalog {
  readonly embedder: EmbedderEntry;
  readonly tagger: TrainedEntry;
  readonly direction: TrainedEntry;
  /** Folder of an entry's files. */
  directory(entry: CatalogEntry): string;
}

const VERSION_UNKNOWN = 'missing';

/** The folder beside this file. Callers that bundle this file pass their own. */
const defaultFolder = (): string => fileURLToPath(new URL('.', import.meta.url));

/**
 * Reads catalog.json.
 * @param folder holds catalog.json and weights/
 * @throws CatalogError
 */
export function loadCatalog(folder: string = defaultFolder()): Catalog {
  const path = join(folder, 'catalog.json');
  let entries: readonly CatalogEntry[];
  try {
    entries = (JSON.parse(readFileSync(path, 'utf8')) as { models: readonly CatalogEntry[] }).models;
    if (!Array.isArray(entries)) throw new Error('it holds no list of models');
  } catch (error) {
    throw new CatalogError(`The catalog of models ${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const directory = (entry: CatalogEntry) => join(folder, 'weights', entry.directory);
  const find = <Role extends CatalogEntry['role']>(role: Role) => {
    const found = entries.find((entry) => entry.role === role);
    if (!found) throw new CatalogError(`The catalog of models ${path} lists no ${role}.`);
    return found as Extract<CatalogEntry, { role: Role }>;
  };
  const trained = (role: 'tagger' | 'direction'): TrainedEntry => {
    const entry = find(role) as TrainedEntry;
    return { ...entry, version: trainedVersion(directory(entry)) };
  };
  return {
    embedder: find('embedder'),
    tagger: trained('tagger'),
    direction: trained('direction'),
    directory,
  };
}

/** The version of weights that training wrote beside them; `missing` where there are none. */
function trainedVersion(directory: string): string {
  try {
    return String(
      (JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8')) as { version: unknown }).version,
    );
  } catch {
    return VERSION_UNKNOWN; // Loading it says what is wrong; a list of models must not fail for it.
  }
}

/**
 * Looks whether an entry's files are there with their sizes: a checkout or a package may lack them or hold stand-ins.
 * @throws ModelFileError naming the file, what is wrong and what to do
 */
export function checkFiles(entry: CatalogEntry, directory: string): void {
  for (const { file, size } of entry.files) {
    const path = join(directory, file);
    const actual = statSync(path, { throwIfNoEntry: false })?.size;
    if (actual === size) continue;
    const wrong = actual === undefined ? 'is missing' : `has ${actual} bytes instead of ${size}`;
    throw new ModelFileError(
      `The ${entry.role}'s file ${path} ${wrong}. Restore it from the repository (models/weights), or reinstall Causeway.`,
    );
  }
  if (entry.role !== 'embedder' && entry.version === VERSION_UNKNOWN) {
    throw new ModelFileError(
      `The ${entry.role}'s weights are missing: ${join(directory, 'config.json')} cannot be read. ` +
        'Restore it from the repository (models/weights), or reinstall Causeway.',
    );
  }
}
