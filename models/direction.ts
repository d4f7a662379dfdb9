import { join } from 'node:path';
import { type ModelOptions, readConfig } from './config.ts';
import { breathe, OnnxModel, padBatch } from './onnx.ts';
import { DIRECTIONS, type Direction, type DirectionLabel } from './protocol.ts';
import type { Tokenizer } from './tokenizer.ts';

interface DirectionConfig {
  readonly version: string;
  readonly labels: readonly string[];
  readonly file: string;
  /** Most pieces that are read; what is longer keeps its beginning. */
  readonly maxPieces: number;
  /** Calibration: probabilities = softmax(logits / temperature). */
  readonly temperature: number;
}

/**
 * Tells which way a question asks to walk the graph: from causes on, from effects back, or both (paper, section 3.4,
 * equation 4). How it was made: training/README.md. Questions run one by one: padding would cost.
 */
export class DirectionClassifier implements AsyncDisposable {
  readonly version: string;
  readonly #config: DirectionConfig;
  readonly #tokenizer: Tokenizer;
  readonly #model: OnnxModel;

  private constructor(config: DirectionConfig, tokenizer: Tokenizer, model: OnnxModel) {
    this.version = config.version;
    this.#config = config;
    this.#tokenizer = tokenizer;
    this.#model = model;
  }

  /** @throws ModelFileError, NativeRuntimeError */
  static async load({ directory, tokenizer, threads }: ModelOptions): Promise<DirectionClassifier> {
    const config = readConfig<DirectionConfig>(directory, DIRECTIONS, 'directions');
    return new DirectionClassifier(
      config,
      tokenizer,
      await OnnxModel.load(join(directory, config.file), threads),
    );
  }

  /**
   * Direction of each question, in the order given.
   * @throws the signal's reason, within one question's time of its abort
   */
  async classify(
    queries: readonly string[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Direction[]> {
    signal.throwIfAborted();
    const directions: Direction[] = [];
    for (const query of queries) {
      await breathe(signal);
      const encoding = this.#tokenizer.encode(query, { maxLength: this.#config.maxPieces });
      const { logits } = await this.#model.runBatch(padBatch([encoding]));
      directions.push(this.#read(logits!.data as Float32Array));
    }
    return directions;
  }

  async dispose(): Promise<void> {
    await this.#model[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  #read(logits: Float32Array): Direction {
    const top = Math.max(...logits);
    const weights = Array.from(logits, (value) => Math.exp((value - top) / this.#config.temperature));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const scores = Object.fromEntries(
      DIRECTIONS.map((label, index) => [label, weights[index]! / sum]),
    ) as Record<DirectionLabel, number>;
    const label = DIRECTIONS.reduce((best, other) => (scores[other] > scores[best] ? other : best));
    return { label, scores };
  }
}
