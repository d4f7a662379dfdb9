/** Errors of this room. They keep their class and message over the border between the processes. */

/** The native runtime cannot be loaded on this machine: no model can run. */
export class NativeRuntimeError extends Error {
  override readonly name = 'NativeRuntimeError';
}

/** A model's file is missing or cannot be read as a model. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
}

/** A tokenizer.json is missing, damaged, or of a kind that this tokenizer does not know. */
export class TokenizerFileError extends Error {
  override readonly name = 'TokenizerFileError';
}

/** The catalog of models is missing, damaged, or lacks a role. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
}

/** The model process ended in the middle of a call; it is started again. */
export class ModelProcessDied extends Error {
  override readonly name = 'ModelProcessDied';
}

/** The model process died too often, or cannot start at all; it stays down until restarted by hand. */
export class ModelProcessFailed extends Error {
  override readonly name = 'ModelProcessFailed';
}

/** The call was open, or made, when the model process was shut down on purpose. */
export class ModelProcessStopped extends Error {
  override readonly name = 'ModelProcessStopped';
}

/** A call failed inside the model process, for a reason without a class of its own. */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError';
}

/** What an error becomes on the wire. */
export interface ErrorData {
  readonly name: string;
}

const CARRIED = { NativeRuntimeError, ModelFileError, TokenizerFileError, CatalogError } as const;

/** The error of the model process, in its own class where it has one. */
export function reviveError(message: string, data: unknown): Error {
  const name = (data as ErrorData | undefined)?.name ?? '';
  const Class = Object.hasOwn(CARRIED, name) ? CARRIED[name as keyof typeof CARRIED] : ModelCallError;
  return new Class(message);
}
