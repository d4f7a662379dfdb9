/**
 * The figures of score.py, in TypeScript, so that they can be taken without leaving the process; a test holds the two
 * to the same numbers. The meaning of each figure stands in score.py.
 */
import type { AnswerView, HopView, LinkView } from '../../server/protocol.ts';
import type { GoldEdge, GoldQuestion } from './workspaces.ts';

const STOP = new Set(
  (
    'a an the of in on at to for from by with and or but as is are was were be been being it its this that these ' +
    'those which who whom whose than then so such not no nor into onto over under out up down off about after before ' +
    'during while when where how why what has have had do does did can could may might must shall should will would ' +
    'more most less least very also only their his her our your they he she we you i there here each any all both'
  ).split(' '),
);
const ENDINGS = ['ations', 'ation', 'ings', 'ing', 'ies', 'ied', 'es', 'ed', 's', 'ly'];

function stem(word: string): string {
  const ending = ENDINGS.find((end) => word.endsWith(end) && [...word].length - end.length >= 3);
  return ending ? word.slice(0, -ending.length) : word;
}

export function contentWords(text: string): Set<string> {
  const all =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(all.filter((word) => !STOP.has(word)).map(stem));
}

/** A span names a node if it shares half of the content words with a wording of it, or holds it, or is held. */
export function near(span: string, wordings: Iterable<string>): boolean {
  const mine = contentWords(span);
  if (mine.size === 0) return false;
  for (const wording of wordings) {
    const theirs = contentWords(wording);
    const shared = [...mine].filter((word) => theirs.has(word)).length;
    if (shared === 0) continue;
    if ((2 * shared) / (mine.size + theirs.size) >= 0.5 || shared === theirs.size || shared === mine.size)
      return true;
  }
  return false;
}

export function wordingsOf(question: GoldQuestion): Map<string, Set<string>> {
  const out = new Map<string, Set<string>>();
  for (const chain of question.chains ?? [question.chain ?? []]) {
    for (const { node, aliases } of chain) {
      const known = out.get(node) ?? new Set<string>();
      for (const wording of [node, ...aliases]) known.add(wording);
      out.set(node, known);
    }
  }
  return out;
}

export function edgesOf(question: GoldQuestion): GoldEdge[] {
  const names = wordingsOf(question);
  return question.edges.filter((edge) => names.has(edge.cause) && names.has(edge.effect));
}

type Names = ReadonlyMap<string, ReadonlySet<string>>;
type Ends = Pick<LinkView, 'cause' | 'effect'>;

export function states(
  link: { readonly cause: { readonly text: string }; readonly effect: { readonly text: string } },
  edge: GoldEdge,
  names: Names,
): boolean {
  return near(link.cause.text, names.get(edge.cause)!) && near(link.effect.text, names.get(edge.effect)!);
}

function reverses(link: Ends, edge: GoldEdge, names: Names): boolean {
  return near(link.cause.text, names.get(edge.effect)!) && near(link.effect.text, names.get(edge.cause)!);
}

export function supported(link: LinkView, edge: GoldEdge): boolean {
  if (link.evidence.file !== edge.doc) return false;
  const a = link.evidence.quote.replace(/\s+/g, ' ');
  const b = edge.quote.replace(/\s+/g, ' ');
  if (a.includes(b) || b.includes(a)) return true;
  const mine = contentWords(a);
  const theirs = contentWords(b);
  const shared = [...mine].filter((word) => theirs.has(word)).length;
  return shared >= 0.6 * Math.min(mine.size, theirs.size || 1);
}

function covered(fact: string, have: ReadonlySet<string>): boolean {
  const need = contentWords(fact);
  return need.size > 0 && [...need].filter((word) => have.has(word)).length >= 0.6 * need.size;
}

/** Longest run of consecutive gold edges among the hops, in order. */
export function longestRun(hops: readonly Ends[], edges: readonly GoldEdge[], names: Names): number {
  let best = 0;
  for (let start = 0; start < edges.length; start++) {
    let at = start;
    for (const hop of hops) if (at < edges.length && states(hop, edges[at]!, names)) at++;
    best = Math.max(best, at - start);
  }
  return best;
}

