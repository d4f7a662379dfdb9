/** Writes measured tables into docs/EVALUATION.md between markers, with date, machine and commit, and the same as JSON. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const DOCS = path.join(import.meta.dirname, '..', '..', 'docs');

export interface Circumstances {
  readonly date: string;
  readonly machine: string;
  readonly commit: string;
  readonly node: string;
}

/** When, where and on what a figure was measured. */
export function circumstances(): Circumstances {
  const git = (...args: string[]): string => {
    try {
      return execFileSync('git', args, {
        cwd: DOCS,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return 'unknown';
    }
  };
  const changed = git('status', '--porcelain', '--', '../server', '../models') === '' ? '' : ' with changes';
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${os.availableParallelism()} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.cpus()[0]?.model.trim() ?? 'unknown'}`,
    commit: git('rev-parse', '--short', 'HEAD') + changed,
    node: process.version,
  };
}

/** A Markdown table; numbers with three digits. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  const cell = (value: string | number | undefined): string =>
    value === undefined ? '' : typeof value === 'number' ? value.toFixed(3).replace(/^0\.000$/, '0') : value;
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/**
 * Replaces what stands between `<!-- NAME -->` and `<!-- /NAME -->` in docs/EVALUATION.md, and writes docs/NAME.json.
 * @throws Error if the markers are missing
 */
export function publish(name: string, command: string, body: string, data: unknown): void {
  const file = path.join(DOCS, 'EVALUATION.md');
  const text = readFileSync(file, 'utf8');
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = text.indexOf(open);
  const to = text.indexOf(close);
  if (from < 0 || to < from)
    throw new Error(`docs/EVALUATION.md has no place for ${name}: ${open} … ${close}`);
  const where = circumstances();
  const note = `\`${command}\`, ${where.date}, commit ${where.commit}; ${where.machine}; Node ${where.node}.`;
  writeFileSync(file, `${text.slice(0, from + open.length)}\n${note}\n\n${body}\n${text.slice(to)}`);
  writeFileSync(path.join(DOCS, `${name}.json`), `${JSON.stringify({ command, ...where, data }, null, 1)}\n`);
}
