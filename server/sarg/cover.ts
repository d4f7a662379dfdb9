/**
 * Chooses a set of chains, not the top of a list: three chains that share a prefix say the same thing thrice. Each
 * next chain is the one that adds most to what is already chosen; a link taken before, or one that states the same
 * step between the same concepts, adds nothing. Links that state a chosen step elsewhere are kept as its evidence.
 */
import type { Chain } from './chains.ts';
import type { LinkId, ReasoningGraph } from './types.ts';

/** Gains nearer than this are equal: sums in another order differ in their last bits. */
const SAME = 1e-9;

/**
 * @param prize what a link is worth by itself
 * @param count chains at most
 * @param minGain a further chain must add more than this
 */
export function cover(
  chains: readonly Chain[],
  graph: ReasoningGraph,
  prize: (link: LinkId) => number,
  count: number,
  minGain: number,
): Chain[] {
  const chosen: Chain[] = [];
  const taken = new Set<string>();
  const step = (link: LinkId): string => `${graph.links[link]!.cause}>${graph.links[link]!.effect}`;
  while (chosen.length < count) {
    let best: Chain | null = null;
    let bestGain = chosen.length === 0 ? Number.NEGATIVE_INFINITY : minGain;
    for (const chain of chains) {
      if (chosen.length > 0 && chain.hops.every((hop) => taken.has(step(hop.link)))) continue;
      let gain = chain.score;
      for (const hop of chain.hops) if (taken.has(step(hop.link))) gain -= Math.max(prize(hop.link), 0);
      // A hop that adds nothing is not worth reading: of equal chains the shorter.
      const equal = Math.abs(gain - bestGain) < SAME;
      if (equal ? best !== null && chain.hops.length < best.hops.length : gain > bestGain)
        [best, bestGain] = [chain, gain];
    }
    if (best === null) break;
    for (const hop of best.hops) taken.add(step(hop.link));
    chosen.push(best);
  }
  return chosen.map((chain) => withEvidence(chain, graph));
}

function withEvidence(chain: Chain, graph: ReasoningGraph): Chain {
  return {
    ...chain,
    hops: chain.hops.map((hop) => {
      const { cause, effect } = graph.links[hop.link]!;
      const also = graph.outgoing[cause]!.filter(
        (id) => id !== hop.link && graph.links[id]!.effect === effect && !graph.links[id]!.triple.negated,
      );
      return { ...hop, also };
    }),
  };
}
