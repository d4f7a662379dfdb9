/**
 * Entity resolution: mentions that name the same thing become one concept, over documents (paper, section 3.3).
 * Merges are conservative, because a wrong one turns two stories into one: same words; same stems in any order;
 * an abbreviation and its expansion; a person's name in its forms; vectors nearer than a threshold. Opposites, other
 * numbers and other names are never merged. Every mention keeps its own words and the reason it was put where it is.
 */

import type { Abbreviation } from './abbreviations.ts';
import { remembered } from './memory.ts';
import { difference } from './opposites.ts';
import { areTwoPeople, type Person, peopleAmong } from './people.ts';
import type { Concept, ConceptId, ConceptMention, Embedder, MergeReason, Triple } from './types.ts';
import { dot, mayReach, meanUnit, type Screened, screened } from './vectors.ts';
import { fold, isContentFree, stems, words } from './words.ts';

export interface ResolveOptions {
  /** Cosine of two names from which they are one concept; over 1 switches merging by likeness off. */
  readonly mergeAbove: number;
  /** False leaves every different wording a concept of its own. */
  readonly enabled: boolean;
}

export interface Resolution {
  readonly concepts: Concept[];
  /** Concept of each triple's cause and effect, by the triple's place in the list given. */
  readonly causes: ConceptId[];
  readonly effects: ConceptId[];
}

/** One wording, with all the places it stands in. */
interface Wording {
  readonly key: string;
  readonly text: string;
  readonly at: { readonly triple: number; readonly side: 'cause' | 'effect' }[];
}

/**
 * Groups the causes and effects of the triples into concepts.
 * @param abbreviations short forms with their expansions, from anywhere in the folder
 */
export async function resolve(
  triples: readonly Triple[],
  abbreviations: readonly Abbreviation[],
  embedder: Embedder,
  options: ResolveOptions,
  signal?: AbortSignal,
): Promise<Resolution> {
  const wordings = collect(triples);
  const vectors = await embedder.embed(
    wordings.map((wording) => wording.text),
    'concept',
    signal,
  );
  signal?.throwIfAborted();
  const groups = options.enabled
    ? group(wordings, vectors, abbreviations, options.mergeAbove)
    : wordings.map((_, index) => [{ index, reason: SAME_WORDS }]);
  return assemble(triples, wordings, vectors, groups, embedder.dimensions);
}

function collect(triples: readonly Triple[]): Wording[] {
  const out = new Map<string, Wording>();
  const add = (text: string, triple: number, side: 'cause' | 'effect'): void => {
    // "It" here and "it" there are two things: a wording without content stands for itself alone.
    const key = isContentFree(text) ? `${triple} ${side}` : wordsInOne(text);
    let wording = out.get(key);
    if (!wording) {
      wording = { key, text: text.replace(/\s+/g, ' '), at: [] };
      out.set(key, wording);
    }
    wording.at.push({ triple, side });
  };
  for (const [index, triple] of triples.entries()) {
    add(triple.cause.text, index, 'cause');
    add(triple.effect.text, index, 'effect');
  }
  return [...out.values()];
}

const wordsInOne = remembered((text) => words(text).join(' '));

interface Member {
  readonly index: number;
  readonly reason: MergeReason;
}

/** A key by which wordings meet, and why they do. */
interface Key {
  readonly key: string;
  readonly reason: MergeReason;
}

/**
 * First the merges by words, then those by likeness. Wordings are taken in an order of their own, so that the concepts
 * do not depend on the order of the triples; no member of a concept contradicts another.
 */
