import { existsSync } from 'node:fs';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelFileError, NativeRuntimeError } from './errors.ts';
import type { Encoding } from './tokenizer.ts';

/** Most texts in one run, and between two looks at the signal: more are no faster on a processor and take more memory. */
export const MAX_BATCH = 8;

export { ModelFileError, NativeRuntimeError };

type Runtime = typeof import('onnxruntime-node');

/**
 * The native runtime, loaded at first use so that a process without it can still say why.
 * @throws NativeRuntimeError with the loader's reason
 */
export async function loadRuntime(): Promise<Runtime> {
  try {
    const loaded = (await import('onnxruntime-node')) as Runtime & { default?: Runtime };
    return loaded.default ?? loaded;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NativeRuntimeError(
      `The native module onnxruntime-node does not load under Node ${process.versions.node} on ` +
        `${process.platform}-${process.arch}: ${reason}. Reinstall the dependencies for this platform, ` +
        'or choose another Node binary for the model process.',
      { cause: error },
    );
  }
}

/** Texts as one block of ids, shorter ones padded with 0 and masked out. */
export interface PaddedBatch {
  readonly rows: number;
  readonly columns: number;
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
}

export function padBatch(encodings: readonly Encoding[]): PaddedBatch {
  const rows = encodings.length;
  const columns = Math.max(0, ...encodings.map(({ ids }) => ids.length));
  const ids = new BigInt64Array(rows * columns);
  const mask = new BigInt64Array(rows * columns);
  encodings.forEach((encoding, row) => {
    encoding.ids.forEach((id, column) => {
      ids[row * columns + column] = BigInt(id);
      mask[row * columns + column] = 1n;
    });
  });
  return { rows, columns, ids, mask };
}

/** Lets waiting messages in, so that a cancellation is seen between two runs of the native code. */
export async function breathe(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/** One loaded network. */
export class OnnxModel implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;

  private constructor(runtime: Runtime, session: InferenceSession) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /**
   * @param file path of an .onnx file
   * @param threads threads within one operation (see threads.ts)
   * @throws ModelFileError, NativeRuntimeError
   */
  static async load(file: string, threads: number): Promise<OnnxModel> {
    if (!existsSync(file)) throw new ModelFileError(`The model file ${file} is missing.`);
    const runtime = await loadRuntime();
    try {
      const session = await runtime.InferenceSession.create(file, {
        executionProviders: ['cpu'],
        executionMode: 'sequential',
        graphOptimizationLevel: 'all',
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        logSeverityLevel: 3,
        // Waiting threads would burn the cores that the editor needs.
        extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
      });
      return new OnnxModel(runtime, session);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ModelFileError(`The model file ${file} cannot be loaded: ${reason}`, { cause: error });
    }
  }

  get inputs(): readonly string[] {
    return this.#session.inputNames;
  }

  /** A tensor of 64-bit integers. */
  integers(data: BigInt64Array, shape: readonly number[]): Tensor {
    return new this.#runtime.Tensor('int64', data, shape);
  }

  /** Runs the network once; blocks the process's thread until done. */
  async run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>> {
    return (await this.#session.run(feeds)) as Record<string, Tensor>;
  }

  /** Runs a BERT-like encoder over a batch, giving only those inputs that the network has. */
  async runBatch(batch: PaddedBatch): Promise<Readonly<Record<string, Tensor>>> {
    const shape = [batch.rows, batch.columns];
    const feeds: Record<string, Tensor> = {};
    for (const name of this.inputs) {
      if (name === 'input_ids') feeds[name] = this.integers(batch.ids, shape);
      else if (name === 'attention_mask') feeds[name] = this.integers(batch.mask, shape);
      else if (name === 'token_type_ids') {
        feeds[name] = this.integers(new BigInt64Array(batch.rows * batch.columns), shape);
      }
    }
    return await this.run(feeds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.release();
  }
}
