import { join } from 'node:path';
import type { EmbedderEntry } from './catalog.ts';
import { ModelFileError } from './errors.ts';
import { breathe, OnnxModel, padBatch } from './onnx.ts';
import type { EmbedRole } from './protocol.ts';
import type { Tokenizer } from './tokenizer.ts';

export interface EmbedderOptions {
  readonly entry: EmbedderEntry;
  /** Folder of the model's files. */
  readonly directory: string;
  readonly tokenizer: Tokenizer;
  /** Threads within one operation (see threads.ts). */
  readonly threads: number;
}

/**
 * Turns texts into unit vectors whose dot product is their nearness in meaning.
 *
 * Texts run one by one: an 8-bit network scales its activations over all that runs at once, so a vector would depend
 * on its neighbours, and an index on the order of its making; nor is a processor faster with several (measured:
 * passages 25 % slower in batches of eight, phrases the same).
 */
export class Embedder implements AsyncDisposable {
  readonly dimensions: number;
  readonly #entry: EmbedderEntry;
  readonly #tokenizer: Tokenizer;
  readonly #model: OnnxModel;

  private constructor({ entry, tokenizer }: EmbedderOptions, model: OnnxModel) {
    this.dimensions = entry.dimensions;
    this.#entry = entry;
    this.#tokenizer = tokenizer;
    this.#model = model;
  }

  /** @throws ModelFileError, NativeRuntimeError */
  static async load(options: EmbedderOptions): Promise<Embedder> {
    const model = await OnnxModel.load(join(options.directory, options.entry.model), options.threads);
    return new Embedder(options, model);
  }

  /**
   * Unit vectors of the texts, row by row, `dimensions` wide. A text longer than the model reads keeps its beginning.
   * @throws the signal's reason, within one text's time of its abort
   */
  async embed(texts: readonly string[], role: EmbedRole, signal: AbortSignal): Promise<Float32Array> {
    signal.throwIfAborted();
    const vectors = new Float32Array(texts.length * this.dimensions);
    const prefix = this.#entry.prefixes[role];
    for (const [row, text] of texts.entries()) {
      await breathe(signal);
      const encoding = this.#tokenizer.encode(prefix + text, { maxLength: this.#entry.maxLength });
      const { last_hidden_state: states } = await this.#model.runBatch(padBatch([encoding]));
      if (states?.dims[2] !== this.dimensions) {
        throw new ModelFileError(
          `The embedder ${this.#entry.name} gives ${states?.dims[2] ?? 'no'} dimensions, the catalog says ${this.dimensions}.`,
        );
      }
      vectors.set(this.#pool(states.data as Float32Array, encoding.ids.length), row * this.dimensions);
    }
    return vectors;
  }

  /** States of one text's pieces -> one unit vector. */
  #pool(states: Float32Array, pieces: number): Float64Array {
    const width = this.dimensions;
    const vector = new Float64Array(width);
    const counted = this.#entry.pooling === 'cls' ? 1 : pieces;
    for (let piece = 0; piece < counted; piece++) {
      for (let at = 0; at < width; at++) vector[at]! += states[piece * width + at]!;
    }
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model[Symbol.asyncDispose]();
  }
}
