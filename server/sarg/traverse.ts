/**
 * Semantic beam search over the reasoning graph, as the paper has it (section 3.5, equation 5): a chain's score is the
 * running average of its concepts' similarity to the question, the start not counted; at each depth the best `width`
 * chains are kept; a chain ends at a dead end. No concept is entered twice and a denied link is never walked.
 */
import type { Chain, Start } from './chains.ts';
import type { ConceptId, DirectionLabel, LinkId, ReasoningGraph } from './types.ts';
import { dot } from './vectors.ts';

export interface BeamOptions {
  /** Chains kept at each depth (the paper's beta). */
  readonly width: number;
  /** Hops at most; a guard, since a graph without repeats is finite anyway. */
  readonly maxHops: number;
  readonly hedged: boolean;
}

export interface Traversal {
  readonly chains: Chain[];
  /** Chains extended, counted for cost. */
  readonly expansions: number;
}

interface Partial {
  readonly links: readonly LinkId[];
  readonly end: ConceptId;
  readonly visited: ReadonlySet<ConceptId>;
  /** Mean similarity of the concepts after the start. */
  readonly score: number;
}

/** Walks from every start in the direction given; bidirectional walks both ways and keeps the chains of both. */
export function traverse(
  graph: ReasoningGraph,
  starts: readonly Start[],
  question: Float32Array,
  direction: DirectionLabel,
  options: BeamOptions,
): Traversal {
  const similarities = new Map<ConceptId, number>();
  const similarity = (concept: ConceptId): number => {
    let known = similarities.get(concept);
    if (known === undefined) {
      known = dot(question, graph.concepts[concept]!.vector);
      similarities.set(concept, known);
    }
    return known;
  };
  const ways = direction === 'bidirectional' ? (['forward', 'backward'] as const) : [direction];
  let expansions = 0;
  const chains: Chain[] = [];
  for (const way of ways) {
    const found = beam(graph, starts, similarity, way, options);
    expansions += found.expansions;
    chains.push(...found.chains);
  }
  return { chains: chains.sort((a, b) => b.score - a.score), expansions };
}

function beam(
  graph: ReasoningGraph,
  starts: readonly Start[],
  similarity: (concept: ConceptId) => number,
  way: 'forward' | 'backward',
  options: BeamOptions,
): Traversal {
  const edges = way === 'forward' ? graph.outgoing : graph.incoming;
  const chains: Chain[] = [];
  let expansions = 0;
  let frontier: Partial[] = starts.map((start) => ({
    links: [],
    end: start.concept,
    visited: new Set([start.concept]),
    score: 0,
  }));
  while (frontier.length > 0) {
    const next: Partial[] = [];
    for (const partial of frontier) {
      let extended = false;
      if (partial.links.length < options.maxHops) {
        for (const id of edges[partial.end]!) {
          const link = graph.links[id]!;
          if (link.triple.negated || (link.triple.hedged && !options.hedged)) continue;
          const to = way === 'forward' ? link.effect : link.cause;
          if (partial.visited.has(to)) continue;
          expansions++;
          extended = true;
          const steps = partial.links.length;
          next.push({
            links: [...partial.links, id],
            end: to,
            visited: new Set(partial.visited).add(to),
            score: (partial.score * steps + similarity(to)) / (steps + 1),
          });
        }
      }
      if (!extended && partial.links.length > 0) chains.push(toChain(partial, way));
    }
    frontier = next.sort((a, b) => b.score - a.score).slice(0, options.width);
  }
  return { chains, expansions };
}

function toChain(partial: Partial, way: 'forward' | 'backward'): Chain {
  const links = way === 'forward' ? partial.links : [...partial.links].reverse();
  return {
    hops: links.map((link, at) => ({ link, join: at === 0 ? null : { kind: 'same' }, also: [] })),
    score: partial.score,
    parts: { similarity: partial.score },
  };
}
