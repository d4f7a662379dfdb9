/** What searching gives and selecting takes: chains of hops over a reasoning graph. */
import type { ConceptId, LinkId, ReasoningGraph } from './types.ts';

/** How a hop hangs on the one before it, in order of cause and effect. */
export type Join =
  | { readonly kind: 'same' }
  /** Another concept, near in meaning, taken as the same at a price. */
  | { readonly kind: 'near'; readonly similarity: number; readonly price: number };

export interface Hop {
  readonly link: LinkId;
  /** Null for a chain's first hop. */
  readonly join: Join | null;
  /** Links between the same concepts, or saying the same, that stand elsewhere. */
  readonly also: readonly LinkId[];
}

/** Hops from cause to effect, whichever way they were walked. */
export interface Chain {
  readonly hops: readonly Hop[];
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** A concept that a search sets out from, the words of the question that chose it, and how near they are. */
export interface Start {
  readonly concept: ConceptId;
  readonly phrase: string;
  readonly similarity: number;
}

/** The concepts along a chain, from first cause to last effect; a near join contributes both its ends. */
export function conceptsOf(chain: Pick<Chain, 'hops'>, graph: ReasoningGraph): ConceptId[] {
  const out: ConceptId[] = [];
  for (const hop of chain.hops) {
    const { cause, effect } = graph.links[hop.link]!;
    if (out.at(-1) !== cause) out.push(cause);
    out.push(effect);
  }
  return out;
}