function group(
  wordings: readonly Wording[],
  vectors: readonly Float32Array[],
  abbreviations: readonly Abbreviation[],
  mergeAbove: number,
): Member[][] {
  const expand = expanderOf(abbreviations);
  const expanded = wordings.map((wording) => expand(wording.text));
  const people = peopleAmong(wordings.map(({ text }) => text));
  const person = wordings.map((wording) => people(wording.text));
  const agree = (a: number, b: number): boolean =>
    difference(expanded[a]!.text, expanded[b]!.text) === null && !areTwoPeople(person[a]!, person[b]!);
  const agreeAll = (a: readonly Member[], b: readonly Member[]): boolean =>
    a.every((one) => b.every((other) => agree(one.index, other.index)));
  const order = wordings
    .map((_, index) => index)
    .sort(
      (a, b) =>
        wordings[b]!.at.length - wordings[a]!.at.length || (wordings[a]!.key < wordings[b]!.key ? -1 : 1),
    );

  const exact = new Set<Member[]>();
  const byKey = new Map<string, { readonly by: number; readonly key: Key; readonly group: Member[] }[]>();
  // Where the members of a group went that was merged into another.
  const merged = new Map<Member[], Member[]>();
  const now = (own: Member[]): Member[] => {
    let at = own;
    for (let next = merged.get(at); next !== undefined; next = merged.get(at)) at = next;
    return at;
  };
  for (const index of order) {
    const wording = wordings[index]!;
    if (isContentFree(wording.text)) {
      exact.add([{ index, reason: SAME_WORDS }]);
      continue;
    }
    const keys = keysOf(wording.text, expanded[index]!, person[index]!);
    let home: Member[] | null = null;
    for (const key of keys) {
      for (const entry of byKey.get(key.key) ?? []) {
        const known = now(entry.group);
        if (known === home) continue;
        if (key.key.startsWith('bag') && !sameReordered(expanded[index]!.text, expanded[entry.by]!.text))
          continue;
        if (!agreeAll(home ?? [{ index, reason: SAME_WORDS }], known)) continue;
        if (home === null) {
          const reason = key.reason.kind === 'abbreviation' ? key.reason : entry.key.reason;
          known.push({ index, reason: reason.kind === 'abbreviation' ? reason : key.reason });
          home = known;
        } else {
          home.push(...known);
          exact.delete(known);
          merged.set(known, home);
        }
      }
    }
    if (home === null) {
      home = [{ index, reason: SAME_WORDS }];
      exact.add(home);
    }
    for (const key of keys) {
      const entries = byKey.get(key.key);
      const entry = { by: index, key, group: home };
      if (entries) entries.push(entry);
      else byKey.set(key.key, [entry]);
    }
  }
  const groups =
    mergeAbove > 1 ? [...exact] : byLikeness([...exact], wordings, vectors, agreeAll, mergeAbove);
  const first = (members: readonly Member[]): number => Math.min(...members.map(({ index }) => index));
  return groups.sort((a, b) => first(a) - first(b));
}

/**
 * Each concept is likened by its founder alone, the wording most used: chains of near things drift.
 */
function byLikeness(
  exact: readonly Member[][],
  wordings: readonly Wording[],
  vectors: readonly Float32Array[],
  agreeAll: (a: readonly Member[], b: readonly Member[]) => boolean,
  mergeAbove: number,
): Member[][] {
  const groups: Member[][] = [];
  // Those that others may be likened to, with their founders' vectors.
  const founded: { readonly members: Member[]; readonly vector: Screened }[] = [];
  for (const members of exact) {
    const founder = members[0]!.index;
    if (isContentFree(wordings[founder]!.text)) {
      groups.push([...members]);
      continue;
    }
    const vector = screened(vectors[founder]!);
    let best = mergeAbove;
    let home: Member[] | null = null;
    for (const other of founded) {
      if (!mayReach(vector, other.vector, best)) continue;
      const similarity = dot(vector.vector, other.vector.vector);
      if (similarity >= best && agreeAll(members, other.members)) [best, home] = [similarity, other.members];
    }
    if (home === null) {
      const own = [...members];
      groups.push(own);
      founded.push({ members: own, vector });
    } else home.push({ index: founder, reason: { kind: 'similar', similarity: best } }, ...members.slice(1));
  }
  return groups;
}

const SAME_WORDS: MergeReason = { kind: 'same-words' };

