/**
 * Everything known about one question, indexed for drawing: links are bundled to edges, hops find their chains, and
 * contradictions are told. Pure.
 */
import type { ChainView, ConceptView, HopView, LinkType, LinkView } from '../../server/protocol.ts';

/** One drawn arrow: all links of one type between the same two concepts; or the join between two hops of a chain. */
export interface Edge {
  readonly id: string;
  readonly kind: 'link' | 'join';
  readonly source: number;
  readonly target: number;
  /** Null for a join. */
  readonly type: LinkType | null;
  readonly negated: boolean;
  /** Every one of its links is stated only as possible. */
  readonly hedged: boolean;
  /** Best first: hops of chains, then by confidence. */
  readonly links: readonly LinkView[];
  /** Numbers of the hops that walk it. */
  readonly hops: readonly number[];
  /** Indices of the chains that walk it. */
  readonly chains: readonly number[];
  /** Another edge between the same two concepts says otherwise. */
  readonly contradicted: boolean;
  /** Similarity by which a join took two concepts as the same. */
  readonly similarity: number | null;
}

/** One concept as drawn. */
export interface Node {
  readonly id: number;
  readonly name: string;
  /** How often the documents mention it, at least 1. */
  readonly mentions: number;
  /** The search began here. */
  readonly start: boolean;
  readonly chains: readonly number[];
  readonly edges: readonly string[];
  readonly files: readonly string[];
}

export interface Knowledge {
  readonly concepts: ReadonlyMap<number, ConceptView>;
  readonly nodes: ReadonlyMap<number, Node>;
  readonly edges: ReadonlyMap<string, Edge>;
  readonly links: ReadonlyMap<number, LinkView>;
  readonly hops: ReadonlyMap<number, HopView>;
  /** Chain index of each hop number. */
  readonly chainOfHop: ReadonlyMap<number, number>;
  readonly edgeOfLink: ReadonlyMap<number, string>;
  readonly chains: readonly ChainView[];
  /** All files that links stand in, sorted. */
  readonly files: readonly string[];
  /** Types that occur. */
  readonly types: readonly LinkType[];
}

export interface Facts {
  readonly concepts: readonly ConceptView[];
  readonly links: readonly LinkView[];
  readonly chains: readonly ChainView[];
  readonly starts: readonly { readonly concept: number }[];
}

const RAISING: ReadonlySet<LinkType> = new Set(['causes', 'enables', 'increases']);
const LOWERING: ReadonlySet<LinkType> = new Set(['prevents', 'decreases']);

/** Indexes facts. Links that name a concept which is not listed still get a node, named by their own words. */
export function know({ concepts, links, chains, starts }: Facts): Knowledge {
  const allLinks = new Map<number, LinkView>();
  const hops = new Map<number, HopView>();
  const chainOfHop = new Map<number, number>();
  for (const link of links) allLinks.set(link.id, link);
  for (const [index, chain] of chains.entries()) {
    for (const hop of chain.hops) {
      hops.set(hop.number, hop);
      chainOfHop.set(hop.number, index);
      for (const link of [hop, ...hop.also]) if (!allLinks.has(link.id)) allLinks.set(link.id, link);
    }
  }

  const conceptById = new Map(concepts.map((concept) => [concept.id, concept]));
  for (const link of allLinks.values()) {
    for (const end of [link.cause, link.effect]) {
      if (!conceptById.has(end.concept))
        conceptById.set(end.concept, { id: end.concept, name: end.text, mentions: [] });
    }
  }

  const edges = bundle(allLinks, chains);
  const edgeOfLink = new Map<number, string>();
  for (const edge of edges.values()) for (const link of edge.links) edgeOfLink.set(link.id, edge.id);

  const startSet = new Set(starts.map((start) => start.concept));
  const nodes = new Map<number, Node>();
  const edgesOf = new Map<number, string[]>();
  const chainsOf = new Map<number, Set<number>>();
  const filesOf = new Map<number, Set<string>>();
  for (const edge of edges.values()) {
    for (const end of new Set([edge.source, edge.target])) {
      push(edgesOf, end, edge.id);
      for (const chain of edge.chains) add(chainsOf, end, chain);
      for (const link of edge.links) add(filesOf, end, link.evidence.file);
    }
  }
  for (const concept of conceptById.values()) {
    for (const mention of concept.mentions) add(filesOf, concept.id, mention.place.file);
    nodes.set(concept.id, {
      id: concept.id,
      name: concept.name.trim() || '(no words)',
      mentions: Math.max(1, concept.mentions.length),
      start: startSet.has(concept.id),
      chains: [...(chainsOf.get(concept.id) ?? [])].sort((a, b) => a - b),
      edges: edgesOf.get(concept.id) ?? [],
      files: [...(filesOf.get(concept.id) ?? [])],
    });
  }

  return {
    concepts: conceptById,
    nodes,
    edges,
    links: allLinks,
    hops,
    chainOfHop,
    edgeOfLink,
    chains,
    files: [...new Set([...allLinks.values()].map((link) => link.evidence.file))].sort(),
    types: [...new Set([...allLinks.values()].map((link) => link.type))],
  };
}

