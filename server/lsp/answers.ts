/** The answers that can still be asked about: why a link, and what more a concept has. */
import type { Engine } from '../engine.ts';
import type { ExpandResult, ExplainResult, LinkView } from '../protocol.ts';
import type { Answered } from '../sarg/pipeline.ts';
import type { ConceptId, Link, LinkId, Triple } from '../sarg/types.ts';
import { conceptViews, linkView } from '../view.ts';

/** The answer asked about is not remembered any more. */
export class AnswerGoneError extends Error {
  override readonly name = 'AnswerGoneError';
  constructor() {
    super('The server does not remember this answer any more. Ask again, and then look further.');
  }
}

/** An answer with what was found around it since: ids go on from the answer's own. */
interface Kept {
  readonly engine: Engine;
  readonly answered: Answered;
  /** All triples known, the answer's first, with the ends' concepts. */
  links: readonly Link[];
  /** Vector of each concept by id, those of later expansions behind the answer's. */
  readonly vectors: Float32Array[];
}

/** Answers hold passages and vectors: only the latest are kept. */
const KEPT = 8;
/** Competing links shown with an explanation. */
const RIVALS = 8;
/** Wordings of a concept by which passages are looked up. */
const NAMES = 4;
/** Passages read for one expansion. */
const EXPAND_PASSAGES = 12;

export class Answers {
  readonly #kept = new Map<string, Kept>();
  #last = 0;

  /** @returns the name under which the answer is kept */
  keep(engine: Engine, answered: Answered): string {
    const name = `${process.pid}-${++this.#last}`;
    const vectors = answered.graph.concepts.map((concept) => concept.vector);
    this.#kept.set(name, { engine, answered, links: answered.graph.links, vectors });
    for (const old of [...this.#kept.keys()].slice(0, -KEPT)) this.#kept.delete(old);
    return name;
  }

  forget(): void {
    this.#kept.clear();
  }

  /** @throws AnswerGoneError, RangeError for a link that the answer does not have */
  explain(name: string, id: number): ExplainResult {
    const { answered, links } = this.#find(name);
    const link = links.find((candidate) => candidate.id === id);
    if (link === undefined) throw new RangeError(`The answer has no link ${id}.`);
    const { judged } = answered;
    const odds = (of: Link): number | null => judged.get(of.id)?.logOdds ?? null;
    const why = judged.get(link.id) ?? null;
    const better = [...judged.values()].filter((other) => why !== null && other.logOdds > why.logOdds).length;
    const rivals = links
      .filter((other) => other.id !== id && (other.cause === link.cause || other.effect === link.effect))
      .sort((a, b) => (odds(b) ?? Number.NEGATIVE_INFINITY) - (odds(a) ?? Number.NEGATIVE_INFINITY))
      .slice(0, RIVALS)
      .map((other) => ({ link: linkView(other), logOdds: odds(other) }));
    return {
      link: linkView(link),
      why: why && { logOdds: why.logOdds, parts: why.parts },
      rank: why === null ? links.length : better + 1,
      of: why === null ? links.length : judged.size,
      rivals,
    };
  }

  /**
   * Reads passages that mention the concept and gives what they add. What the answer holds keeps its ids.
   * @throws AnswerGoneError, RangeError, what reading throws, the signal's reason
   */
  async expand(name: string, concept: number, signal: AbortSignal): Promise<ExpandResult> {
    const kept = this.#find(name);
    const vector = kept.vectors[concept];
    if (vector === undefined) throw new RangeError(`The answer has no concept ${concept}.`);
    const names = new Set<string>();
    for (const { cause, effect, triple } of kept.links) {
      if (cause === concept) names.add(triple.cause.text);
      if (effect === concept) names.add(triple.effect.text);
    }
    const phrases = [...names].slice(0, NAMES).map((text) => ({ text, vector }));
    const read = new Set(kept.answered.retrieved.map((entry) => entry.passage.id));
    const triples = kept.links.map((link) => link.triple);
    const grown = await kept.engine.expand(triples, phrases, read, EXPAND_PASSAGES, signal);
    signal.throwIfAborted();
    return this.#merge(kept, concept as ConceptId, grown);
  }

  #merge(kept: Kept, concept: ConceptId, grown: Awaited<ReturnType<Engine['expand']>>): ExpandResult {
    const { triples, resolution } = grown;
    const before = kept.links.length;
    // A new concept is an old one where a known triple says so.
    const old = new Map<ConceptId, ConceptId>();
    for (const [at, link] of kept.links.entries()) {
      if (!old.has(resolution.causes[at]!)) old.set(resolution.causes[at]!, link.cause);
      if (!old.has(resolution.effects[at]!)) old.set(resolution.effects[at]!, link.effect);
    }
    const touched = new Set<ConceptId>();
    const links: LinkView[] = [];
    const added: Link[] = [];
    const seen = new Set(kept.links.map((link) => keyOf(link.triple)));
    for (let at = before; at < triples.length; at++) {
      const triple = triples[at]!;
      const ends = [resolution.causes[at]!, resolution.effects[at]!] as const;
      if (ends[0] === ends[1] || seen.has(keyOf(triple))) continue;
      seen.add(keyOf(triple));
      const [cause, effect] = ends.map((end) => old.get(end));
      if (cause !== concept && effect !== concept) continue;
      for (const end of ends) {
        if (!old.has(end))
          old.set(end, (kept.vectors.push(resolution.concepts[end]!.vector) - 1) as ConceptId);
        touched.add(end);
      }
      const id = nextId(kept.links, added);
      const link: Link = { id, cause: old.get(ends[0])!, effect: old.get(ends[1])!, triple };
      added.push(link);
      links.push(linkView(link));
    }
    kept.links = [...kept.links, ...added];
    const concepts = [...touched].map((end) => ({ ...resolution.concepts[end]!, id: old.get(end)! }));
    return { concepts: conceptViews(concepts), links };
  }

  #find(name: string): Kept {
    const kept = this.#kept.get(name);
    if (kept === undefined) throw new AnswerGoneError();
    return kept;
  }
}

function nextId(known: readonly Link[], added: readonly Link[]): LinkId {
  const last = added.at(-1) ?? known.at(-1);
  return ((last?.id ?? -1) + 1) as LinkId;
}

function keyOf({ passage, cause, effect }: Triple): string {
  return `${passage.id} ${cause.span.start} ${cause.span.end} ${effect.span.start} ${effect.span.end}`;
}
