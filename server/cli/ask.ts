/** `causeway ask` and `causeway explain`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnswerView } from '../protocol.ts';
import type { AskOptions } from '../sarg/options.ts';
import {
  ASK_OPTIONS,
  askOptions,
  CliError,
  EXAMPLE,
  EXIT,
  folderOf,
  jsonLine,
  openFolder,
  parse,
  type Session,
  update,
  writeLine,
} from './common.ts';
import { explainAnswer, printAnswer } from './print.ts';

/** Asks one question, or every question of a file; gives the exit code. */
export async function askCommand(
  args: string[],
  signal: AbortSignal,
  mode: 'ask' | 'explain',
): Promise<number> {
  const { values, positionals } = parse(args, ASK_OPTIONS);
  const options = askOptions(values);
  const { questions, folder } = whatAndWhere(values.questions, positionals);
  const root = folderOf(folder);
  await using session = await openFolder(root, values, signal);
  const report = await update(session, signal, false);
  if (report.passages === 0) {
    session.progress.note(
      `No readable text in ${root}. Causeway reads .md, .txt, .html, .csv, .tex and .ipynb.`,
    );
  }
  let last: AnswerView | null = null;
  for (const question of questions) {
    last = await askOne(session, question, options, signal);
    if (values.json || values.questions !== undefined) await writeLine(jsonLine(last));
    else await writeLine(mode === 'explain' ? explainAnswer(last) : printAnswer(last, root));
  }
  return values.questions === undefined && last?.answer.kind === 'none' ? EXIT.notSaid : EXIT.answered;
}

async function askOne(
  session: Session,
  question: string,
  options: AskOptions,
  signal: AbortSignal,
): Promise<AnswerView> {
  const answered = await session.engine.ask(question, options, signal, (progress) => {
    if (progress.kind === 'passages') session.progress.show(`reading ${progress.retrieved.length} passages`);
    else if (progress.kind === 'triples')
      session.progress.show(`${progress.triples} links in ${progress.passages} passages`);
    else if (progress.kind === 'chains') session.progress.show(`${progress.chains.length} chains`);
  });
  session.progress.clear();
  return session.engine.view(answered);
}

function whatAndWhere(
  file: string | undefined,
  positionals: readonly string[],
): { questions: string[]; folder: string } {
  if (file !== undefined) {
    if (positionals.length > 1) throw new CliError('With --questions, name only the folder.');
    return { questions: questionsOf(file), folder: positionals[0] ?? '.' };
  }
  if (positionals.length > 2) throw new CliError('Put the question in quotes: causeway ask "Why …?" FOLDER');
  const [question, folder] = positionals;
  if (question === undefined) {
    const [first] = questionsOf(path.join(EXAMPLE, 'questions.jsonl'));
    return { questions: [first!], folder: EXAMPLE };
  }
  if (question.trim() === '') throw new CliError('The question is empty.');
  return { questions: [question], folder: folder ?? '.' };
}

function questionsOf(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const questions: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    let question: unknown;
    try {
      question = (JSON.parse(line) as { question?: unknown } | null)?.question;
    } catch {
      throw new CliError(`${file}, line ${index + 1}: not JSON.`);
    }
    if (typeof question !== 'string' || question.trim() === '')
      throw new CliError(`${file}, line ${index + 1}: no "question".`);
    questions.push(question);
  }
  if (questions.length === 0) throw new CliError(`${file} holds no question.`);
  return questions;
}
