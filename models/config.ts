/** What our own models are loaded with: their options, and the settings that lie beside their weights. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelFileError } from './onnx.ts';
import type { Tokenizer } from './tokenizer.ts';

export interface ModelOptions {
  /** Folder of the model's files and its config.json. */
  readonly directory: string;
  readonly tokenizer: Tokenizer;
  /** Threads within one operation (see threads.ts). */
  readonly threads: number;
}

/**
 * The settings in a model's directory.
 * @param labels what the network's outputs must stand for, in order
 * @param what the labels are, for the message
 * @throws ModelFileError where they cannot be read, or are those of another model
 */
export function readConfig<Config extends { readonly labels: readonly string[] }>(
  directory: string,
  labels: readonly string[],
  what: string,
): Config {
  const path = join(directory, 'config.json');
  let config: Config;
  try {
    config = JSON.parse(readFileSync(path, 'utf8')) as Config;
  } catch (error) {
    throw new ModelFileError(`The model's settings ${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (config.labels?.join() !== labels.join())
    throw new ModelFileError(`${path}: the labels are not the ${what} that this version knows.`);
  return config;
}
