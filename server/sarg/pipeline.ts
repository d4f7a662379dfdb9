/** A question from its words to its answer: the steps of the paper in their order. */
import type { Abbreviation } from './abbreviations.ts';
import { type AnswerDraft, compose, documentsDoNotSay } from './answer.ts';
import { build } from './build.ts';
import type { Chain, Start } from './chains.ts';
import { compileContext } from './compile.ts';
import { type Directed, direct } from './direct.ts';
import {
  evidenceText,
  type FinderInput,
  type Found,
  findChains,
  findPaperChains,
  type Judged,
  type LinkVectors,
} from './finder.ts';
import { type KeyPhrase, keyPhrases } from './match.ts';
import type { AskOptions } from './options.ts';
import { resolve } from './resolve.ts';
import type {
  Director,
  Embedder,
  LinkId,
  Phrase,
  ReasoningGraph,
  RetrievedPassage,
  Retriever,
  Triple,
  TripleSource,
} from './types.ts';
import { verdict, verdictFeatures } from './verdict.ts';

/** What the method needs around it. */
export interface Sources {
  readonly retriever: Retriever;
  readonly triples: TripleSource;
  readonly embedder: Embedder;
  readonly director: Director;
  /** Short forms explained anywhere in the folder. */
  readonly abbreviations: readonly Abbreviation[];
}

/** What has come so far, told while the question runs. */
export type Progress =
  | { readonly kind: 'passages'; readonly retrieved: readonly RetrievedPassage[] }
  | { readonly kind: 'direction'; readonly direction: Directed }
  | { readonly kind: 'triples'; readonly round: number; readonly triples: number; readonly passages: number }
  | { readonly kind: 'graph'; readonly graph: ReasoningGraph }
  | { readonly kind: 'chains'; readonly chains: readonly Chain[]; readonly graph: ReasoningGraph };

export interface Answered {
  readonly question: string;
  readonly options: AskOptions;
  readonly direction: Directed;
  readonly retrieved: readonly RetrievedPassage[];
  readonly graph: ReasoningGraph;
  readonly phrases: readonly KeyPhrase[];
  readonly starts: readonly Start[];
  readonly chains: readonly Chain[];
  readonly judged: ReadonlyMap<LinkId, Judged>;
  /** What the chains were found from, so that another way of finding can be tried on the same. */
  readonly input: FinderInput;
  readonly context: string;
  readonly answer: AnswerDraft;
  /** Milliseconds a step. */
  readonly timings: Readonly<Record<string, number>>;
  readonly counts: {
    /** Passages that the question went over. */
    readonly passagesRead: number;
    /** Of those, the ones whose triples were not known and had to be read out just now. */
    readonly passagesExtracted: number;
    readonly passagesFailed: number;
    /** Triples read out of their passages just now, and triples known from before. */
    readonly triplesExtracted: number;
    readonly triplesFromCache: number;
    readonly concepts: number;
    readonly links: number;
    readonly expansions: number;
    readonly rounds: number;
  };
}

/** Concepts by which a further round looks up passages. */
const ROUND_PHRASES = 10;

/**
 * Asks one question.
 * @throws the signal's reason when cancelled, and whatever a source throws
 */
