/** Stand-ins for the method's tests: passages and triples from plain sentences, and sources that keep what they are asked. */
import type { Abbreviation } from '../../../server/sarg/abbreviations.ts';
import { build } from '../../../server/sarg/build.ts';
import { extract } from '../../../server/sarg/extract.ts';
import type { Sources } from '../../../server/sarg/pipeline.ts';
import { type Resolution, resolve } from '../../../server/sarg/resolve.ts';
import type {
  Concept,
  ConceptId,
  DirectionLabel,
  Embedder,
  Link,
  LinkId,
  LinkType,
  Passage,
  PassageId,
  ReasoningGraph,
  RetrievedPassage,
  Triple,
} from '../../../server/sarg/types.ts';
import { dot } from '../../../server/sarg/vectors.ts';
import { stems } from '../../../server/sarg/words.ts';
import { fakeVector } from '../workspace/fakes.ts';

export function passageOf(text: string, file = 'notes.md', ordinal = 0): Passage {
  const sentences = [...text.matchAll(/[^.!?。]+[.!?。]?\s*/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].trimEnd().length,
  }));
  return {
    id: `${file}#${ordinal}` as PassageId,
    file,
    title: file,
    headings: [],
    text,
    sentences,
    source: {
      text,
      offset: 0,
      position: { line: 0, character: 0 },
      segments: [0, text.length, 0, text.length],
    },
    ordinal,
  };
}

/** A triple marked by hand: ‹cause› and «effect» in the text, the marks taken out of it. */
export function marked(
  text: string,
  more: Partial<Pick<Triple, 'type' | 'negated' | 'hedged' | 'confidence'>> & {
    file?: string;
    ordinal?: number;
  } = {},
): Triple {
  const plain = text.replace(/[‹›«»]/g, '');
  const span = (open: string, close: string) => {
    const before = (end: number) => text.slice(0, end).replace(/[‹›«»]/g, '').length;
    return { start: before(text.indexOf(open)), end: before(text.indexOf(close)) };
  };
  const { file, ordinal, ...rest } = more;
  const { triples, rejected } = extract(
    passageOf(plain, file, ordinal),
    [
      {
        cause: span('‹', '›'),
        effect: span('«', '»'),
        relation: null,
        type: 'causes',
        negated: false,
        hedged: false,
        confidence: 1,
        ...rest,
      },
    ],
    'marked by hand',
  );
  if (triples.length !== 1) throw new Error(`"${text}" gives no triple: ${JSON.stringify(rejected)}`);
  return triples[0]!;
}

/** A triple of "CAUSE leads to EFFECT." in a passage of its own. */
export function tripleOf(cause: string, effect: string, more: Parameters<typeof marked>[1] = {}): Triple {
  return marked(`‹${cause}› leads to «${effect}».`, more);
}

/** Hashed words: texts with the same words have the same vector, others hardly meet. */
export class WordEmbedder implements Embedder {
  readonly dimensions = 32;
  readonly asked: string[] = [];
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.asked.push(...texts);
    return texts.map((text) => fakeVector(stems(text).join(' '), this.dimensions));
  }
}

/** Vectors said one by one; a text not named gets a direction of its own. */
export function saidEmbedder(said: Readonly<Record<string, readonly number[]>>): Embedder {
  const own = new Map<string, number>();
  const dimensions = 64;
  return {
    dimensions,
    embed: async (texts) =>
      texts.map((text) => {
        const vector = new Float32Array(dimensions);
        const known = said[text];
        if (known) vector.set(known.map((value) => value / Math.hypot(...known)));
        else {
          if (!own.has(text)) own.set(text, own.size);
          vector[8 + (own.get(text)! % (dimensions - 8))] = 1;
        }
        return vector;
      }),
  };
}

export interface Settings {
  readonly abbreviations?: readonly Abbreviation[];
  readonly mergeAbove?: number;
  readonly enabled?: boolean;
  readonly embedder?: Embedder;
}

export function resolved(triples: readonly Triple[], settings: Settings = {}): Promise<Resolution> {
  return resolve(triples, settings.abbreviations ?? [], settings.embedder ?? new WordEmbedder(), {
    mergeAbove: settings.mergeAbove ?? 2,
    enabled: settings.enabled ?? true,
  });
}

export async function graphOf(triples: readonly Triple[], settings: Settings = {}): Promise<ReasoningGraph> {
  return build(triples, await resolved(triples, settings));
}

