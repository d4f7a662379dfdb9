/**
 * Whether the chains answer the question at all: a probability from how well the best chain and its words fit. Below a
 * threshold the honest answer is that the documents do not say.
 */
import type { Chain } from './chains.ts';
import { evidenceText } from './finder.ts';
import type { ReasoningGraph, RetrievedPassage } from './types.ts';
import { VERDICT_WEIGHTS } from './weights.ts';
import { stems, topicStems } from './words.ts';

export const VERDICT_FEATURES = ['bias', 'bestScore', 'coverage', 'nearestPassage', 'bestHop'] as const;

/**
 * A row of {@link VERDICT_FEATURES}.
 * @param logOdds of each hop's link to belong to the answer
 */
export function verdictFeatures(
  question: string,
  chains: readonly Chain[],
  graph: ReasoningGraph,
  retrieved: readonly RetrievedPassage[],
  logOdds: (hop: Chain['hops'][number]) => number,
): number[] {
  const topic = new Set(topicStems(question));
  const told = new Set<string>();
  for (const chain of chains) {
    for (const hop of chain.hops) {
      const { passage, evidence } = graph.links[hop.link]!.triple;
      for (const stem of stems(evidenceText(passage, evidence))) told.add(stem);
    }
  }
  let covered = 0;
  for (const stem of topic) if (told.has(stem)) covered++;
  const hops = chains.flatMap((chain) => chain.hops.map(logOdds));
  return [
    1,
    Math.max(-10, Math.min(10, chains[0]?.score ?? -10)),
    topic.size > 0 ? covered / topic.size : 0,
    retrieved.reduce((most, entry) => Math.max(most, entry.similarity), 0),
    hops.length > 0 ? Math.max(...hops) : -10,
  ];
}

/** Probability that the chains answer; 0 where there is no chain. */
export function verdict(features: readonly number[], hasChains: boolean): number {
  if (!hasChains) return 0;
  let sum = 0;
  for (const [at, name] of VERDICT_FEATURES.entries()) sum += VERDICT_WEIGHTS[name] * features[at]!;
  return 1 / (1 + Math.exp(-sum));
}
