/** Graphs of any size for measuring walks; the same for the same numbers. */
import type {
  Concept,
  ConceptId,
  Link,
  LinkId,
  Passage,
  ReasoningGraph,
  Triple,
} from '../../server/sarg/types.ts';

/** Mulberry32: small, seeded, good enough to lay out a graph. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function unitVector(dimensions: number, seed: number): Float32Array {
  const next = random(seed);
  const vector = Float32Array.from({ length: dimensions }, () => next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** `concepts` concepts with `degree` links out of each, to others at random. */
export function syntheticGraph(concepts: number, degree: number, dimensions: number): ReasoningGraph {
  const next = random(7);
  const passage = {
    id: 'p',
    file: 'p.md',
    text: 'x',
    sentences: [],
    headings: [],
    title: '',
    ordinal: 0,
  } as unknown as Passage;
  const mention = { text: 'x', span: { start: 0, end: 1 } };
  const triple: Triple = {
    passage,
    cause: mention,
    relation: null,
    effect: mention,
    type: 'causes',
    negated: false,
    hedged: false,
    confidence: 1,
    evidence: mention.span,
    extractor: 'synthetic',
  };
  const nodes = Array.from(
    { length: concepts },
    (_, at): Concept => ({
      id: at as ConceptId,
      name: `c${at}`,
      mentions: [],
      vector: unitVector(dimensions, at + 1),
    }),
  );
  const links: Link[] = [];
  const outgoing: LinkId[][] = nodes.map(() => []);
  const incoming: LinkId[][] = nodes.map(() => []);
  for (const { id: cause } of nodes) {
    for (let edge = 0; edge < degree; edge++) {
      const effect = Math.floor(next() * concepts) as ConceptId;
      if (effect === cause) continue;
      const id = links.length as LinkId;
      links.push({ id, cause, effect, triple });
      outgoing[cause]!.push(id);
      incoming[effect]!.push(id);
    }
  }
  return { concepts: nodes, links, outgoing, incoming };
}