export async function ask(
  question: string,
  sources: Sources,
  options: AskOptions,
  signal?: AbortSignal,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Answered> {
  const timings: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => T | Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await work();
    signal?.throwIfAborted();
    timings[step] = (timings[step] ?? 0) + performance.now() - from;
    return result;
  };

  const retrieved = await timed('retrieve', () =>
    sources.retriever.retrieve(question, options.passages, signal),
  );
  onProgress({ kind: 'passages', retrieved });
  const direction = await timed('direct', () =>
    direct(
      question,
      sources.director,
      { direction: options.direction, minConfidence: options.directionConfidence },
      signal,
    ),
  );
  onProgress({ kind: 'direction', direction });
  const phrases = await timed('match', () =>
    keyPhrases(question, sources.embedder, options.keyPhrases, options.phraseDiversity, signal),
  );
  const [query] = await timed('match', () => sources.embedder.embed([question], 'query', signal));
  const [plain] = await timed('match', () => sources.embedder.embed([question], 'concept', signal));

  const all: RetrievedPassage[] = [...retrieved];
  const triples: Triple[] = [];
  const counts = { passagesExtracted: 0, passagesFailed: 0, triplesExtracted: 0, triplesFromCache: 0 };
  let round = 0;
  let newest: readonly RetrievedPassage[] = retrieved;
  let graph: ReasoningGraph;
  let found: Found;
  let input: FinderInput;
  for (;;) {
    const passages = newest.map((entry) => entry.passage);
    const extracted = await timed('extract', () => sources.triples.triples(passages, signal));
    triples.push(...extracted.triples.filter((triple) => triple.confidence >= options.minConfidence));
    counts.passagesExtracted += extracted.passagesExtracted;
    counts.passagesFailed += extracted.failed;
    counts.triplesExtracted += extracted.extracted;
    counts.triplesFromCache += extracted.triples.length - extracted.extracted;
    onProgress({ kind: 'triples', round, triples: triples.length, passages: all.length });
    const resolution = await timed('resolve', () =>
      resolve(
        triples,
        sources.abbreviations,
        sources.embedder,
        { mergeAbove: options.mergeAbove, enabled: options.resolve },
        signal,
      ),
    );
    graph = await timed('build', () => build(triples, resolution));
    onProgress({ kind: 'graph', graph });
    const vectors = await timed('embed', () => linkVectors(graph, sources.embedder, signal));
    input = {
      question,
      direction: direction.label,
      graph,
      phrases,
      query: query!,
      plain: plain!,
      retrieved: [...all],
      vectors,
    };
    found = await timed('traverse', () =>
      options.method === 'paper' ? findPaperChains(input, options) : findChains(input, options),
    );
    onProgress({ kind: 'chains', chains: found.chains, graph });
    const room = options.passages + options.morePassages - all.length;
    if (round >= options.rounds || room <= 0 || graph.links.length === 0) break;
    newest = await timed('retrieve', () =>
      sources.retriever.mentioning(
        reached(graph, found),
        room,
        new Set(all.map((entry) => entry.passage.id)),
        signal,
      ),
    );
    if (newest.length === 0) break;
    round++;
    all.push(...newest.map((entry) => ({ ...entry, round })));
  }

  const probability = verdict(
    verdictFeatures(question, found.chains, graph, all, (hop) => found.judged.get(hop.link)?.logOdds ?? 0),
    found.chains.length > 0,
  );
  const answers = found.chains.length > 0 && probability >= options.answerAbove;
  const context = await timed('compile', () =>
    compileContext(found.chains, graph, all, options.contextWords),
  );
  const answer = await timed('answer', () =>
    answers ? compose(found.chains, graph, probability) : documentsDoNotSay(all, probability),
  );
  return {
    question,
    options,
    direction,
    retrieved: all,
    graph,
    phrases,
    starts: found.starts,
    chains: found.chains,
    judged: found.judged,
    input,
    context,
    answer,
    timings,
    counts: {
      passagesRead: all.length,
      ...counts,
      concepts: graph.concepts.length,
      links: graph.links.length,
      expansions: found.expansions,
      rounds: round,
    },
  };
}

/** Vectors of every link's ends and sentences. */
async function linkVectors(
  graph: ReasoningGraph,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<LinkVectors> {
  const { links } = graph;
  const cause = await embedder.embed(
    links.map((link) => link.triple.cause.text),
    'concept',
    signal,
  );
  const effect = await embedder.embed(
    links.map((link) => link.triple.effect.text),
    'concept',
    signal,
  );
  const sentence = await embedder.embed(
    links.map((link) => evidenceText(link.triple.passage, link.triple.evidence)),
    'passage',
    signal,
  );
  return { cause, effect, sentence };
}

/** The concepts at the ends of the likeliest links: by their words the next passages are looked up. */
function reached(graph: ReasoningGraph, found: Found): Phrase[] {
  const fromChains = found.chains.flatMap((chain) => chain.hops.map((hop) => hop.link));
  const likely = [...found.judged.entries()]
    .sort((a, b) => b[1].logOdds - a[1].logOdds)
    .map(([link]) => link);
  const phrases = new Map<number, Phrase>();
  for (const id of [...fromChains, ...likely]) {
    if (phrases.size >= ROUND_PHRASES) break;
    const link = graph.links[id]!;
    for (const concept of [link.cause, link.effect]) {
      const { name, vector } = graph.concepts[concept]!;
      phrases.set(concept, { text: name, vector });
    }
  }
  return [...phrases.values()].slice(0, ROUND_PHRASES);
}