function bundle(links: ReadonlyMap<number, LinkView>, chains: readonly ChainView[]): Map<string, Edge> {
  const groups = new Map<string, LinkView[]>();
  for (const link of links.values()) push(groups, edgeId(link), link);

  const hopsOfEdge = new Map<string, Set<number>>();
  const chainsOfEdge = new Map<string, Set<number>>();
  const hopLinks = new Set<number>();
  const joins = new Map<string, Edge>();
  for (const [index, chain] of chains.entries()) {
    for (const [at, hop] of chain.hops.entries()) {
      hopLinks.add(hop.id);
      add(hopsOfEdge, edgeId(hop), hop.number);
      add(chainsOfEdge, edgeId(hop), index);
      const before = chain.hops[at - 1];
      if (!before || before.effect.concept === hop.cause.concept) continue;
      const id = `join:${before.effect.concept}>${hop.cause.concept}`;
      joins.set(id, {
        id,
        kind: 'join',
        source: before.effect.concept,
        target: hop.cause.concept,
        type: null,
        negated: false,
        hedged: false,
        links: [],
        hops: [],
        chains: [...new Set([...(joins.get(id)?.chains ?? []), index])],
        contradicted: false,
        similarity: hop.join?.kind === 'taken-as-same' ? hop.join.similarity : null,
      });
    }
  }

  const sides = new Map<string, { raises: boolean; lowers: boolean; denies: boolean }>();
  for (const link of links.values()) {
    const pair = `${link.cause.concept}>${link.effect.concept}`;
    const side = sides.get(pair) ?? { raises: false, lowers: false, denies: false };
    if (link.negated) side.denies = true;
    else if (RAISING.has(link.type)) side.raises = true;
    else if (LOWERING.has(link.type)) side.lowers = true;
    sides.set(pair, side);
  }

  const edges = new Map<string, Edge>();
  for (const [id, group] of groups) {
    const first = group[0]!;
    const side = sides.get(`${first.cause.concept}>${first.effect.concept}`)!;
    const asserted = side.raises || side.lowers;
    group.sort(
      (a, b) => Number(hopLinks.has(b.id)) - Number(hopLinks.has(a.id)) || b.confidence - a.confidence,
    );
    edges.set(id, {
      id,
      kind: 'link',
      source: first.cause.concept,
      target: first.effect.concept,
      type: first.type,
      negated: first.negated,
      hedged: group.every((link) => link.hedged),
      links: group,
      hops: [...(hopsOfEdge.get(id) ?? [])].sort((a, b) => a - b),
      chains: [...(chainsOfEdge.get(id) ?? [])].sort((a, b) => a - b),
      contradicted: first.negated
        ? asserted
        : (side.denies && (RAISING.has(first.type) || LOWERING.has(first.type))) ||
          (side.raises && LOWERING.has(first.type)) ||
          (side.lowers && RAISING.has(first.type)),
      similarity: null,
    });
  }
  for (const join of joins.values()) edges.set(join.id, join);
  return edges;
}

function edgeId(link: LinkView): string {
  return `${link.cause.concept}>${link.effect.concept}:${link.type}${link.negated ? ':not' : ''}`;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function add<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}
