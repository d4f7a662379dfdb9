/** From what the method found to what is shown: every link and quote with its exact place in a file. */
import type {
  AnswerView,
  ChainView,
  ConceptView,
  EvidenceView,
  HopView,
  JoinView,
  LinkView,
  MentionView,
  RetrievedView,
} from './protocol.ts';
import type { Chain, Hop } from './sarg/chains.ts';
import type { Answered } from './sarg/pipeline.ts';
import type {
  Concept,
  Link,
  MergeReason,
  Passage,
  ReasoningGraph,
  RetrievedPassage,
  Triple,
} from './sarg/types.ts';
import { locate } from './workspace/places.ts';

/** Names and versions of the models that took part. */
export type ModelNames = AnswerView['models'];

/** The whole answer as JSON-ready data. */
export function answerView(answered: Answered, models: ModelNames): AnswerView {
  const { graph } = answered;
  return {
    question: answered.question,
    method: answered.options.method,
    direction: answered.direction,
    retrieved: retrievedViews(answered.retrieved),
    concepts: conceptViews(graph.concepts),
    links: graph.links.map((link) => linkView(link)),
    starts: answered.starts,
    chains: chainViews(answered.chains, graph, answered),
    context: answered.context,
    answer: answered.answer,
    timings: Object.fromEntries(
      Object.entries(answered.timings).map(([step, ms]) => [step, Math.round(ms * 10) / 10]),
    ),
    counts: answered.counts,
    models,
  };
}

/** Passages with their places, best first. */
export function retrievedViews(retrieved: readonly RetrievedPassage[]): RetrievedView[] {
  return retrieved.map(({ passage, score, round }) => ({
    file: passage.file,
    text: passage.text,
    headings: passage.headings,
    place: locate(passage, { start: 0, end: passage.text.length }),
    score,
    round,
  }));
}

/** Concepts with every wording's place. */
export function conceptViews(concepts: readonly Concept[]): ConceptView[] {
  return concepts.map((concept) => ({
    id: concept.id,
    name: concept.name,
    mentions: concept.mentions.map(({ mention, passage, reason }) => ({
      text: mention.text,
      place: locate(passage, mention.span),
      reason: mergeReason(reason),
    })),
  }));
}

/** Chains with their hops numbered as the answer cites them. */
export function chainViews(
  chains: readonly Chain[],
  graph: ReasoningGraph,
  answered?: Pick<Answered, 'judged'>,
): ChainView[] {
  let number = 0;
  return chains.map((chain) => ({
    score: chain.score,
    parts: chain.parts,
    hops: chain.hops.map((hop, at): HopView => {
      number++;
      const link = graph.links[hop.link]!;
      const judged = answered?.judged.get(hop.link);
      return {
        ...linkView(link),
        number,
        join: joinView(hop, chain.hops[at - 1], graph),
        also: hop.also.map((id) => linkView(graph.links[id]!)),
        why: judged ? { logOdds: judged.logOdds, parts: judged.parts } : null,
      };
    }),
  }));
}

function joinView(hop: Hop, before: Hop | undefined, graph: ReasoningGraph): JoinView | null {
  if (hop.join === null || before === undefined) return null;
  const link = graph.links[hop.link]!;
  if (hop.join.kind === 'same') return { kind: 'same', concept: link.cause };
  return {
    kind: 'taken-as-same',
    from: graph.links[before.link]!.triple.effect.text,
    to: link.triple.cause.text,
    similarity: hop.join.similarity,
    price: hop.join.price,
  };
}

export function linkView(link: Link): LinkView {
  const { triple } = link;
  return {
    id: link.id,
    cause: mentionView(triple, 'cause', link.cause),
    relation: {
      text: triple.relation?.text ?? '',
      place: triple.relation ? locate(triple.passage, triple.relation.span) : null,
    },
    effect: mentionView(triple, 'effect', link.effect),
    type: triple.type,
    negated: triple.negated,
    hedged: triple.hedged,
    confidence: triple.confidence,
    evidence: evidenceView(triple.passage, triple),
    extractor: triple.extractor,
  };
}

function mentionView(triple: Triple, side: 'cause' | 'effect', concept: number): MentionView {
  const mention = triple[side];
  return { text: mention.text, concept, place: locate(triple.passage, mention.span) };
}

function evidenceView(passage: Passage, triple: Triple): EvidenceView {
  return {
    ...locate(passage, triple.evidence),
    text: passage.text.slice(triple.evidence.start, triple.evidence.end),
    headings: passage.headings,
    passage: passage.id,
  };
}

/** Why a mention was put into its concept, in words. */
export function mergeReason(reason: MergeReason): string {
  switch (reason.kind) {
    case 'same-words':
      return 'names the concept';
    case 'same-stems':
      return 'same words in another form';
    case 'word-order':
      return 'same words in another order';
    case 'abbreviation':
      return `${reason.short} stands for ${reason.long}`;
    case 'similar':
      return `nearly the same meaning (${reason.similarity.toFixed(2)})`;
  }
}
