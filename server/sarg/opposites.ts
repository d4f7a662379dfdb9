/**
 * Tells whether two phrases, alike in words or in vectors, say opposite or different things: rise and fall, presence
 * and absence, another number, another name. Embeddings put such pairs close together; a merge of them would turn a
 * chain's meaning round, so they are never taken as the same.
 */
import { remembered } from './memory.ts';
import { fold, stem, words } from './words.ts';

const POLES: readonly (readonly [string, string])[] = [
  [
    'rise rising rose raise raised raising increase increased increasing increases grow growing growth grew gain gained ' +
      'climb climbed higher high more up upward expand expansion surge surged jump jumped elevated accelerate accelerated ' +
      'faster fast strengthen stronger strong heavy heavier hot hotter warm warmer wet wetter early earlier long longer ' +
      'large larger big bigger wide wider deep deeper thick thicker excess surplus gain gains inflow inflows rally',
    'fall falling fell drop dropped dropping decrease decreased decreasing decreases decline declined declining shrink ' +
      'shrinking shrank loss lost lower low less down downward contract contraction slump slumped plunge plunged reduced ' +
      'decelerate decelerated slower slow weaken weaker weak light lighter cold colder cool cooler dry drier late later ' +
      'short shorter small smaller narrow narrower shallow shallower thin thinner lack shortage deficit deficiency losses ' +
      'outflow outflows reduction reduce reduces lowering selloff',
  ],
  [
    'presence present with available availability active activated activation enabled on open opened opening start ' +
      'started begin began success succeeded successful pass passed passes allowed accept accepted approved approval ' +
      'healthy normal stable working intact full buy buying bought',
    'absence absent without unavailable unavailability inactive deactivated deactivation disabled off closed closing ' +
      'closure shut stop stopped end ended failure failed fail fails failing rejected reject denied refused refusal ' +
      'unhealthy abnormal unstable broken defective empty sell selling sold',
  ],
  ['before prior', 'after following subsequent'],
  ['over above upper', 'under below beneath'],
  ['into to onto toward towards', 'from out'],
];

/** Words of which a thing can be one only: another month is another thing. */
const EXCLUSIVE = new Map<string, number>();
for (const [index, list] of [
  'january february march april may june july august september october november december',
  'monday tuesday wednesday thursday friday saturday sunday',
  'spring summer autumn winter',
  'north south east west northern southern eastern western',
  'left right',
  'positive negative',
  'male female',
  'men women',
  'day night',
  'buyer seller',
  'import export',
  'supply demand',
].entries()) {
  for (const word of list.split(' ')) EXCLUSIVE.set(word, index).set(stem(word), index);
}

/** What "to" says in "due to" is no way to go. */
const LEADING = /\b(?:due|owing|thanks|according|up|next) to\b/giu;

const NEGATIONS = new Set(
  'no not never none without cannot nor non un lack lacks lacked lacking missing absent absence devoid'.split(
    ' ',
  ),
);

/** Beginnings that turn the rest of a word round, and pairs of beginnings that stand against each other. */
const TURNING = ['un', 'non', 'in', 'im', 'ir', 'il', 'dis', 'de', 'mis', 'anti'];
const AGAINST: readonly (readonly [string, string])[] = [
  ['hyper', 'hypo'],
  ['over', 'under'],
  ['up', 'down'],
  ['in', 'out'],
  ['im', 'ex'],
  ['in', 'ex'],
  ['pre', 'post'],
  ['macro', 'micro'],
];
/** So that "put" and "input" are left in peace. */
const LEAST_REST = 4;

