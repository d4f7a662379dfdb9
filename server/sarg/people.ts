/** Persons' names in their forms. */
import { fold } from './words.ts';

/** A name folded; the given name is whole wherever the texts tell it, else an initial. */
export interface Person {
  readonly given: string;
  readonly family: string;
}

/**
 * Gives the person of a phrase that is nothing but a name. "J. Marek", "Jana Marek" and "MAREK, Jana" are one, as long
 * as no Jan Marek stands among the texts: then the initial could be either.
 */
export function peopleAmong(texts: readonly string[]): (text: string) => Person | null {
  const givens = new Map<string, Set<string>>();
  for (const text of texts) {
    const name = nameParts(text);
    if (name === null || name.given.length === 1) continue;
    const initial = `${name.family} ${name.given[0]}`;
    givens.set(initial, (givens.get(initial) ?? new Set()).add(name.given));
  }
  return (text) => {
    const name = nameParts(text);
    if (name === null || name.given.length > 1) return name;
    const known = [...(givens.get(`${name.family} ${name.given}`) ?? [])];
    return known.length === 1 ? { ...name, given: known[0]! } : name;
  };
}

/** Whether two names of one family name two people. */
export function areTwoPeople(a: Person | null, b: Person | null): boolean {
  return a !== null && b !== null && a.family === b.family && a.given !== b.given;
}

function nameParts(text: string): Person | null {
  const plain = text.trim();
  const comma = /^(\p{Lu}[\p{L}'’-]+),\s*(\p{Lu}[\p{L}'’-]*)\.?$/u.exec(plain);
  if (comma) return { given: fold(comma[2]!), family: fold(comma[1]!) };
  const straight = /^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?(\p{Lu}[\p{L}'’-]*)\.?\s+(\p{Lu}[\p{L}'’-]+)$/u.exec(
    plain,
  );
  return straight ? { given: fold(straight[1]!), family: fold(straight[2]!) } : null;
}
