/**
 * Checks evaluation workspaces: `node test/eval/check-workspaces.ts [folder ...]`.
 *
 * A workspace is a folder with docs/ and questions.jsonl. Checked: every cited file exists and can be read, every quote is an
 * exact substring of its document, every alias occurs in some document, both ends of a link are named in the document
 * that states it, every neighbouring pair of a chain has one edge and no edge stands outside of a chain, and a
 * node's aliases are the same in every question. Prints a summary a workspace and one line a fault.
 *
 * Without arguments: the folders in test/eval/workspaces and examples. Exit status 1 if there is a fault.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { type DefaultTreeAdapterTypes, parse as parseHtml } from 'parse5';

interface ChainNode {
  readonly node: string;
  readonly aliases: readonly string[];
}

interface Edge {
  readonly cause: string;
  readonly effect: string;
  readonly doc: string;
  readonly quote: string;
}

interface Question {
  readonly id: string;
  readonly question: string;
  readonly direction: string;
  readonly hops: number;
  readonly answer: string;
  readonly key_facts: readonly string[];
  readonly chain?: readonly ChainNode[];
  readonly chains?: readonly (readonly ChainNode[])[];
  readonly edges: readonly Edge[];
  readonly kind: string;
}

const DIRECTIONS = ['forward', 'backward', 'bidirectional'];
const KINDS = ['chain', 'branching', 'comparison', 'negated', 'unanswerable', 'numeric'];
const MIN_NODES = 3;
const MAX_NODES = 7;

type Fault = (text: string) => void;

function textOfPage(html: string): string {
  const out: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === 'script' || node.nodeName === 'style') return;
    if ('value' in node && node.nodeName === '#text') out.push(node.value);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parseHtml(html));
  return out.join('');
}

/** The strings in which a quote may lie: a notebook's cells, a page's text, a table's file and fields, else the file. */
function textsOf(path: string, fault: Fault): string[] {
  const raw = readFileSync(path, 'utf8');
  const name = basename(path);
  switch (extname(path)) {
    case '.ipynb': {
      const notebook = JSON.parse(raw) as { cells?: { source: string | string[] }[]; nbformat?: number };
      if (notebook.nbformat !== 4 || !notebook.cells) fault(`${name}: not a notebook of format 4`);
      return (notebook.cells ?? []).map((c) => (Array.isArray(c.source) ? c.source.join('') : c.source));
    }
    case '.html':
      return [textOfPage(raw)];
    case '.csv': {
      const rows = parseCsv(raw, { relax_column_count: true }) as string[][];
      if (new Set(rows.map((r) => r.length)).size > 1) fault(`${name}: rows of unequal length`);
      return [raw, ...rows.flat()];
    }
    default:
      return [raw];
  }
}

function readQuestions(path: string, fault: Fault): Question[] {
  const out: Question[] = [];
  readFileSync(path, 'utf8')
    .split('\n')
    .forEach((line, at) => {
      if (!line.trim()) return;
      try {
        out.push(JSON.parse(line) as Question);
      } catch (error) {
        fault(`questions.jsonl line ${at + 1}: ${String(error)}`);
      }
    });
  return out;
}

const chainsOf = (q: Question): readonly (readonly ChainNode[])[] =>
  q.chains ?? (q.chain?.length ? [q.chain] : []);

function checkForm(q: Question, fault: Fault): void {
  if (!DIRECTIONS.includes(q.direction)) fault(`${q.id}: direction ${q.direction}`);
  if (!KINDS.includes(q.kind)) fault(`${q.id}: kind ${q.kind}`);
  if (!q.question?.trim() || !q.answer?.trim()) fault(`${q.id}: question or answer is empty`);
  if (!q.key_facts?.length || q.key_facts.some((f) => !f.trim())) fault(`${q.id}: key_facts`);
  if ((q.chain === undefined) === (q.chains === undefined)) fault(`${q.id}: needs either chain or chains`);
  if (q.chains && q.chains.length < 2) fault(`${q.id}: chains with a single member`);
  if (q.kind === 'branching' && !q.chains) fault(`${q.id}: branching without chains`);
  if (q.kind === 'unanswerable' && (chainsOf(q).length > 0 || q.edges.length > 0 || q.hops !== 0))
    fault(`${q.id}: unanswerable, but has a chain, edges or hops`);
  if (q.kind !== 'unanswerable' && chainsOf(q).length === 0) fault(`${q.id}: no chain`);
}

function checkChains(q: Question, fault: Fault): void {
  const chains = chainsOf(q);
  const pairs = new Set<string>();
  for (const chain of chains) {
    if (chain.length < MIN_NODES || chain.length > MAX_NODES)
      fault(`${q.id}: chain of ${chain.length} nodes`);
    // A vicious circle may close on its first node; any other repetition is a slip.
    const open = chain.at(-1)?.node === chain[0]?.node ? chain.slice(1) : chain;
    if (new Set(open.map((n) => n.node)).size !== open.length)
      fault(`${q.id}: a node stands twice in a chain`);
    chain.slice(1).forEach((node, at) => {
      pairs.add(`${chain[at]!.node} -> ${node.node}`);
    });
  }
  const hops = Math.max(0, ...chains.map((c) => c.length - 1));
  if (q.hops !== hops) fault(`${q.id}: hops ${q.hops}, the longest chain has ${hops}`);
  const edges = q.edges.map((e) => `${e.cause} -> ${e.effect}`);
  for (const pair of pairs) {
    const n = edges.filter((e) => e === pair).length;
    if (n !== 1) fault(`${q.id}: ${n} edges for ${pair}`);
  }
  for (const edge of edges) if (!pairs.has(edge)) fault(`${q.id}: edge ${edge} is in no chain`);
}