export interface Edge {
  readonly cause: number;
  readonly effect: number;
  readonly negated?: boolean;
  readonly hedged?: boolean;
  readonly type?: LinkType;
}

/** A graph of numbered concepts; each one's vector by `vectorOf`. */
export function syntheticGraph(
  count: number,
  edges: readonly Edge[],
  vectorOf: (concept: number) => Float32Array = () => new Float32Array([1]),
): ReasoningGraph {
  const concepts = Array.from(
    { length: count },
    (_, at): Concept => ({ id: at as ConceptId, name: `c${at}`, mentions: [], vector: vectorOf(at) }),
  );
  const outgoing: LinkId[][] = concepts.map(() => []);
  const incoming: LinkId[][] = concepts.map(() => []);
  // One triple of a kind serves all its links: what a graph's walk looks at is the kind alone.
  const kinds = new Map<string, Triple>();
  const links = edges.map(({ cause, effect, ...more }, at): Link => {
    outgoing[cause]!.push(at as LinkId);
    incoming[effect]!.push(at as LinkId);
    const kind = JSON.stringify(more);
    if (!kinds.has(kind)) kinds.set(kind, tripleOf('one thing', 'another', more));
    return {
      id: at as LinkId,
      cause: cause as ConceptId,
      effect: effect as ConceptId,
      triple: kinds.get(kind)!,
    };
  });
  return { concepts, links, outgoing, incoming };
}

/** Names of a chain's concepts in order. */
export function namesOf(graph: ReasoningGraph, hops: readonly { readonly link: LinkId }[]): string[] {
  const links = hops.map((hop) => graph.links[hop.link]!);
  return [
    ...links.slice(0, 1).map((link) => graph.concepts[link.cause]!.name),
    ...links.map((link) => graph.concepts[link.effect]!.name),
  ];
}

/** Sources over triples in memory; retrieval ranks passages by hashed words. */
export function memorySources(
  triples: readonly Triple[],
  more: {
    readonly direction?: DirectionLabel;
    readonly extra?: readonly Passage[];
    readonly failing?: number;
  } = {},
): Sources & { readonly calls: string[]; readonly embedder: WordEmbedder } {
  const passages = [
    ...new Map(
      [...triples.map((triple) => triple.passage), ...(more.extra ?? [])].map((p) => [p.id, p]),
    ).values(),
  ];
  const embedder = new WordEmbedder();
  const calls: string[] = [];
  const read = new Set<PassageId>();
  const rank = async (
    query: string,
    among: readonly Passage[],
    limit: number,
  ): Promise<RetrievedPassage[]> => {
    const [question, ...vectors] = await embedder.embed([query, ...among.map((passage) => passage.text)]);
    return among
      .map((passage, at) => ({ passage, similarity: dot(question!, vectors[at]!), score: 0, round: 0 }))
      .sort((a, b) => b.similarity - a.similarity || (a.passage.id < b.passage.id ? -1 : 1))
      .slice(0, limit)
      .map((entry, at) => ({ ...entry, score: 1 / (60 + at) }));
  };
  return {
    calls,
    embedder,
    abbreviations: [],
    retriever: {
      retrieve: async (query, limit) => {
        calls.push('retrieve');
        return rank(query, passages, limit);
      },
      mentioning: async (phrases, limit, exclude) => {
        calls.push('mentioning');
        return rank(
          phrases.map((phrase) => phrase.text).join(' '),
          passages.filter((passage) => !exclude.has(passage.id)),
          limit,
        );
      },
    },
    triples: {
      triples: async (asked) => {
        calls.push('triples');
        const ids = new Set(asked.map((passage) => passage.id));
        const fresh = new Set([...ids].filter((id) => !read.has(id)));
        for (const id of ids) read.add(id);
        const found = triples.filter((triple) => ids.has(triple.passage.id));
        return {
          triples: found,
          extracted: found.filter((triple) => fresh.has(triple.passage.id)).length,
          passagesExtracted: fresh.size,
          failed: more.failing ?? 0,
        };
      },
    },
    director: {
      direct: async (queries) => {
        calls.push('direct');
        const label = more.direction ?? 'backward';
        return queries.map(() => ({
          label,
          scores: { forward: 0.05, backward: 0.05, bidirectional: 0.05, [label]: 0.9 },
        }));
      },
    },
  };
}
