/** Which of the chains found are shown, as the paper has it. Section 3.6. */
import { type Chain, conceptsOf } from './chains.ts';
import type { ReasoningGraph } from './types.ts';

/**
 * Leaves out exact duplicates and chains that run within a longer chain of at least the same score, and gives the best
 * `count` of the rest. Two chains over the same concepts are duplicates: the weaker one's links become further
 * evidence of the stronger one's hops.
 */
export function select(chains: readonly Chain[], graph: ReasoningGraph, count: number): Chain[] {
  const ranked = [...chains].sort((a, b) => b.score - a.score || b.hops.length - a.hops.length);
  const kept: { chain: Chain; path: string }[] = [];
  for (const chain of ranked) {
    const path = `,${conceptsOf(chain, graph).join(',')},`;
    const twin = kept.find((other) => other.path === path);
    if (twin) {
      twin.chain = withAlso(twin.chain, chain);
      continue;
    }
    kept.push({ chain, path });
  }
  return kept
    .filter(
      ({ chain, path }) =>
        !kept.some(
          (other) =>
            other.path.length > path.length && other.path.includes(path) && other.chain.score >= chain.score,
        ),
    )
    .slice(0, count)
    .map(({ chain }) => chain);
}

/** Adds the second chain's links as further evidence where both state the same step. */
function withAlso(first: Chain, second: Chain): Chain {
  if (first.hops.length !== second.hops.length) return first;
  return {
    ...first,
    hops: first.hops.map((hop, at) => {
      const other = second.hops[at]!.link;
      return other === hop.link || hop.also.includes(other) ? hop : { ...hop, also: [...hop.also, other] };
    }),
  };
}
