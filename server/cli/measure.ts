/** `causeway extract --jsonl` and `causeway direct --jsonl`: the embedded models alone, for measuring. */
import { createInterface } from 'node:readline';
import { ModelProcess } from '../../models/client.ts';
import { atMost, CliError, EXIT, fraction, jsonLine, parse, writeLine } from './common.ts';

/** Lines handled together: enough for good batches, few enough to stream. */
const GROUP = 64;

/**
 * Links below this are left out unless asked for: at this confidence precision and recall balance best on development
 * passages. The chains are searched among less sure ones too, since there many signs decide together.
 */
const LEAST_CONFIDENCE = 0.35;

export async function extractCommand(args: string[], signal: AbortSignal): Promise<number> {
  const values = needJsonl(args, 'extract', { 'min-confidence': { type: 'string' } });
  const least = fraction(values['min-confidence'], 'min-confidence') ?? LEAST_CONFIDENCE;
  await using models = new ModelProcess();
  await eachGroup(['id', 'text'], signal, async (group) => {
    const found = await models.tag(
      group.map((record) => record['text'] as string),
      signal,
    );
    for (const [at, record] of group.entries()) {
      const triples = found[at]!.filter((triple) => triple.confidence >= least);
      await writeLine(jsonLine({ id: record['id'], triples }));
    }
  });
  return EXIT.answered;
}

export async function directCommand(args: string[], signal: AbortSignal): Promise<number> {
  needJsonl(args, 'direct');
  await using models = new ModelProcess();
  await eachGroup(['query'], signal, async (group) => {
    const found = await models.direct(
      group.map((record) => record['query'] as string),
      signal,
    );
    for (const [at, record] of group.entries())
      await writeLine(jsonLine({ query: record['query'], ...found[at] }));
  });
  return EXIT.answered;
}

function needJsonl(
  args: string[],
  command: string,
  more: Readonly<Record<string, { type: 'string' }>> = {},
): Readonly<Record<string, unknown>> {
  const { values, positionals } = parse(args, { jsonl: { type: 'boolean' }, ...more });
  atMost(positionals, 0, command);
  if (!values.jsonl)
    throw new CliError(`${command} reads JSON Lines on standard input; call it with --jsonl.`);
  return values;
}

/** Reads JSON Lines from standard input; every record must have the keys as strings. */
async function eachGroup(
  keys: readonly string[],
  signal: AbortSignal,
  handle: (group: Record<string, unknown>[]) => Promise<void>,
): Promise<void> {
  let group: Record<string, unknown>[] = [];
  let number = 0;
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal });
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      number++;
      if (line.trim() === '') continue;
      group.push(recordOf(line, keys, number));
      if (group.length >= GROUP) {
        await handle(group);
        group = [];
      }
    }
    // Interrupted, the lines end as if there were no more.
    signal.throwIfAborted();
    if (group.length > 0) await handle(group);
  } finally {
    // An input that nobody closes would keep the process.
    process.stdin.destroy();
  }
}

function recordOf(line: string, keys: readonly string[], number: number): Record<string, unknown> {
  let record: Record<string, unknown> | null;
  try {
    record = JSON.parse(line) as Record<string, unknown> | null;
  } catch {
    throw new CliError(`Standard input, line ${number}: not JSON.`);
  }
  for (const key of keys) {
    if (typeof record?.[key] !== 'string') throw new CliError(`Standard input, line ${number}: no "${key}".`);
  }
  return record!;
}
