/**
 * Tells whether two phrases, alike in words or in vectors, say opposite or different things: rise and fall, presence
 * and absence, another number, another name. Embeddings put such pairs close together; a merge of them would turn a
 * chain's meaning round, so they are never taken as the same.
 */
import { fold, stem, words } from './words.ts';

const POLES: readonly (readonly [string, string])[] = [
  ['rise rising rose raise raised raising increase increased increasing increases grow growing growth grew gain gained ' +
    'climb climbed higher high more up upward expand expansion surge surged jump jumped elevated accelerate accelerated ' +
    'faster fast strengthen stronger strong heavy heavier hot hotter warm warmer wet wetter early earlier long longer ' +
    'large larger big bigger wide wider deep deeper thick thicker excess surplus gain gains inflow inflows rally',
    'fall falling fell drop dropped dropping decrease decreased decreasing decreases decline declined declining shrink ' +
    'shrinking shrank loss lost lower low less down downward contract contraction slump slumped plunge plunged reduced ' +
    'decelerate decelerated slower slow weaken weaker weak light lighter cold colder cool cooler dry drier late later ' +
    'short shorter small smaller narrow narrower shallow shallower thin thinner lack shortage deficit deficiency losses ' +
    'outflow outflows reduction reduce reduces lowering selloff'],
  ['presence present with available availability active activated activation enabled on open opened opening start ' +
    'started begin began success succeeded successful pass passed passes allowed accept accepted approved approval ' +
    'healthy normal stable working intact full buy buying bought',
    'absence absent without unavailable unavailability inactive deactivated deactivation disabled off closed closing ' +
    'closure shut stop stopped end ended failure failed fail fails failing rejected reject denied refused refusal ' +
    'unhealthy abnormal unstable broken defective empty sell selling sold'],
];

const NEGATIONS = new Set(['no', 'not', 'never', 'none', 'without', 'cannot', 'nor', 'non', 'un', 'lack', 'lacks', 'missing', 'absent']);

const SIDE = new Map<string, number[]>();
for (const [index, poles] of POLES.entries()) {
  for (const [side, list] of poles.entries()) {
    for (const word of list.split(' ')) SIDE.set(stem(word), [index, side === 0 ? 1 : -1]);
  }
}

/** Where each pole stands in a phrase: +1, -1, or 0 for neither or both. */
function poles(phrase: string): number[] {
  const sum = POLES.map(() => 0);
  for (const word of words(phrase)) {
    const side = SIDE.get(stem(word));
    if (side) sum[side[0]!] = sum[side[0]!]! + side[1]!;
  }
  return sum.map(Math.sign);
}

function negated(phrase: string): boolean {
  let count = 0;
  for (const word of words(phrase)) if (NEGATIONS.has(word) || /n['’]t$/.test(word)) count++;
  return count % 2 === 1;
}

function numbers(phrase: string): string[] {
  return (fold(phrase).match(/\d+(?:[.,]\d+)*/g) ?? []).sort();
}

/** Words that look like names or codes: capitals inside a phrase, letters mixed with digits. */
function names(phrase: string): Set<string> {
  const out = new Set<string>();
  for (const match of phrase.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)) {
    const word = match[0];
    const isCode = /\p{Lu}.*\d|\d.*\p{Lu}|\p{Lu}{2,}/u.test(word);
    const isName = (match.index ?? 0) > 0 && /^\p{Lu}\p{Ll}/u.test(word);
    if (isCode || isName) out.add(stem(fold(word)));
  }
  return out;
}

export type Difference = 'direction' | 'negation' | 'number' | 'name';

/** How the two phrases contradict or differ, or null where nothing says that they do. */
export function difference(a: string, b: string): Difference | null {
  const left = poles(a);
  const right = poles(b);
  if (left.some((side, at) => side * right[at]! < 0)) return 'direction';
  if (negated(a) !== negated(b)) return 'negation';
  const mine = numbers(a);
  const theirs = numbers(b);
  if (mine.length > 0 && theirs.length > 0 && mine.join(' ') !== theirs.join(' ')) return 'number';
  const ours = names(a);
  const others = names(b);
  if (ours.size > 0 && others.size > 0 && ![...ours].some((name) => others.has(name))) return 'name';
  return null;
}
