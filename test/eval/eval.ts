/**
 * `npm run eval`: measures answers. Commands:
 *
 *   npm run eval                 every workspace, default and paper's method: the figures of score.py
 *   npm run eval -- chains       for each gold edge the step at which it was lost
 *   npm run eval -- fit          fits server/sarg/weights.ts over all workspaces, with leave-one-folder-out figures
 *
 * `--workspace FOLDER` (may be repeated) takes other folders; `--dry` prints and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ModelProcess } from '../../models/client.ts';
import { FINDER_TUNING, type FinderTuning, type Found } from '../../server/sarg/finder.ts';
import { JOIN_FEATURES } from '../../server/sarg/joins.ts';
import { type AskOptions, DEFAULT_OPTIONS, PAPER_OPTIONS } from '../../server/sarg/options.ts';
import { LINK_FEATURES } from '../../server/sarg/relevance.ts';
import { VERDICT_FEATURES, verdictFeatures } from '../../server/sarg/verdict.ts';
import { chainViews } from '../../server/view.ts';
import { fitLogistic } from './fit.ts';
import { askAll, type Case, findAgain, joinRows, type Loss, linkRows, lossOf } from './laboratory.ts';
import { publish, table } from './report.ts';
import { edgesOf, FIGURES, meanScores, scoreAnswer } from './scoring.ts';
import { allWorkspaces, loadWorkspace, type Workspace } from './workspaces.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workspace: { type: 'string', multiple: true },
    dry: { type: 'boolean' },
    penalty: { type: 'string' },
  },
});
const workspaces = values.workspace?.map((root) => loadWorkspace(path.resolve(root))) ?? allWorkspaces();

/** Questions of another folder that are asked of each: nothing in it answers them. */
const FOREIGN = 12;

switch (positionals[0] ?? 'answers') {
  case 'answers':
    await answers();
    break;
  case 'chains':
    await losses();
    break;
  case 'fit':
    await fit();
    break;
  default:
    console.error(`There is no evaluation "${positionals[0]}": answers, chains, fit.`);
    process.exitCode = 2;
}

async function casesOf(list: readonly Workspace[], options: AskOptions): Promise<Case[][]> {
  await using models = new ModelProcess();
  const out: Case[][] = [];
  for (const workspace of list) {
    console.error(`asking ${workspace.name} (${workspace.questions.length} questions) …`);
    out.push(await askAll(workspace, models, options));
  }
  return out;
}

async function answers(): Promise<void> {
  const methods = [
    ['causeway', DEFAULT_OPTIONS],
    ['paper', PAPER_OPTIONS],
  ] as const;
  const rows: (string | number | undefined)[][] = [];
  const data: Record<string, unknown>[] = [];
  for (const [method, options] of methods) {
    const scores: Record<string, number>[] = [];
    for (const [at, cases] of (await casesOf(workspaces, options)).entries()) {
      const score = meanScores(cases.map((entry) => scoreAnswer(entry.question, entry.view)));
      scores.push(score);
      rows.push([workspaces[at]!.name, method, ...FIGURES.map((figure) => score[figure])]);
      data.push({ workspace: workspaces[at]!.name, method, ...score });
    }
    const mean = meanScores(scores);
    rows.push(['mean', method, ...FIGURES.map((figure) => mean[figure])]);
  }
  const body = table(['workspace', 'method', ...FIGURES], rows);
  console.log(body);
  if (!values.dry) publish('answers', 'npm run eval', body, data);
}

async function losses(): Promise<void> {
  const kinds: Loss[] = [
    'found',
    'not retrieved',
    'not extracted',
    'other ends',
    'denied or reversed',
    'not in a chain',
  ];
  const all = await casesOf(workspaces, DEFAULT_OPTIONS);
  const detail: Record<string, unknown>[] = [];
  const rows = all.map((cases, at) => {
    const counts = new Map<Loss, number>();
    for (const entry of cases) {
      for (const edge of edgesOf(entry.question)) {
        const loss = lossOf(entry, edge);
        counts.set(loss, (counts.get(loss) ?? 0) + 1);
        detail.push({
          workspace: entry.workspace,
          question: entry.question.id,
          cause: edge.cause,
          effect: edge.effect,
          doc: edge.doc,
          loss,
        });
      }
    }
    return [workspaces[at]!.name, ...kinds.map((kind) => String(counts.get(kind) ?? 0))];
  });
  const body = table(['workspace', ...kinds], rows);
  console.log(body);
  if (!values.dry) publish('losses', 'npm run eval -- chains', body, detail);
}

/** Rows of many cases put together. */
function gather(cases: readonly Case[], rowsOf: (entry: Case) => { rows: number[][]; labels: number[] }) {
  const parts = cases.map(rowsOf);
  return { rows: parts.flatMap((part) => part.rows), labels: parts.flatMap((part) => part.labels) };
}

function fitTuning(cases: readonly Case[], penalty: number): FinderTuning {
  const link = gather(cases, linkRows);
  const join = gather(cases, joinRows);
  return {
    ...FINDER_TUNING,
    link: fitLogistic(link.rows, link.labels, penalty),
    join: fitLogistic(join.rows, join.labels, penalty),
  };
}

/** The verdict's row of a case: whether the question can be answered from the folder at all. */
function verdictRow({ answered, question }: Case, found: Found): { row: number[]; label: number } {
  const logOdds = (hop: Found['chains'][number]['hops'][number]): number =>
    found.judged.get(hop.link)?.logOdds ?? 0;
  const row = verdictFeatures(question.question, found.chains, answered.graph, answered.retrieved, logOdds);
  return { row, label: Number(question.kind !== 'unanswerable') };
}

