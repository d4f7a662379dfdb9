/**
 * The default way to the chains: judge every link, let activation spread over the joins, search for the chains that
 * gather most, and choose a set that covers the question. The paper's plain way is {@link findPaperChains}; both take
 * and give the same, so that they can be exchanged and measured.
 */
import type { Chain, Join, Start } from './chains.ts';
import { cover } from './cover.ts';
import { JOIN_FEATURES, type JoinEnd, joinEnd, judgeJoin, type Rarity } from './joins.ts';
import { type KeyPhrase, matchStarts } from './match.ts';
import type { AskOptions } from './options.ts';
import { LINK_FEATURES, type LinkSigns, linkFeatures, type QuestionSigns, standardise } from './relevance.ts';
import { type Passing, search } from './search.ts';
import { select } from './select.ts';
import { traverse } from './traverse.ts';
import type {
  ConceptId,
  DirectionLabel,
  Link,
  LinkId,
  Passage,
  ReasoningGraph,
  RetrievedPassage,
} from './types.ts';
import { dot, mayReach, meanUnit, screened, weigh } from './vectors.ts';
import { JOIN_WEIGHTS, LINK_WEIGHTS } from './weights.ts';
import { stemSet, stems, topicStems } from './words.ts';

/** What a finder is asked with. */
export interface FinderInput {
  readonly question: string;
  readonly direction: DirectionLabel;
  readonly graph: ReasoningGraph;
  readonly phrases: readonly KeyPhrase[];
  /** The question embedded like a passage's question, and like a concept (equation 5). */
  readonly query: Float32Array;
  readonly plain: Float32Array;
  /** What was read, with its similarity to the question. */
  readonly retrieved: readonly RetrievedPassage[];
  readonly vectors: LinkVectors;
}

/** Vectors of links by place in `graph.links`. */
export interface LinkVectors {
  readonly cause: readonly Float32Array[];
  readonly effect: readonly Float32Array[];
  readonly sentence: readonly Float32Array[];
}

export interface Found {
  readonly chains: Chain[];
  readonly starts: Start[];
  readonly expansions: number;
  /** Log-odds of each link to belong to the answer, with the parts by sign; empty for the paper's way. */
  readonly judged: ReadonlyMap<LinkId, Judged>;
}

