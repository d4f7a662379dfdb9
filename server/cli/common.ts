/** What the commands share: help, exit codes, options, the folder's index, progress. */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ModelProcess } from '../../models/client.ts';
import { Engine } from '../engine.ts';
import { type AskOptions, DEFAULT_OPTIONS, PAPER_OPTIONS } from '../sarg/options.ts';
import type { IndexProgress, IndexReport } from '../workspace/indexer.ts';

/** What a run says by its exit code. */
export const EXIT = { answered: 0, fault: 1, usage: 2, notSaid: 3 } as const;

export const HELP = `causeway: asks a folder of documents why, and shows the words that say so.

  causeway ask [QUESTION] [FOLDER]       answers with chains of cause and effect
  causeway explain QUESTION [FOLDER]     the same, and why each chain was found
  causeway index [FOLDER]                reads the folder ahead of any question, and lists what could not be read
  causeway graph [FOLDER]                every link found in the folder, as JSON lines
  causeway models                        the models, their versions and licences
  causeway extract --jsonl               {"id","text"} a line in, the triples of each out; --min-confidence X (0.35)
  causeway direct --jsonl                {"query"} a line in, the direction of each out

Without a question, \`ask\` asks the first question of the example folder.

Options of ask and explain
  --json               the whole answer as JSON
  --questions FILE     asks every question of a JSON Lines file ({"question"} a line), one answer a line
  --direction WAY      forward, backward or bidirectional; otherwise the question decides
  --method NAME        causeway (default), or paper: the plain recipe of the SARG paper
  --beam N             continuations kept while walking (${DEFAULT_OPTIONS.beam})
  --top N              chains shown (${DEFAULT_OPTIONS.top})
  --passages N         passages retrieved first (${DEFAULT_OPTIONS.passages})
  --more N             passages fetched for newly reached concepts (${DEFAULT_OPTIONS.morePassages})
  --threshold X        cosine from which a concept matches a phrase of the question (${DEFAULT_OPTIONS.threshold})
  --hops N             hops of a chain at most (${DEFAULT_OPTIONS.maxHops})
  --no-hedged          leaves out links that the text states only as possible
  --no-joins           goes on only at the very same concept
  --no-resolve         leaves every wording a concept of its own
  --extractor NAME     what reads the links: tagger (the embedded model)
  --force-answer       answers even where the documents seem not to say

Options of ask, explain, index and graph
  --include GLOB       takes only matching files (may be repeated)
  --exclude GLOB       leaves matching files out (may be repeated)
  --index FILE         where the folder's index is kept (":memory:" keeps none)
  --quiet              no progress

Exit codes: 0 answered, 3 the documents do not say, 2 wrong usage, 1 a fault.
`;

/** The command was called wrongly. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** A signal that Ctrl-C and termination raise; a second Ctrl-C ends the process at once. */
export function setUpInterrupt(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.fault);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

export const FOLDER_OPTIONS = {
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  index: { type: 'string' },
  quiet: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

export const ASK_OPTIONS = {
  ...FOLDER_OPTIONS,
  json: { type: 'boolean' },
  questions: { type: 'string' },
  direction: { type: 'string' },
  method: { type: 'string' },
  beam: { type: 'string' },
  top: { type: 'string' },
  passages: { type: 'string' },
  more: { type: 'string' },
  threshold: { type: 'string' },
  hops: { type: 'string' },
  'no-hedged': { type: 'boolean' },
  'no-joins': { type: 'boolean' },
  'no-resolve': { type: 'boolean' },
  extractor: { type: 'string' },
  'force-answer': { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** Options and positionals; whatever is not known is an error that names it. */
export function parse<T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new CliError((error as Error).message);
  }
}

type AskValues = { readonly [Key in keyof typeof ASK_OPTIONS]?: string | boolean | string[] | undefined };

/** The method's numbers as the options set them. */
export function askOptions(values: AskValues): AskOptions {
  const method = choice(values.method, 'method', ['causeway', 'paper'] as const) ?? 'causeway';
  const base = method === 'paper' ? PAPER_OPTIONS : DEFAULT_OPTIONS;
  choice(values.extractor, 'extractor', ['tagger'] as const);
  return {
    ...base,
    direction:
      choice(values.direction, 'direction', ['forward', 'backward', 'bidirectional', 'auto'] as const) ??
      'auto',
    beam: count(values.beam, 'beam', 1, 100) ?? base.beam,
    top: count(values.top, 'top', 1, 100) ?? base.top,
    passages: count(values.passages, 'passages', 1, 1000) ?? base.passages,
    morePassages: count(values.more, 'more', 0, 1000) ?? base.morePassages,
    maxHops: count(values.hops, 'hops', 1, 20) ?? base.maxHops,
    threshold: fraction(values.threshold, 'threshold') ?? base.threshold,
    hedged: !values['no-hedged'],
    joins: base.joins && !values['no-joins'],
    resolve: !values['no-resolve'],
    answerAbove: values['force-answer'] ? 0 : base.answerAbove,
  };
}

function choice<const T extends readonly string[]>(
  value: unknown,
  name: string,
  allowed: T,
): T[number] | undefined {
  if (value === undefined) return undefined;
  if (allowed.includes(value as string)) return value as T[number];
  throw new CliError(`--${name} takes ${allowed.join(', ')}; not "${value}".`);
}

function count(value: unknown, name: string, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(String(value)) && number >= least && number <= most) return number;
  throw new CliError(`--${name} takes a whole number from ${least} to ${most}; not "${value}".`);
}

