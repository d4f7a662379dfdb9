/** Words for places, types and numbers, and quotes taken apart for marking. Pure. */
import type { DirectionLabel, LinkType, LinkView, Place } from '../server/protocol.ts';

/** How a link type reads between cause and effect: stated, stated as possible, denied. */
const TYPE_WORDS: Readonly<Record<LinkType, readonly [string, string, string]>> = {
  causes: ['causes', 'may cause', 'does not cause'],
  enables: ['enables', 'may enable', 'does not enable'],
  prevents: ['prevents', 'may prevent', 'does not prevent'],
  increases: ['increases', 'may increase', 'does not increase'],
  decreases: ['decreases', 'may decrease', 'does not decrease'],
  requires: ['is required by', 'may be required by', 'is not required by'],
  precedes: ['comes before', 'may come before', 'does not come before'],
  condition: ['is a condition for', 'may be a condition for', 'is no condition for'],
  spatial: ['is placed with', 'may be placed with', 'is not placed with'],
};

/** The verb between cause and effect. */
export function typeWords(type: LinkType, negated: boolean, hedged: boolean): string {
  return TYPE_WORDS[type][negated ? 2 : hedged ? 1 : 0];
}

/** What a link type is called in the legend. */
export const TYPE_NAMES: Readonly<Record<LinkType, string>> = {
  causes: 'Causes',
  enables: 'Enables',
  increases: 'Increases',
  decreases: 'Decreases',
  prevents: 'Prevents',
  requires: 'Requires',
  condition: 'Condition',
  precedes: 'Precedes',
  spatial: 'Place',
};

export const DIRECTION_NAMES: Readonly<Record<DirectionLabel, string>> = {
  backward: 'Causes',
  forward: 'Effects',
  bidirectional: 'Both',
};

export function percent(value: number): string {
  return `${Math.round(Math.min(1, Math.max(0, value)) * 100)} %`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

export function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1) || file;
}

/** "report.md:12", or "tide.ipynb, cell 3:2" (from 1, as editors count). */
export function placeName(place: Place): string {
  const cell = place.cell === undefined ? '' : `, cell ${place.cell + 1}`;
  return `${baseName(place.file)}${cell}:${place.range.start.line + 1}`;
}

export interface QuotePart {
  readonly text: string;
  readonly role: 'cause' | 'relation' | 'effect' | null;
}

/** The evidence of a link, cut into parts so that cause, relation and effect can be marked. */
export function quoteParts(link: LinkView): QuotePart[] {
  const { evidence, cause, relation, effect } = link;
  const exact = evidence.text === evidence.quote;
  const text = evidence.text || evidence.quote;
  const found: { start: number; end: number; role: 'cause' | 'relation' | 'effect' }[] = [];
  const mark = (words: string, place: Place | null, role: 'cause' | 'relation' | 'effect') => {
    if (!place || words === '') return;
    const offset = place.offsets.start - evidence.offsets.start;
    let start = offset;
    let end = place.offsets.end - evidence.offsets.start;
    if (!exact || start < 0 || end > text.length) {
      // With mark-up taken out, offsets have moved; the occurrence nearest to where it was is the one meant.
      start = nearest(text, words, (offset / Math.max(1, evidence.quote.length)) * text.length);
      if (start < 0) return;
      end = start + words.length;
    }
    if (end > start && found.every((other) => end <= other.start || start >= other.end))
      found.push({ start, end, role });
  };
  mark(cause.text, cause.place, 'cause');
  mark(effect.text, effect.place, 'effect');
  mark(relation.text, relation.place, 'relation');
  found.sort((a, b) => a.start - b.start);
  const parts: QuotePart[] = [];
  let at = 0;
  for (const { start, end, role } of found) {
    if (start > at) parts.push({ text: text.slice(at, start), role: null });
    parts.push({ text: text.slice(start, end), role });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), role: null });
  return parts;
}

function nearest(text: string, words: string, wanted: number): number {
  let best = -1;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (best < 0 || Math.abs(at - wanted) < Math.abs(best - wanted)) best = at;
  }
  return best;
}

/**
 * What stands between cause and effect: the document's own words where it names them in that order ("so", "led to"),
 * else the type's verb, since "because of" or "after" would read the wrong way round.
 */
export function relationWords(link: LinkView): string {
  const { cause, relation, effect } = link;
  const own = relation.text.trim();
  const at = relation.place?.offsets;
  const inOrder =
    at !== undefined && cause.place.offsets.end <= at.start && at.end <= effect.place.offsets.start;
  return own !== '' && inOrder ? own : typeWords(link.type, link.negated, link.hedged);
}

/** A link as a sentence. */
export function linkSentence(link: LinkView): string {
  return `${link.cause.text} ${typeWords(link.type, link.negated, link.hedged)} ${link.effect.text}`;
}

export type AnswerPart = { readonly text: string } | { readonly cite: number };

/**
 * A sentence of an answer taken apart: words, and the hops it cites where it cites them ("[3]"), else at its end.
 * Where the sentence only repeats the evidence of a hop it cites, the repetition is left out: the citation opens it.
 */
export function sentenceParts(
  sentence: { readonly text: string; readonly cites: readonly number[] },
  evidenceOf: (hop: number) => string | null,
): AnswerPart[] {
  let text = sentence.text.trim();
  for (const cite of sentence.cites) {
    const evidence = evidenceOf(cite);
    if (evidence === null) continue;
    const tail = `“${evidence}”`;
    if (text.endsWith(tail) && text.length > tail.length + 1)
      text = text.slice(0, -tail.length).replace(/[\s:]+$/u, '');
  }
  const known = new Set(sentence.cites.filter((cite) => evidenceOf(cite) !== null));
  const parts: AnswerPart[] = [];
  const placed = new Set<number>();
  let from = 0;
  for (const match of text.matchAll(/\s*\[(\d+)\]/gu)) {
    const cite = Number(match[1]);
    if (!known.has(cite)) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ cite });
    placed.add(cite);
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  for (const cite of known) if (!placed.has(cite)) parts.push({ cite });
  return parts;
}

/** The signs of one kind, added up under words a person understands; signs nobody has named keep their own name. */
export function groupSigns(parts: Readonly<Record<string, number>>): [name: string, value: number][] {
  const groups = new Map<string, number>();
  for (const [part, value] of Object.entries(parts)) {
    const name =
      SIGN_NAMES[part] ??
      part.replace(/([a-z])([A-Z])/gu, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
    groups.set(name, (groups.get(name) ?? 0) + value);
  }
  return [...groups]
    .filter(([, value]) => Math.abs(value) >= 0.005)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
}

const SIGN_NAMES: Readonly<Record<string, string>> = {
  bias: 'Before any sign',
  sentence: 'Sentence is like the question',
  sentenceZ: 'Sentence is like the question',
  sentenceStems: 'Sentence is like the question',
  words: 'Cause and effect are like the question',
  wordsZ: 'Cause and effect are like the question',
  given: 'Names what the question names',
  givenStems: 'Names what the question names',
  asked: 'Names what the question asks for',
  askedStems: 'Names what the question asks for',
  passageZ: 'Passage fits the question',
  fileZ: 'Document fits the question',
  laterRound: 'Passage came only later',
  confidence: 'Clearly stated',
  explicit: 'Clearly stated',
  activation: 'Linked to the question over the graph',
  hedged: 'Stated only as possible',
  order: 'Kind of link',
  spatial: 'Kind of link',
  condition: 'Kind of link',
  thinCause: 'How much cause and effect say',
  thinEffect: 'How much cause and effect say',
};
