/**
 * Finds abbreviations that a text explains itself: "monoclonal gammopathy of undetermined significance (MGUS)",
 * "MGUS (monoclonal …)". The letters of the short form must appear in order in the long form, the first at its start
 * (the idea of Schwartz and Hearst, 2003, "A simple algorithm for identifying abbreviation definitions").
 */
import { fold, isStopWord } from './words.ts';

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
    const before = text
      .slice(Math.max(0, at - 160), at)
      .replace(/\s+/g, ' ')
      .trimEnd();
    const clause = before.split(/[.;:!?()]\s?/).at(-1) ?? '';
    const found = looksShort(within) ? longBefore(singular(within), clause) : shortBefore(within, clause);
    if (found) out.set(`${found.short}\0${fold(found.long)}`, found);
  }
  return [...out.values()];
}

function looksShort(word: string): boolean {
  return SHORT.test(word) && /\p{Lu}/u.test(word) && (word.match(/\p{L}/gu) ?? []).length >= 2;
}

/** "PPIs" explains "PPI" too. */
function singular(short: string): string {
  return /\p{Lu}{2,}s$/u.test(short) ? short.slice(0, -1) : short;
}

/** "long form (SF)": first by the words' initials, else by letters in order; the first letter must start a word. */
function longBefore(short: string, before: string): Abbreviation | null {
  const letters = [...fold(short)].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  // Folded unit by unit, so that places stay what they are.
  const text = before.replace(/./gsu, (own) => (fold(own).length === own.length ? fold(own) : own));
  const at = byInitials(letters, text) ?? byLetters(letters, text);
  if (at === null) return null;
  const long = before.slice(at).trim();
  const count = long.split(/[\s-]+/).length;
  return count >= 2 && count <= letters.length * 2 + 2 && long.length > short.length ? { short, long } : null;
}

/** Where the last words begin whose initials are the letters; function words between them may be passed over. */
function byInitials(letters: readonly string[], text: string): number | null {
  const starts = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  let index = letters.length - 1;
  for (let word = starts.length - 1; word >= 0; word--) {
    const match = starts[word]!;
    if (match[0].startsWith(letters[index]!)) {
      if (index === 0) return match.index;
      index--;
    } else if (!isStopWord(match[0]) || word === starts.length - 1) return null;
  }
  return null;
}

/** Walks both from the end. */
function byLetters(letters: readonly string[], text: string): number | null {
  let at = text.length;
  for (let index = letters.length - 1; index >= 0; index--) {
    do at--;
    while (
      at >= 0 &&
      (text[at] !== letters[index] || (index === 0 && at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]!)))
    );
    if (at < 0) return null;
  }
  return at;
}

/** "SF (long form)". */
function shortBefore(long: string, before: string): Abbreviation | null {
  const short = (before.split(/\s/).at(-1) ?? '').replace(/^["'“‘]+|["'”’]+$/g, '');
  if (!looksShort(short) || long.split(/\s+/).length < 2) return null;
  const found = longBefore(singular(short), long);
  return found && found.long.length >= long.length * 0.6 ? { short: found.short, long } : null;
}