/** Each folder with the first questions of the next one, as unanswerable ones. */
function foreign(list: readonly Workspace[]): Workspace[] {
  return list.map((workspace, at) => ({
    ...workspace,
    questions: list[(at + 1) % list.length]!.questions.filter((question) => question.kind !== 'unanswerable')
      .slice(0, FOREIGN)
      .map((question) => ({ ...question, kind: 'unanswerable' })),
  }));
}

function fitVerdict(rows: readonly { row: number[]; label: number }[]): number[] {
  return fitLogistic(
    rows.map(({ row }) => row),
    rows.map(({ label }) => label),
    1,
  );
}

async function fit(): Promise<void> {
  const penalty = Number(values.penalty ?? 5);
  const all = await casesOf(workspaces, DEFAULT_OPTIONS);
  const strange = workspaces.length > 1 ? await casesOf(foreign(workspaces), DEFAULT_OPTIONS) : [];
  const held: Record<string, number>[] = [];
  const rows: (string | number | undefined)[][] = [];
  const figures = ['links', 'chains@3', 'path@3', 'facts@3', 'facts.flat'] as const;
  const verdictRows: { row: number[]; label: number; foreign: boolean }[][] = [];
  for (const [at, cases] of all.entries()) {
    const tuning = fitTuning(all.filter((_, other) => other !== at).flat(), penalty);
    const found = cases.map((entry) => findAgain(entry, DEFAULT_OPTIONS, tuning));
    const score = meanScores(cases.map((entry, index) => scoreAgain(entry, found[index]!)));
    held.push(score);
    rows.push([workspaces[at]!.name, ...figures.map((figure) => score[figure])]);
    console.error(
      `${workspaces[at]!.name}: ${figures.map((figure) => `${figure} ${score[figure]?.toFixed(3)}`).join(', ')}`,
    );
    verdictRows.push([
      ...cases.map((entry, index) => ({ ...verdictRow(entry, found[index]!), foreign: false })),
      ...(strange[at] ?? []).map((entry) => ({
        ...verdictRow(entry, findAgain(entry, DEFAULT_OPTIONS, tuning)),
        foreign: true,
      })),
    ]);
  }
  // The verdict is judged on rows from numbers fitted without their folder, each by a verdict fitted without it too.
  const verdicts = verdictRows.flatMap((own, at) => {
    const weights = fitVerdict(verdictRows.filter((_, other) => other !== at).flat());
    return own.map(({ row, label, foreign }) => ({
      foreign,
      probability: 1 / (1 + Math.exp(-row.reduce((sum, value, column) => sum + value * weights[column]!, 0))),
      label,
    }));
  });
  const mean = meanScores(held);
  rows.push(['mean', ...figures.map((figure) => mean[figure])]);
  const body = table(['workspace held out', ...figures], rows);
  console.log(body);
  const best = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8].map((threshold) => {
    const no = verdicts.filter((verdict) => verdict.label === 0 && !verdict.foreign);
    const other = verdicts.filter((verdict) => verdict.foreign);
    const yes = verdicts.filter((verdict) => verdict.label === 1);
    const share = (list: typeof verdicts) =>
      list.filter((verdict) => verdict.probability < threshold).length / Math.max(list.length, 1);
    return [threshold.toFixed(2), share(no), share(other), share(yes)];
  });
  const verdictTable = table(['answer above', 'unanswerable', 'of another folder', 'false.none'], best);
  console.log(verdictTable);
  const tuning = fitTuning(all.flat(), penalty);
  const verdict = fitVerdict(verdictRows.flat());
  const source = weightsSource(tuning, verdict);
  if (values.dry) console.log(source);
  else {
    publish('fit', 'npm run eval -- fit', `${body}\n\n${verdictTable}`, { held, verdicts });
    writeFileSync(path.join(import.meta.dirname, '..', '..', 'server', 'sarg', 'weights.ts'), source);
  }
}

function scoreAgain(entry: Case, found: Found): Record<string, number> {
  return scoreAnswer(entry.question, {
    ...entry.view,
    chains: chainViews(found.chains, entry.answered.graph),
  });
}

function weightsSource(tuning: FinderTuning, verdict: readonly number[]): string {
  const record = (names: readonly string[], weights: readonly number[]): string =>
    names.map((name, at) => `  ${name}: ${Number(weights[at]!.toFixed(4))},`).join('\n');
  return `/**
 * The fitted numbers of the default method: logistic regressions, made by \`npm run eval -- fit\` over the evaluation
 * workspaces of this repository; docs/EVALUATION.md tells what leave-one-folder-out gives. The sums are log-odds.
 */
import type { JOIN_FEATURES } from './joins.ts';
import type { LINK_FEATURES } from './relevance.ts';
import type { VERDICT_FEATURES } from './verdict.ts';

type Weights<Names extends readonly string[]> = Readonly<Record<Names[number], number>>;

export const LINK_WEIGHTS: Weights<typeof LINK_FEATURES> = {
${record(LINK_FEATURES, tuning.link)}
};

export const JOIN_WEIGHTS: Weights<typeof JOIN_FEATURES> = {
${record(JOIN_FEATURES, tuning.join)}
};

export const VERDICT_WEIGHTS: Weights<typeof VERDICT_FEATURES> = {
${record(VERDICT_FEATURES, verdict)}
};
`;
}