const NUMBER_WORDS = new Map(
  (
    'one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 first:1 second:2 third:3 ' +
    'fourth:4 fifth:5 sixth:6 seventh:7 eighth:8 ninth:9 tenth:10 i:1 ii:2 iii:3 iv:4 vi:6 vii:7 viii:8 ix:9'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

const SIDE = new Map<string, number[]>();
for (const [index, poles] of POLES.entries()) {
  for (const [side, list] of poles.entries()) {
    for (const word of list.split(' ')) SIDE.set(stem(word), [index, side === 0 ? 1 : -1]);
  }
}

/** Where each pole stands in a phrase: +1, -1, or 0 for neither or both. */
function polesOf(all: readonly string[]): number[] {
  const sum = POLES.map(() => 0);
  for (const word of all) {
    const side = SIDE.get(stem(word));
    if (side) sum[side[0]!] = sum[side[0]!]! + side[1]!;
  }
  return sum.map(Math.sign);
}

function isNegated(all: readonly string[]): boolean {
  let count = 0;
  for (const word of all) if (NEGATIONS.has(word) || /n['’]t$/.test(word)) count++;
  return count % 2 === 1;
}

/** Words that would turn a word of the phrase round, "stable" of "unstable" and "underload" of "overload", with that word. */
function turnedOf(all: ReadonlySet<string>): [own: string, turned: string][] {
  const out: [string, string][] = [];
  for (const word of all) {
    for (const start of TURNING) if (word.startsWith(start)) out.push([word, word.slice(start.length)]);
    for (const [one, other] of AGAINST) {
      if (word.startsWith(one)) out.push([word, other + word.slice(one.length)]);
      if (word.startsWith(other)) out.push([word, one + word.slice(other.length)]);
    }
  }
  return out.filter(([, turned]) => turned.length >= LEAST_REST && !all.has(turned));
}

function isTurned(a: Sides, b: Sides): boolean {
  return a.turned.some(([own, turned]) => b.stems.has(turned) && !b.stems.has(own));
}

/** Numbers in figures, in words and in Roman figures, sorted. */
function numbersOf(phrase: string, all: readonly string[]): string {
  const figures = fold(phrase).match(/\d+(?:[.,]\d+)*/g) ?? [];
  const plain = figures.map((figure) => figure.replace(/,(?=\d{3}(?!\d))/g, ''));
  // "I" is mostly a person, unless it numbers something: "phase I".
  const told = all.flatMap((word, at) => (word === 'i' && at === 0 ? [] : (NUMBER_WORDS.get(word) ?? [])));
  return [...plain, ...told].sort().join(' ');
}

/** Words that look like names or codes: capitals inside a phrase, letters mixed with digits, a single letter. */
function namesOf(phrase: string): Set<string> {
  const out = new Set<string>();
  for (const match of phrase.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)) {
    const word = match[0];
    const isCode = /\p{Lu}.*\d|\d.*\p{Lu}|\p{Lu}{2,}/u.test(word);
    const isName = match.index > 0 && /^\p{Lu}(?:\p{Ll}|$)/u.test(word);
    if (isCode || isName) out.add(stem(fold(word)));
  }
  return out;
}

function exclusiveOf(all: readonly string[]): Map<number, Set<string>> {
  const out = new Map<number, Set<string>>();
  for (const word of all) {
    const group = EXCLUSIVE.get(word) ?? EXCLUSIVE.get(stem(word));
    if (group !== undefined) out.set(group, (out.get(group) ?? new Set()).add(stem(word)));
  }
  return out;
}

function disjoint(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return ![...a].some((item) => b.has(item));
}

/** What a phrase says that another could contradict. */
interface Sides {
  readonly poles: readonly number[];
  readonly stems: ReadonlySet<string>;
  readonly negated: boolean;
  readonly turned: readonly (readonly [own: string, turned: string])[];
  readonly numbers: string;
  readonly names: ReadonlySet<string>;
  readonly exclusive: ReadonlyMap<number, ReadonlySet<string>>;
}

/** A phrase is compared with very many others. */
const sidesOf = remembered((phrase): Sides => {
  const all = words(phrase.replace(LEADING, ' '));
  const own = new Set(all.map(stem));
  return {
    poles: polesOf(all),
    stems: own,
    negated: isNegated(all),
    turned: turnedOf(own),
    numbers: numbersOf(phrase, all),
    names: namesOf(phrase),
    exclusive: exclusiveOf(all),
  };
});

export type Difference = 'direction' | 'negation' | 'number' | 'name';

/** How the two phrases contradict or differ, or null where nothing says that they do. The same both ways round. */
export function difference(a: string, b: string): Difference | null {
  const left = sidesOf(a);
  const right = sidesOf(b);
  if (left.poles.some((side, at) => side * right.poles[at]! < 0)) return 'direction';
  if (left.negated !== right.negated || isTurned(left, right) || isTurned(right, left)) return 'negation';
  if (left.numbers !== '' && right.numbers !== '' && left.numbers !== right.numbers) return 'number';
  if (lacks(left.stems, right.names) && lacks(right.stems, left.names)) return 'name';
  for (const [group, own] of left.exclusive)
    if (right.exclusive.has(group) && disjoint(own, right.exclusive.get(group)!)) return 'name';
  return null;
}

function lacks(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  for (const name of some) if (!all.has(name)) return true;
  return false;
}
