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

/** A link as a sentence. */
export function linkSentence(link: LinkView): string {
  return `${link.cause.text} ${typeWords(link.type, link.negated, link.hedged)} ${link.effect.text}`;
}