function keysOf(text: string, expanded: Expanded, person: Person | null): Key[] {
  const own = stems(text);
  const bag = (list: readonly string[]): string => `bag ${list.toSorted().join(' ')}`;
  const keys: Key[] = [
    { key: `stems ${own.join(' ')}`, reason: { kind: 'same-stems' } },
    { key: bag(own), reason: { kind: 'word-order' } },
  ];
  if (expanded.used)
    keys.push({ key: bag(stems(expanded.text)), reason: { kind: 'abbreviation', ...expanded.used } });
  if (person !== null)
    keys.push({ key: `person ${person.family} ${person.given}`, reason: { kind: 'same-stems' } });
  return keys;
}

const LITTLE_WORDS = /[\p{L}]+/gu;
const LINKING = new Set('of in at on for with within s'.split(' '));
const WAYS = new Set(
  'to from into onto by than against over under before after through via versus vs towards toward'.split(' '),
);

/**
 * Whether a change of order leaves the sense: "pump failure" and "failure of the pump", not "customers attacked staff"
 * and "staff attacked customers". The one must say by a linking word what the other says by its order.
 */
function sameReordered(a: string, b: string): boolean {
  if (stems(a).join(' ') === stems(b).join(' ')) return true;
  const little = (text: string, of: ReadonlySet<string>): string[] =>
    (fold(text).match(LITTLE_WORDS) ?? []).filter((word) => of.has(word)).sort();
  if (little(a, WAYS).length + little(b, WAYS).length > 0) return false;
  return little(a, LINKING).join(' ') !== little(b, LINKING).join(' ');
}

interface Expanded {
  readonly text: string;
  readonly used: Abbreviation | null;
}

/** One list of abbreviations serves all questions of a folder, until the folder changes. */
const expanders = new WeakMap<readonly Abbreviation[], (text: string) => Expanded>();

function expanderOf(abbreviations: readonly Abbreviation[]): (text: string) => Expanded {
  let expand = expanders.get(abbreviations);
  if (expand === undefined) {
    expand = remembered(expander(abbreviations));
    expanders.set(abbreviations, expand);
  }
  return expand;
}

/** Replaces explained short forms by their long forms. */
function expander(abbreviations: readonly Abbreviation[]): (text: string) => Expanded {
  const longs = new Map<string, Abbreviation | null>();
  for (const abbreviation of abbreviations) {
    const known = longs.get(abbreviation.short);
    const same = known && stems(known.long).join(' ') === stems(abbreviation.long).join(' ');
    // A short form with two meanings in the folder is not expanded at all.
    longs.set(abbreviation.short, known === undefined ? abbreviation : same ? known : null);
  }
  return (text) => {
    let used: Abbreviation | null = null;
    const out = text.replace(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu, (word) => {
      const found = longs.get(word) ?? (word.endsWith('s') ? longs.get(word.slice(0, -1)) : undefined);
      if (!found) return word;
      used = found;
      return found.long;
    });
    return { text: out, used };
  };
}

function assemble(
  triples: readonly Triple[],
  wordings: readonly Wording[],
  vectors: readonly Float32Array[],
  groups: readonly (readonly Member[])[],
  dimensions: number,
): Resolution {
  const causes = new Array<ConceptId>(triples.length);
  const effects = new Array<ConceptId>(triples.length);
  const concepts = groups.map((members, at): Concept => {
    const id = at as ConceptId;
    const mentions: ConceptMention[] = [];
    for (const { index, reason } of members) {
      for (const { triple, side } of wordings[index]!.at) {
        mentions.push({ mention: triples[triple]![side], passage: triples[triple]!.passage, reason });
        (side === 'cause' ? causes : effects)[triple] = id;
      }
    }
    return {
      id,
      name: nameOf(members.map(({ index }) => wordings[index]!)),
      mentions,
      vector: meanUnit(
        members.map(({ index }) => vectors[index]!),
        dimensions,
      ),
    };
  });
  return { concepts, causes, effects };
}

/** The wording that most places use; among equals the longer one, which says more read alone. */
function nameOf(wordings: readonly Wording[]): string {
  return [...wordings].sort((a, b) => b.at.length - a.at.length || b.text.length - a.text.length)[0]!.text;
}
