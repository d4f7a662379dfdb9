/**
 * Where answers are won and lost: asks every question of a workspace in one process, keeps what the chains were found
 * from, and so can try other numbers on the same graph, and tell at which step each gold edge was lost.
 */
import path from 'node:path';
import type { Models } from '../../models/client.ts';
import { Engine } from '../../server/engine.ts';
import type { AnswerView } from '../../server/protocol.ts';
import {
  type FinderTuning,
  type Found,
  findChains,
  joinEnds,
  questionSigns,
  signsOf,
} from '../../server/sarg/finder.ts';
import { joinFeatures } from '../../server/sarg/joins.ts';
import type { AskOptions } from '../../server/sarg/options.ts';
import type { Answered } from '../../server/sarg/pipeline.ts';
import { linkFeatures } from '../../server/sarg/relevance.ts';
import { dot } from '../../server/sarg/vectors.ts';
import { edgesOf, near, states, supported, wordingsOf } from './scoring.ts';
import type { GoldEdge, GoldQuestion, Workspace } from './workspaces.ts';

/** One question with what was found. */
export interface Case {
  readonly workspace: string;
  readonly question: GoldQuestion;
  readonly answered: Answered;
  readonly view: AnswerView;
}

/** Asks every question of the workspace with the options given. */
export async function askAll(workspace: Workspace, models: Models, options: AskOptions): Promise<Case[]> {
  // Kept between runs: what is unchanged is not read again, and another model's version is.
  const indexPath = path.join(import.meta.dirname, '..', '..', '.cache', 'eval', `${workspace.name}.sqlite`);
  await using engine = await Engine.open({ root: workspace.root, indexPath, models });
  await engine.update();
  const cases: Case[] = [];
  for (const question of workspace.questions) {
    const answered = await engine.ask(question.question, options);
    cases.push({ workspace: workspace.name, question, answered, view: engine.view(answered) });
  }
  return cases;
}

/** Finds the chains of a case again, with other numbers. */
export function findAgain(entry: Case, options: AskOptions, tuning: FinderTuning): Found {
  return findChains(entry.answered.input, options, tuning);
}

/** Rows for fitting the judgement of links: every walkable link of a case, labelled by whether it states a gold edge. */
export function linkRows(entry: Case): { rows: number[][]; labels: number[] } {
  const { input } = entry.answered;
  const names = wordingsOf(entry.question);
  const edges = edgesOf(entry.question);
  const links = input.graph.links.filter((link) => !link.triple.negated);
  const rows = linkFeatures(signsOf(links, input), questionSigns(input));
  const labels = links.map(({ triple }) => Number(edges.some((edge) => states(triple, edge, names))));
  return { rows, labels };
}

/**
 * Rows for fitting joins: from each link that states a gold edge to every link whose cause is at all near. Right where
 * the two ends name one node of the gold chain and the second link states a gold edge too; left out where they name one
 * node but the second link states none.
 */
export function joinRows(entry: Case): { rows: number[][]; labels: number[] } {
  const { input } = entry.answered;
  const names = wordingsOf(entry.question);
  const edges = edgesOf(entry.question);
  const { rarity } = questionSigns(input);
  const links = input.graph.links.filter((link) => !link.triple.negated);
  const nodes = new Map<string, ReadonlySet<string>>();
  const nodesOf = (text: string): ReadonlySet<string> => {
    let known = nodes.get(text);
    if (!known) {
      known = new Set([...names].filter(([, wordings]) => near(text, wordings)).map(([node]) => node));
      nodes.set(text, known);
    }
    return known;
  };
  const gold = links.map(({ triple }) => edges.some((edge) => states(triple, edge, names)));
  const { causes, effects } = joinEnds(links, input);
  const rows: number[][] = [];
  const labels: number[] = [];
  for (const [from, a] of links.entries()) {
    if (!gold[from]) continue;
    for (const [to, b] of links.entries()) {
      if (from === to || a.effect === b.cause) continue;
      if (dot(effects[from]!.vector, causes[to]!.vector) < 0.5) continue;
      const shared = [...nodesOf(a.triple.effect.text)].some((node) =>
        nodesOf(b.triple.cause.text).has(node),
      );
      if (shared && !gold[to]) continue;
      rows.push(joinFeatures(effects[from]!, causes[to]!, rarity));
      labels.push(Number(shared));
    }
  }
  return { rows, labels };
}

/** At which step a gold edge was lost. */
export type Loss =
  | 'found'
  | 'not retrieved'
  | 'not extracted'
  | 'other ends'
  | 'denied or reversed'
  | 'not in a chain';

/** The first step at which the edge is missing. */
export function lossOf(entry: Case, edge: GoldEdge): Loss {
  const { view } = entry;
  const names = wordingsOf(entry.question);
  const hops = view.chains.slice(0, 3).flatMap((chain) => chain.hops);
  if (hops.some((hop) => states(hop, edge, names))) return 'found';
  const words = edge.quote.replace(/\s+/g, ' ').slice(0, 40);
  const read = view.retrieved.some(
    (passage) =>
      passage.file === edge.doc &&
      (passage.place.quote.replace(/\s+/g, ' ').includes(words) || overlaps(passage.text, edge.quote)),
  );
  if (!read) return 'not retrieved';
  const there = view.links.filter((link) => supported(link, edge));
  if (there.length === 0) return 'not extracted';
  const stating = view.links.filter((link) => states(link, edge, names));
  if (stating.length === 0) return 'other ends';
  return stating.every((link) => link.negated) ? 'denied or reversed' : 'not in a chain';
}

function overlaps(text: string, quote: string): boolean {
  const have = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const need = quote.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return need.filter((word) => have.has(word)).length >= 0.9 * need.length;
}
