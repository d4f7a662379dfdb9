/**
 * Entity resolution: mentions that name the same thing become one concept, over documents (paper, section 3.3).
 * Merges are conservative, because a wrong one turns two stories into one: same words; same stems in any order;
 * an abbreviation and its expansion; a person's name in its forms; vectors nearer than a threshold. Opposites, other
 * numbers and other names are never merged. Every mention keeps its own words and the reason it was put where it is.
 */
import { difference } from './opposites.ts';
import type { Concept, ConceptId, ConceptMention, Embedder, MergeReason, Triple } from './types.ts';
import { dot, meanUnit } from './vectors.ts';
import { fold, stems, words } from './words.ts';
import type { Abbreviation } from './abbreviations.ts';

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
  const vectors = await embedder.embed(wordings.map((wording) => wording.text), 'concept', signal);
  signal?.throwIfAborted();
  const groups = options.enabled
    ? group(wordings, vectors, abbreviations, options.mergeAbove)
    : wordings.map((_, index) => [{ index, reason: { kind: 'same-words' } as MergeReason }]);
  return assemble(triples, wordings, vectors, groups, embedder.dimensions);
}

function collect(triples: readonly Triple[]): Wording[] {
  const out = new Map<string, Wording>();
  const add = (text: string, triple: number, side: 'cause' | 'effect'): void => {
    const key = words(text).join(' ');
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

interface Member {
  readonly index: number;
  readonly reason: MergeReason;
}

function group(
  wordings: readonly Wording[],
  vectors: readonly Float32Array[],
  abbreviations: readonly Abbreviation[],
  mergeAbove: number,
): Member[][] {
  const expand = expander(abbreviations);
  const groups: Member[][] = [];
  const byKey = new Map<string, number>();
  for (const [index, wording] of wordings.entries()) {
    const own = stems(wording.text);
    const expanded = expand(wording.text);
    const keys: [string, MergeReason][] = [
      [`stems ${own.join(' ')}`, { kind: 'same-stems' }],
      [`bag ${[...own].sort().join(' ')}`, { kind: 'word-order' }],
      [
        `bag ${stems(expanded.text).sort().join(' ')}`,
        expanded.used ? { kind: 'abbreviation', ...expanded.used } : { kind: 'word-order' },
      ],
      ...personKeys(wording.text).map((key): [string, MergeReason] => [key, { kind: 'same-stems' }]),
    ];
    let home = -1;
    let reason: MergeReason = { kind: 'same-words' };
    for (const [key, why] of keys) {
      const at = byKey.get(key);
      if (at === undefined) continue;
      // Stems forget signs such as "un-" or numbers' signs never, but they may join "rise" with "rising": the
      // guard against opposites is asked here too.
      if (difference(wording.text, wordings[groups[at]![0]!.index]!.text) === null || why.kind === 'abbreviation') {
        home = at;
        reason = why;
        break;
      }
    }
    if (home < 0 && mergeAbove <= 1) {
      let best = mergeAbove;
      for (const [at, members] of groups.entries()) {
        const founder = members[0]!.index;
        const similarity = dot(vectors[index]!, vectors[founder]!);
        if (similarity >= best && difference(wording.text, wordings[founder]!.text) === null) {
          best = similarity;
          home = at;
          reason = { kind: 'similar', similarity };
        }
      }
    }
    if (home < 0) {
      home = groups.length;
      groups.push([]);
    }
    groups[home]!.push({ index, reason });
    // A wording that came by likeness does not vouch for others: chains of near things drift.
    if (reason.kind !== 'similar') for (const [key] of keys) if (!byKey.has(key)) byKey.set(key, home);
  }
  return groups;
}

/** Replaces explained short forms by their long forms. */
function expander(abbreviations: readonly Abbreviation[]): (text: string) => { text: string; used: Abbreviation | null } {
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

/** "J. Marek", "Jana Marek" and "MAREK, Jana" share a key; only for phrases that are nothing but a name. */
function personKeys(text: string): string[] {
  const plain = text.trim();
  const comma = /^([\p{Lu}][\p{L}'’-]+),\s*([\p{Lu}][\p{L}'’-]*)\.?$/u.exec(plain);
  const straight = /^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?([\p{Lu}][\p{L}'’-]*)\.?\s+([\p{Lu}][\p{L}'’-]+)$/u.exec(plain);
  const [given, family] = comma ? [comma[2]!, comma[1]!] : straight ? [straight[1]!, straight[2]!] : ['', ''];
  if (family === '' || given === '') return [];
  return [`person ${fold(family)} ${fold(given)[0]}`];
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
      vector: meanUnit(members.map(({ index }) => vectors[index]!), dimensions),
    };
  });
  return { concepts, causes, effects };
}

/** The wording that most places use; among equals the longer one, which says more read alone. */
function nameOf(wordings: readonly Wording[]): string {
  return [...wordings].sort((a, b) => b.at.length - a.at.length || b.text.length - a.text.length)[0]!.text;
}