export interface Judged {
  readonly logOdds: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** The numbers of the default search that no person needs to set. */
export interface FinderTuning {
  readonly link: readonly number[];
  readonly join: readonly number[];
  /** Added to every link's log-odds: a link better than its negative is worth taking by itself. */
  readonly bar: number;
  readonly joinScale: number;
  /** Log-odds below which a join is not tried. */
  readonly minJoin: number;
  /** How much spread activation counts. */
  readonly activation: number;
  readonly seeds: number;
  readonly minGain: number;
  /** Links kept for searching, best first: what lies far below never gets into a chain. */
  readonly maxLinks: number;
}

export const FINDER_TUNING: FinderTuning = {
  link: LINK_FEATURES.map((name) => LINK_WEIGHTS[name]),
  join: JOIN_FEATURES.map((name) => JOIN_WEIGHTS[name]),
  bar: 4,
  joinScale: 1,
  minJoin: -3,
  activation: 0.7,
  seeds: 30,
  minGain: -1,
  maxLinks: 160,
};

/** Two concepts nearer than this are one for the rule that no concept is entered twice. */
const ALIKE = 0.9;

/** Chains by judged links and priced joins. */
export function findChains(
  input: FinderInput,
  options: AskOptions,
  tuning: FinderTuning = FINDER_TUNING,
): Found {
  const { graph } = input;
  const question = questionSigns(input);
  const walkable = graph.links.filter(
    (link) => !link.triple.negated && (options.hedged || !link.triple.hedged),
  );
  const rows = linkFeatures(signsOf(walkable, input), question);
  const first = rows.map((row) => weigh(tuning.link, row));
  const order = first
    .map((_, at) => at)
    .sort((a, b) => first[b]! - first[a]! || a - b)
    .slice(0, tuning.maxLinks);
  const links = order.map((at) => walkable[at]!);
  const raw = order.map((at) => first[at]!);
  const passings = joinLinks(links, input, question.rarity, options, tuning);
  const active = activation(raw, passings);
  const prizes = raw.map((value, at) => value + tuning.activation * active[at]! + tuning.bar);
  const judged = new Map<LinkId, Judged>();
  for (const [at, link] of links.entries()) {
    const parts: Record<string, number> = {};
    for (const [column, name] of LINK_FEATURES.entries())
      parts[name] = tuning.link[column]! * rows[order[at]!]![column]!;
    parts['activation'] = tuning.activation * active[at]!;
    judged.set(link.id, { logOdds: prizes[at]! - tuning.bar, parts });
  }
  const alike = likeness(links, graph);
  const found = search(
    { graph, links: links.map((link) => link.id), prizes, ...passings, alike },
    { width: Math.max(options.beam * 2, 2), maxHops: options.maxHops, seeds: tuning.seeds },
  );
  const prizeOf = new Map(links.map((link, at) => [link.id, prizes[at]!]));
  const ending = found.chains.map((chain) => {
    const past = -PAST_PRICE * hopsPast(chain, graph, question);
    return past === 0 ? chain : { ...chain, score: chain.score + past, parts: { ...chain.parts, past } };
  });
  const chains = cover(ending, graph, (link) => prizeOf.get(link) ?? 0, options.top, tuning.minGain);
  const starts = matchStarts(input.phrases, graph.concepts, options.threshold, options.starts);
  return { chains, starts, expansions: found.expansions, judged };
}

/** What each hop costs that lies past the end that the question names. */
const PAST_PRICE = 0.5;

/**
 * Hops that nobody asked for: in a chain to what the question names (backward), those after the last hop whose effect
 * names it best; in a chain from it (forward), those before the first hop whose cause does.
 */
export function hopsPast(
  chain: Pick<Chain, 'hops'>,
  graph: ReasoningGraph,
  question: Pick<QuestionSigns, 'direction' | 'topic' | 'rarity'>,
): number {
  const { direction } = question;
  if (direction === 'bidirectional') return 0;
  const side = direction === 'backward' ? 'effect' : 'cause';
  const named = chain.hops.map((hop) => {
    const own = stemSet(graph.links[hop.link]!.triple[side].text);
    let sum = 0;
    for (const stem of question.topic) if (own.has(stem)) sum += question.rarity(stem);
    return sum;
  });
  const most = Math.max(...named);
  if (most === 0) return 0;
  return direction === 'backward' ? named.length - 1 - named.lastIndexOf(most) : named.indexOf(most);
}

/** Chains as the paper has them: equation 3's starts, equation 5's beam, section 3.6's selection. */
export function findPaperChains(input: FinderInput, options: AskOptions): Found {
  const starts = matchStarts(input.phrases, input.graph.concepts, options.threshold, options.starts);
  const walk = { width: options.beam, maxHops: options.maxHops, hedged: options.hedged };
  const { chains, expansions } = traverse(input.graph, starts, input.plain, input.direction, walk);
  return { chains: select(chains, input.graph, options.top), starts, expansions, judged: new Map() };
}

export function questionSigns(input: FinderInput): QuestionSigns {
  return {
    query: input.query,
    phrases: input.phrases.map((phrase) => phrase.vector),
    topic: new Set(topicStems(input.question)),
    direction: input.direction,
    rarity: rarityAmong(input.graph.links),
  };
}

/** What is known about each link before the question is looked at. */
export function signsOf(links: readonly Link[], input: FinderInput): LinkSigns[] {
  const read = new Map(input.retrieved.map((entry) => [entry.passage.id, entry]));
  const files = new Map<string, number>();
  for (const { passage, similarity } of input.retrieved) {
    files.set(passage.file, Math.max(files.get(passage.file) ?? -1, similarity));
  }
  return links.map((link) => ({
    link,
    cause: input.vectors.cause[link.id]!,
    effect: input.vectors.effect[link.id]!,
    sentence: input.vectors.sentence[link.id]!,
    // The two ends together stand for the link's own words: a vector of them would cost as much as all the rest.
    words: meanUnit([input.vectors.cause[link.id]!, input.vectors.effect[link.id]!], input.query.length),
    passageSimilarity: read.get(link.triple.passage.id)?.similarity ?? 0,
    fileSimilarity: files.get(link.triple.passage.file) ?? 0,
    round: read.get(link.triple.passage.id)?.round ?? 0,
  }));
}

/** ln(N / links with the stem) over ln N, 0 for a stem in every link and 1 for one in none. */
export function rarityAmong(links: readonly Link[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { triple } of links) {
    for (const stem of new Set([...stems(triple.cause.text), ...stems(triple.effect.text)])) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
  }
  const total = Math.log(links.length + 2);
  return (stem) => Math.log((links.length + 1) / ((counts.get(stem) ?? 0) + 1)) / total;
}

interface Passings {
  readonly forward: Passing[][];
  readonly backward: Passing[][];
}

/** Both ends of each link, as the judgement of joins needs them. */
export function joinEnds(
  links: readonly Link[],
  input: FinderInput,
): { causes: JoinEnd[]; effects: JoinEnd[] } {
  const end = (link: Link, side: 'cause' | 'effect'): JoinEnd =>
    joinEnd(
      link.triple[side],
      link.triple.passage,
      input.vectors[side][link.id]!,
      input.vectors.sentence[link.id]!,
    );
  return {
    causes: links.map((link) => end(link, 'cause')),
    effects: links.map((link) => end(link, 'effect')),
  };
}

/**
 * Tells which of the links' concepts are one for the rule that no concept is entered twice. A search asks the same pairs
 * thousands of times, so each answer is kept.
 */
function likeness(links: readonly Link[], graph: ReasoningGraph): (a: ConceptId, b: ConceptId) => boolean {
  const concepts = [...new Set(links.flatMap((link) => [link.cause, link.effect]))];
  const rowOf = new Int32Array(graph.concepts.length);
  for (const [row, concept] of concepts.entries()) rowOf[concept] = row;
  const vectors = concepts.map((concept) => screened(graph.concepts[concept]!.vector));
  // 0 not asked yet, 1 different, 2 alike.
  const known = new Uint8Array(concepts.length ** 2);
  return (a, b) => {
    if (a === b) return true;
    const [one, other] = a < b ? [rowOf[a]!, rowOf[b]!] : [rowOf[b]!, rowOf[a]!];
    const at = one * concepts.length + other;
    if (known[at] === 0) {
      const [left, right] = [vectors[one]!, vectors[other]!];
      known[at] = mayReach(left, right, ALIKE) && dot(left.vector, right.vector) > ALIKE ? 2 : 1;
    }
    return known[at] === 2;
  };
}

/** Every way to go on from one link to another: through one concept for free, through a near one at a price. */
export function joinLinks(
  links: readonly Link[],
  input: FinderInput,
  rarity: Rarity,
  options: AskOptions,
  tuning: FinderTuning,
): Passings {
  const forward: Passing[][] = links.map(() => []);
  const backward: Passing[][] = links.map(() => []);
  const { causes, effects } = joinEnds(links, input);
  const pass = (from: number, to: number, value: number, join: Join): void => {
    forward[from]!.push({ to, value, join });
    backward[to]!.push({ to: from, value, join });
  };
  for (let from = 0; from < links.length; from++) {
    for (let to = 0; to < links.length; to++) {
      if (from === to) continue;
      if (links[from]!.effect === links[to]!.cause) {
        pass(from, to, 0, { kind: 'same' });
        continue;
      }
      if (!options.joins) continue;
      const judged = judgeJoin(effects[from]!, causes[to]!, rarity, tuning.join, tuning.minJoin);
      if (judged === null) continue;
      const value = Math.min(0, judged.logOdds * tuning.joinScale);
      pass(from, to, value, { kind: 'near', similarity: judged.similarity, price: -value });
    }
  }
  return { forward, backward };
}

/** Chance of stopping at each step of the random walk, and number of steps. */
const RESTART = 0.4;
const STEPS = 8;

/**
 * Personalised PageRank over the links: a link that many likely links lead to is likelier itself. Restart at links in
 * proportion to their odds. Gives the logarithm, standardised.
 */
export function activation(logOdds: readonly number[], passings: Passings): number[] {
  const odds = logOdds.map((value) => Math.exp(Math.min(value, 20)));
  const total = odds.reduce((sum, value) => sum + value, 0) || 1;
  const restart = odds.map((value) => value / total);
  const ways = logOdds.map((_, at) =>
    [...passings.forward[at]!, ...passings.backward[at]!].map(({ to, value }) => ({
      to,
      weight: Math.exp(value),
    })),
  );
  const outs = ways.map((list) => list.reduce((sum, way) => sum + way.weight, 0));
  let mass = restart;
  for (let step = 0; step < STEPS; step++) {
    const next = restart.map((value) => value * RESTART);
    for (const [at, own] of mass.entries()) {
      const out = outs[at]!;
      if (out === 0) next[at] = next[at]! + (1 - RESTART) * own;
      else
        for (const way of ways[at]!) next[way.to] = next[way.to]! + ((1 - RESTART) * own * way.weight) / out;
    }
    mass = next;
  }
  return standardise(mass.map((value) => Math.log(value + 1e-6)));
}

/** A link's evidence sentences. */
export function evidenceText(
  passage: Passage,
  span: { readonly start: number; readonly end: number },
): string {
  return passage.text.slice(span.start, span.end).replace(/\s+/g, ' ');
}