/** A number from -1 to 1, undefined where the option is not given. */
export function fraction(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (String(value).trim() !== '' && number >= -1 && number <= 1) return number;
  throw new CliError(`--${name} takes a number from -1 to 1; not "${value}".`);
}

/** The example folder that comes with Causeway. */
export const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'harbour');

/**
 * The folder's absolute path.
 * @throws CliError if it does not exist or is no folder
 */
export function folderOf(name: string): string {
  const root = path.resolve(name);
  if (!existsSync(root)) throw new CliError(`There is no folder ${root}.`);
  if (!statSync(root).isDirectory()) throw new CliError(`${root} is a file; name the folder that holds it.`);
  return root;
}

/** Where a folder's index is kept unless told: in the person's cache, so that the documents' folder stays as it is. */
function defaultIndexPath(root: string): string {
  const base =
    process.env['CAUSEWAY_CACHE'] ||
    path.join(
      process.env['XDG_CACHE_HOME'] || (homedir() ? path.join(homedir(), '.cache') : path.resolve('.cache')),
      'causeway',
    );
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return path.join(base, `${path.basename(root).replace(/[^\w.-]+/g, '_')}-${key}.sqlite`);
}

interface FolderValues {
  readonly include?: string[] | undefined;
  readonly exclude?: string[] | undefined;
  readonly index?: string | undefined;
  readonly quiet?: boolean | undefined;
}

/** A folder opened for one command: its engine, the model process, and progress on standard error. */
export interface Session extends AsyncDisposable {
  readonly engine: Engine;
  readonly progress: ProgressLine;
}

/** Opens the folder; nothing is read yet. */
export async function openFolder(root: string, values: FolderValues, signal: AbortSignal): Promise<Session> {
  const progress = new ProgressLine(values.quiet ?? false);
  const models = new ModelProcess();
  try {
    const engine = await Engine.open(
      {
        root,
        indexPath: values.index ?? defaultIndexPath(root),
        models,
        include: values.include ?? [],
        exclude: values.exclude ?? [],
        onNotice: (notice) => progress.note(notice),
      },
      signal,
    );
    return {
      engine,
      progress,
      async [Symbol.asyncDispose]() {
        progress.clear();
        await engine[Symbol.asyncDispose]();
        await models[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await models[Symbol.asyncDispose]();
    throw error;
  }
}

/** Brings the index in step, with progress, and tells what could not be read. */
export async function update(
  session: Session,
  signal: AbortSignal,
  extractAll: boolean,
): Promise<IndexReport> {
  const report = await session.engine.update({
    signal,
    extractAll,
    onProgress: (progress) => session.progress.show(describe(progress)),
  });
  session.progress.clear();
  for (const { file, reason } of report.failed) session.progress.note(`not read: ${file}: ${reason}`);
  for (const problem of report.problems) session.progress.note(problem);
  return report;
}

function describe({ phase, done, total, file }: IndexProgress): string {
  const what = { files: 'reading', embed: 'embedding passages', extract: 'looking for causes' }[phase];
  return `${what} ${done}/${total}${file ? ` ${file}` : ''}`;
}

/** One line on standard error that is written over while work goes on; on a pipe, nothing but notes. */
export class ProgressLine {
  readonly #quiet: boolean;
  readonly #live: boolean;
  #shown = false;
  #last = 0;

  constructor(quiet: boolean) {
    this.#quiet = quiet;
    this.#live = !quiet && process.stderr.isTTY === true;
  }

  show(text: string): void {
    const now = performance.now();
    if (!this.#live || now - this.#last < 50) return;
    this.#last = now;
    this.#shown = true;
    const width = Math.max(20, (process.stderr.columns ?? 80) - 1);
    process.stderr.write(`\r\x1b[2K${safe(text).slice(0, width)}`);
  }

  clear(): void {
    if (this.#shown) process.stderr.write('\r\x1b[2K');
    this.#shown = false;
  }

  /** A line that stays. */
  note(text: string): void {
    this.clear();
    if (!this.#quiet) process.stderr.write(`${safe(text)}\n`);
  }
}

/** A text in one line without control and formatting characters: those of a document or a file's name must not reach a terminal. */
export function safe(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '');
}

/** "1 file", "3 files". */
export function number(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** JSON in one line, with escapes for what a terminal would act on; parsers read the same from it. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (own) => `\\u${own.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** No positional arguments beyond what a command takes. */
export function atMost(positionals: readonly string[], count: number, command: string): void {
  const extra = positionals[count];
  if (extra !== undefined) throw new CliError(`${command} has no use for "${extra}". Try: causeway --help`);
}

/** Styles for a terminal; plain where the output is none, or NO_COLOR is set. */
export function styles(stream: {
  readonly isTTY?: boolean;
}): (style: 'bold' | 'dim' | 'cause' | 'effect' | 'accent', text: string) => string {
  const on = stream.isTTY === true && !process.env['NO_COLOR'];
  const codes = { bold: '1', dim: '2', cause: '33', effect: '36', accent: '35' };
  return (style, text) => (on ? `\x1b[${codes[style]}m${text}\x1b[0m` : text);
}

/** Writes a line and waits where the reader is slow; a reader that went away (`| head`) ends the command quietly. */
export async function writeLine(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`))
    await new Promise<void>((resolve) => process.stdout.once('drain', () => resolve()));
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.answered);
  throw error;
});
