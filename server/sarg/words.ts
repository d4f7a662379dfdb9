/** Words as the method compares them: folded, without function words, with endings cut. Pure string work. */
import { remembered } from './memory.ts';

const STOP_WORDS = new Set(
  (
    'a an the of in on at to for from by with and or but as is are was were be been being it its this that these ' +
    'those which who whom whose than then so such into onto over under out up down off about after before during ' +
    'while when where how why what has have had do does did can could may might must shall should will would more ' +
    'most less least very also only their his her our your they he she we you i me us them there here each any all ' +
    'both if because since not no nor between through per via upon among within'
  ).split(' '),
);

/** Question words and verbs that say how to ask, not what about. */
const ASKING_WORDS = new Set(
  (
    'tell explain describe give show list trace say think know find name mention happen happens happened lead leads ' +
    'led cause causes caused effect effects result results reason reasons why consequence consequences step steps ' +
    'document documents notes paper papers report reports according please way ways follow follows followed'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * NFKC, lower case, accents off: two spellings of the same letters compare equal. Only the accents of European scripts
 * go: marks are vowels in Indic scripts and Thai, and tell "か" from "が".
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Words of a text, folded, in order. Han, Kana and Hangul runs give overlapping pairs of characters. */
export function words(text: string): string[] {
  const out: string[] = [];
  for (const match of fold(text).matchAll(WORD)) {
    const word = match[0];
    if (!CJK.test(word)) {
      out.push(word);
      continue;
    }
    const characters = [...word];
    if (characters.length === 1) out.push(word);
    for (let at = 0; at + 1 < characters.length; at++) out.push(characters[at]! + characters[at + 1]!);
  }
  return out;
}

/**
 * Cuts English inflection lightly: "pumps" and "pump", "failed" and "failing", "delay" and "delays" meet; different
 * words should not. Numbers and short words stay as they are.
 */
export function stem(word: string): string {
  if (/\d/.test(word) || word.length <= 3) return word;
  const cut = word.replace(/['’]s$/, '');
  for (const [ending, put] of ENDINGS) {
    if (!cut.endsWith(ending) || cut.length - ending.length < 3) continue;
    // "supply" has "supplies", but "delay" has "delays".
    if (ending === 'y' && /[aeou]y$/.test(cut)) return cut;
    return cut.slice(0, cut.length - ending.length) + put;
  }
  return cut;
}

// biome-ignore format: a table
const ENDINGS: readonly (readonly [string, string])[] = [
  ['isations', 'is'], ['izations', 'is'], ['isation', 'is'], ['ization', 'is'], ['ising', 'is'],
  ['izing', 'is'], ['ised', 'is'], ['ized', 'is'], ['ises', 'is'], ['izes', 'is'], ['ise', 'is'],
  ['ize', 'is'], ['ations', 'at'], ['ation', 'at'], ['ating', 'at'], ['ated', 'at'], ['ates', 'at'],
  ['ate', 'at'], ['ures', 'ur'], ['ure', 'ur'], ['lies', ''], ['lied', ''], ['ies', 'i'], ['ied', 'i'],
  ['ingly', ''], ['ings', ''], ['ing', ''], ['edly', ''], ['eds', ''], ['ed', ''], ['sses', 'ss'],
  ['ss', 'ss'], ['ches', 'ch'], ['shes', 'sh'], ['xes', 'x'], ['sis', 's'], ['us', 'us'], ['es', ''],
  ['s', ''], ['ly', ''], ['y', 'i'], ['e', ''],
];

/** Stems of a text's content words, in order; of a text made of function words alone, the stems of those. */
export const stems: (text: string) => readonly string[] = remembered((text) => {
  const content = contentWords(text);
  return (content.length > 0 ? content : words(text)).map(stem);
});

/** {@link stems} as a set. */
export const stemSet: (text: string) => ReadonlySet<string> = remembered((text) => new Set(stems(text)));

/** Whether a text says nothing by itself: "it", "this", "which". */
export const isContentFree: (text: string) => boolean = remembered((text) => contentWords(text).length === 0);

/** Words that are no function words. "US", "IT" and the letter of "Feeder A" are names, though they fold to "us", "it" and "a". */
function contentWords(text: string): string[] {
  const plain = text.normalize('NFKC');
  const mixed = /\p{Ll}/u.test(plain) || !/\s/.test(plain.trim());
  return [...plain.matchAll(WORD)].flatMap((match) => {
    const own = match[0];
    const isCode =
      mixed && (/^\p{Lu}{2,}$/u.test(own) || (match.index > 0 && /^\p{Lu}$/u.test(own) && own !== 'I'));
    return words(own).filter((word) => isCode || !STOP_WORDS.has(word));
  });
}

/** Stems of what a question asks about: content words without the words of asking. */
export function topicStems(question: string): string[] {
  const content = words(question).filter((word) => !STOP_WORDS.has(word));
  const topic = content.filter((word) => !ASKING_WORDS.has(word));
  return (topic.length > 0 ? topic : content).map(stem);
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(fold(word));
}

export function isAskingWord(word: string): boolean {
  return ASKING_WORDS.has(fold(word));
}

/** Share of two sets' union that both hold, 0 to 1 (Jaccard). */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of a) if (b.has(item)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}