function checkEdges(q: Question, docs: ReadonlyMap<string, readonly string[]>, fault: Fault): void {
  const aliases = new Map(chainsOf(q).flatMap((c) => c.map((n) => [n.node, n.aliases] as const)));
  for (const edge of q.edges) {
    const texts = docs.get(edge.doc);
    if (!texts) {
      fault(`${q.id}: ${edge.doc} does not exist`);
      continue;
    }
    if (!edge.quote.trim() || !texts.some((t) => t.includes(edge.quote)))
      fault(`${q.id}: not in ${edge.doc}: ${JSON.stringify(edge.quote.slice(0, 80))}`);
    for (const end of [edge.cause, edge.effect]) {
      if (!aliases.get(end)?.some((a) => texts.some((t) => t.includes(a))))
        fault(`${q.id}: ${edge.doc} names ${JSON.stringify(end)} by none of its aliases`);
    }
  }
}

function checkAliases(questions: readonly Question[], texts: readonly string[], fault: Fault): void {
  const known = new Map<string, string>();
  for (const q of questions) {
    for (const { node, aliases } of chainsOf(q).flat()) {
      const all = JSON.stringify(aliases);
      const before = known.get(node);
      if (before === all) continue;
      if (before !== undefined) fault(`${q.id}: aliases of ${JSON.stringify(node)} differ between questions`);
      known.set(node, all);
      if (aliases.length === 0 || new Set(aliases).size !== aliases.length)
        fault(`${q.id}: aliases of ${JSON.stringify(node)} are missing or repeated`);
      for (const alias of aliases) {
        if (!texts.some((t) => t.includes(alias)))
          fault(`${q.id}: alias ${JSON.stringify(alias)} is in no document`);
      }
    }
  }
}

function counts(values: readonly string[]): string {
  const out = new Map<string, number>();
  for (const v of values) out.set(v, (out.get(v) ?? 0) + 1);
  return [...out]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, n]) => `${k} ${n}`)
    .join(', ');
}

/** Checks one workspace and returns its faults, each one line; prints nothing. */
export function checkWorkspace(root: string): {
  readonly faults: readonly string[];
  readonly summary: string;
} {
  const faults: string[] = [];
  const fault: Fault = (text) => faults.push(text);
  const names = readdirSync(join(root, 'docs')).filter((n) => statSync(join(root, 'docs', n)).isFile());
  const docs = new Map(names.map((n) => [`docs/${n}`, textsOf(join(root, 'docs', n), fault)] as const));
  const texts = [...docs.values()].flat();
  const questions = readQuestions(join(root, 'questions.jsonl'), fault);
  if (questions.length === 0) fault('no questions');
  if (new Set(questions.map((q) => q.id)).size !== questions.length) fault('an id is used twice');
  if (new Set(questions.map((q) => q.question)).size !== questions.length) fault('a question is asked twice');
  for (const q of questions) {
    checkForm(q, fault);
    checkChains(q, fault);
    checkEdges(q, docs, fault);
  }
  checkAliases(questions, texts, fault);
  const needs = questions.map((q) => new Set(q.edges.map((e) => e.doc)).size);
  const used = new Set(questions.flatMap((q) => q.edges.map((e) => e.doc)));
  const idle = [...docs.keys()].filter((d) => !used.has(d)).map((d) => basename(d));
  const summary = [
    `${docs.size} documents (${counts(names.map((n) => extname(n)))})`,
    `${questions.length} questions (${counts(questions.map((q) => q.direction))}; ${counts(questions.map((q) => q.kind))})`,
    `from 2 or more documents ${needs.filter((n) => n >= 2).length}, from 3 or more ${needs.filter((n) => n >= 3).length}`,
    `in no chain: ${idle.join(', ') || 'none'}`,
  ].join('\n  ');
  return { faults, summary };
}

/** The workspaces of this repository: folders with a questions.jsonl in test/eval/workspaces and in examples. */
function ownWorkspaces(): string[] {
  const repository = join(import.meta.dirname, '..', '..');
  return ['test/eval/workspaces', 'examples'].flatMap((parent) =>
    readdirSync(join(repository, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(repository, parent, entry.name))
      .filter((folder) => readdirSync(folder).includes('questions.jsonl')),
  );
}

if (import.meta.main) {
  const given = process.argv.slice(2);
  let faulty = false;
  for (const root of given.length > 0 ? given : ownWorkspaces()) {
    const { faults, summary } = checkWorkspace(root);
    console.log(`${relative(process.cwd(), root) || root}\n  ${summary}`);
    for (const text of faults) console.log(`  FAULT ${text}`);
    console.log(faults.length === 0 ? '  no fault' : `  ${faults.length} faults`);
    faulty ||= faults.length > 0;
  }
  process.exitCode = faulty ? 1 : 0;
}
