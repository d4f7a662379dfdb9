/**
 * Finds abbreviations that a text explains itself: "monoclonal gammopathy of undetermined significance (MGUS)",
 * "MGUS (monoclonal …)". The letters of the short form must appear in order in the long form, the first at its start
 * (the idea of Schwartz and Hearst, 2003, "A simple algorithm for identifying abbreviation definitions").
 */
import { fold } from './words.ts';

export interface Abbreviation {
  readonly short: string;
  readonly long: string;
}

const BRACKETED = /\(([^()]{2,80})\)/g;
const SHORT = /^[\p{L}\p{N}][\p{L}\p{N}-]{1,9}$/u;

/** Every explained abbreviation of the text, in order, without repeats. */
export function findAbbreviations(text: string): Abbreviation[] {
  const out = new Map<string, Abbreviation>();
  for (const match of text.matchAll(BRACKETED)) {
    const at = match.index ?? 0;
    const within = match[1]!.split(/[;,]/)[0]!.trim();
    const before = text.slice(Math.max(0, at - 160), at).replace(/\s+/g, ' ').trimEnd();
    const clause = before.split(/[.;:!?()]\s?/).at(-1) ?? '';
    const found = looksShort(within) ? longBefore(within, clause) : shortBefore(within, clause);
    if (found) out.set(`${found.short}\0${fold(found.long)}`, found);
  }
  return [...out.values()];
}

function looksShort(word: string): boolean {
  return SHORT.test(word) && /\p{Lu}/u.test(word) && (word.match(/\p{L}/gu) ?? []).length >= 2;
}

/** "long form (SF)": walks both from the end; the first letter must start a word. */
function longBefore(short: string, before: string): Abbreviation | null {
  const letters = [...fold(short)].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  const text = before.toLowerCase();
  let at = text.length;
  for (let index = letters.length - 1; index >= 0; index--) {
    do at--;
    while (at >= 0 && (text[at] !== letters[index] || (index === 0 && at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]!))));
    if (at < 0) return null;
  }
  const long = before.slice(at).trim();
  const count = long.split(/[\s-]+/).length;
  return count >= 2 && count <= letters.length * 2 + 2 && long.length > short.length ? { short, long } : null;
}

/** "SF (long form)". */
function shortBefore(long: string, before: string): Abbreviation | null {
  const short = before.split(/\s/).at(-1) ?? '';
  if (!looksShort(short) || long.split(/\s+/).length < 2) return null;
  const found = longBefore(short, long);
  return found && found.long.length >= long.length * 0.6 ? { short, long } : null;
}
