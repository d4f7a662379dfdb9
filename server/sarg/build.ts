/** Puts concepts and triples together as the question's directed multigraph. Paper, section 3.3. */
import type { Resolution } from './resolve.ts';
import type { Link, LinkId, ReasoningGraph, Triple } from './types.ts';

/**
 * One link for each triple, from the concept of its cause to that of its effect, whatever order the words stand in.
 * A triple whose two ends are one concept is left out: it says nothing that can be walked.
 */
export function build(triples: readonly Triple[], resolution: Resolution): ReasoningGraph {
  const outgoing: LinkId[][] = resolution.concepts.map(() => []);
  const incoming: LinkId[][] = resolution.concepts.map(() => []);
  const links: Link[] = [];
  for (const [index, triple] of triples.entries()) {
    const cause = resolution.causes[index]!;
    const effect = resolution.effects[index]!;
    if (cause === effect) continue;
    const id = links.length as LinkId;
    links.push({ id, cause, effect, triple });
    outgoing[cause]!.push(id);
    incoming[effect]!.push(id);
  }
  return { concepts: resolution.concepts, links, outgoing, incoming };
}
