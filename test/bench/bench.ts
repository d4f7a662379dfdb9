/**
 * `npm run bench`: measures cost and writes it into docs/EVALUATION.md.
 *
 * The gaucher folder (24 documents) from nothing to the first answer, with everything extracted; the same question
 * again; a question after one file was edited; the beam search on a synthetic graph; memory of both processes.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ModelProcess } from '../../models/client.ts';
import { Engine } from '../../server/engine.ts';
import { DEFAULT_OPTIONS } from '../../server/sarg/options.ts';
import { traverse } from '../../server/sarg/traverse.ts';
import type { ConceptId } from '../../server/sarg/types.ts';
import { publish } from '../eval/report.ts';
import { loadWorkspace } from '../eval/workspaces.ts';
import { syntheticGraph, unitVector } from './synthetic.ts';

const RUNS = 5;
const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
const ms = (value: number): string =>
  value < 10
    ? `${value.toFixed(1)} ms`
    : value < 2000
      ? `${value.toFixed(0)} ms`
      : `${(value / 1000).toFixed(1)} s`;

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const from = performance.now();
  const result = await work();
  return [performance.now() - from, result];
}

/** Resident memory of a process in MB; not known outside Linux. */
function residentMb(pid: number): number {
  try {
    return (
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024
    );
  } catch {
    return Number.NaN;
  }
}

const workspace = loadWorkspace(path.join(import.meta.dirname, '..', 'eval', 'workspaces', 'gaucher'));
const questions = workspace.questions.map((entry) => entry.question);
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-bench-'));
const rows: [string, string, string][] = [];
const data: Record<string, unknown> = {};
const row = (what: string, figure: string, detail = ''): void => {
  rows.push([what, figure, detail]);
  console.error(`${what}: ${figure} ${detail}`);
};

try {
  const root = path.join(folder, 'docs');
  cpSync(path.join(workspace.root, 'docs'), root, { recursive: true });
  await using models = new ModelProcess();
  const [load] = await timed(async () => {
    await models.embed(['warm'], 'passage');
    await models.tag(['The pump failed because the seal leaked.']);
    await models.direct(['Why did it fail?']);
  });
  row('starting the model process and loading all models', ms(load));

  const colds: number[] = [];
  const firsts: number[] = [];
  const alls: number[] = [];
  for (let run = 0; run < 3; run++) {
    const index = path.join(folder, `cold-${run}.sqlite`);
    const [cold] = await timed(async () => {
      await using engine = await Engine.open({ root, indexPath: index, models });
      const [first] = await timed(async () => {
        await engine.update();
        await engine.ask(questions[0]!, DEFAULT_OPTIONS);
      });
      firsts.push(first);
    });
    colds.push(cold);
    const full = path.join(folder, `full-${run}.sqlite`);
    const [all, report] = await timed(async () => {
      await using engine = await Engine.open({ root, indexPath: full, models });
      return await engine.update({ extractAll: true });
    });
    alls.push(all);
    data['passages'] = report.passages;
  }
  row(
    '24 documents, from nothing to the first answer',
    ms(median(firsts)),
    'read, embedded, links of the passages retrieved',
  );
  row(
    '24 documents read, embedded and all their triples extracted',
    ms(median(alls)),
    `${data['passages']} passages`,
  );
  Object.assign(data, { first: firsts, all: alls });

  const index = path.join(folder, 'full-0.sqlite');
  await using engine = await Engine.open({ root, indexPath: index, models });
  await engine.update({ extractAll: true });
  for (const question of questions) await engine.ask(question, DEFAULT_OPTIONS);
  const warm: number[] = [];
  const steps = new Map<string, number[]>();
  for (let run = 0; run < RUNS; run++) {
    for (const question of questions) {
      const [time, answered] = await timed(() => engine.ask(question, DEFAULT_OPTIONS));
      warm.push(time);
      for (const [step, value] of Object.entries(answered.timings))
        steps.set(step, [...(steps.get(step) ?? []), value]);
    }
  }
  row(
    'a question asked again (warm), median',
    ms(median(warm)),
    [...steps].map(([step, list]) => `${step} ${ms(median(list))}`).join(', '),
  );
  row('a question asked again (warm), slowest', ms(Math.max(...warm)), `${warm.length} asked`);
  data['warm'] = { median: median(warm), slowest: Math.max(...warm) };

  const edited = path.join(root, 'splenectomy_audit.md');
  writeFileSync(
    edited,
    `${readFileSync(edited, 'utf8')}\nThe audit was repeated because the first list was incomplete.\n`,
  );
  const [after, counts] = await timed(async () => {
    const report = await engine.update();
    const answered = await engine.ask(questions[0]!, DEFAULT_OPTIONS);
    return {
      changed: report.changed,
      embedded: report.embedded,
      extracted: answered.counts.passagesExtracted,
    };
  });
  row(
    'a question after one edited file',
    ms(after),
    `${counts.changed} file read, ${counts.embedded} passages embedded, ${counts.extracted} read for links`,
  );
  data['edited'] = { ms: after, ...counts };

  const graph = syntheticGraph(10_000, 3, 384);
  const starts = Array.from({ length: 12 }, (_, at) => ({
    concept: (at * 701) as ConceptId,
    phrase: '',
    similarity: 1,
  }));
  const query = unitVector(384, 99);
  const beams: number[] = [];
  let expansions = 0;
  for (let run = 0; run < 21; run++) {
    const from = performance.now();
    expansions = traverse(graph, starts, query, 'forward', {
      width: 3,
      maxHops: 10,
      hedged: true,
    }).expansions;
    beams.push(performance.now() - from);
  }
  row(
    'beam search over 10,000 concepts and 30,000 links',
    ms(median(beams)),
    `${expansions} expansions, width 3, 12 starts`,
  );
  data['beam'] = { median: median(beams), expansions };

  const { pid } = await models.info();
  const memory = { server: residentMb(process.pid), models: residentMb(pid) };
  row('memory after it all', `${memory.server.toFixed(0)} MB server, ${memory.models.toFixed(0)} MB models`);
  row('index of 24 documents', `${(statSync(index).size / 1e6).toFixed(1)} MB`);
  data['memory'] = memory;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const body = [
  '| what | figure | detail |',
  '|---|---|---|',
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
].join('\n');
console.log(body);
if (!process.argv.includes('--dry')) publish('bench', 'npm run bench', body, data);