/** The gold chains as runs of edges. */
export function goldPaths(question: GoldQuestion): GoldEdge[][] {
  const edges = edgesOf(question);
  return (question.chains ?? [question.chain ?? []])
    .map((chain) =>
      chain
        .slice(1)
        .map((node, at) => edges.find((edge) => edge.cause === chain[at]!.node && edge.effect === node.node))
        .filter((edge) => edge !== undefined),
    )
    .filter((path) => path.length > 0);
}

function hopText(hop: HopView): string {
  return [hop.cause.text, hop.relation.text, hop.effect.text, hop.evidence.quote].join(' ');
}

const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The figures of one question. */
export function scoreAnswer(question: GoldQuestion, answer: AnswerView): Record<string, number> {
  const out: Record<string, number> = { direction: Number(answer.direction.label === question.direction) };
  if (question.kind === 'unanswerable') {
    out['unanswerable'] = Number(answer.answer.kind === 'none');
    return out;
  }
  out['false.none'] = Number(answer.answer.kind === 'none');
  const names = wordingsOf(question);
  const edges = edgesOf(question);
  const docs = new Set(edges.map((edge) => edge.doc));
  const files = new Set(answer.retrieved.slice(0, 20).map((passage) => passage.file));
  if (docs.size > 0) out['documents@20'] = [...docs].filter((doc) => files.has(doc)).length / docs.size;
  const links = question.kind === 'negated' ? answer.links : answer.links.filter((link) => !link.negated);
  const top = answer.chains.slice(0, 3);
  const hops = top.flatMap((chain) => chain.hops);
  if (edges.length > 0) {
    const share = (holds: (edge: GoldEdge) => boolean): number => edges.filter(holds).length / edges.length;
    const stated = (edge: GoldEdge): boolean =>
      links.some((link) => states(link, edge, names) && supported(link, edge));
    out['links'] = share(stated);
    out['reversed'] = share(
      (edge) => !stated(edge) && links.some((link) => reverses(link, edge, names) && supported(link, edge)),
    );
    out['chains@3'] = share((edge) => hops.some((hop) => states(hop, edge, names)));
    const paths = goldPaths(question);
    const run = (path: GoldEdge[]): number =>
      Math.max(0, ...top.map((chain) => longestRun(chain.hops, path, names))) / path.length;
    if (paths.length > 0) out['path@3'] = paths.reduce((sum, path) => sum + run(path), 0) / paths.length;
  }
  const facts = question.key_facts ?? [];
  if (facts.length > 0) {
    const chains = top.map((chain) => chain.hops.map(hopText).join(' ')).join(' ');
    const budget = Math.max(splitWords(chains).length, 1);
    const flat = splitWords(answer.retrieved.map((passage) => passage.text).join(' '));
    const texts: [string, string][] = [
      ['facts@3', chains],
      ['facts.flat', flat.slice(0, budget).join(' ')],
      ['facts.answer', answer.answer.text],
    ];
    for (const size of [300, 600]) {
      texts.push([`flat.${size}`, flat.slice(0, size).join(' ')]);
      if (answer.context !== '')
        texts.push([`facts.${size}`, splitWords(answer.context).slice(0, size).join(' ')]);
    }
    for (const [name, text] of texts) {
      const have = contentWords(text);
      out[name] = facts.filter((fact) => covered(fact, have)).length / facts.length;
    }
  }
  return out;
}

export const FIGURES = [
  'direction',
  'documents@20',
  'links',
  'reversed',
  'chains@3',
  'path@3',
  'facts@3',
  'facts.flat',
  'facts.300',
  'flat.300',
  'facts.600',
  'flat.600',
  'facts.answer',
  'unanswerable',
  'false.none',
] as const;

/** Means over the questions that have the figure. */
export function meanScores(rows: readonly Record<string, number>[]): Record<string, number> {
  const out: Record<string, number> = {};
  for (const figure of FIGURES) {
    const values = rows.map((row) => row[figure]).filter((value) => value !== undefined);
    if (values.length > 0) out[figure] = values.reduce((sum, value) => sum + value, 0) / values.length;
  }
  return out;
}
