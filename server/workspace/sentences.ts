/**
 * Sentence spans. Intl.Segmenter finds the candidates, on windows of at most 2,000 units because its cost grows with
 * the square of the string; the rules here take back the candidates that are no sentence ends (abbreviations,
 * initials, numbering) and put right those that fall beside the end (citations, opening quotes).
 */
import type { Span } from '../../models/protocol.ts';

const WINDOW = 2000;
/** How far the rules look back and ahead of a candidate. */
const LOOK = 64;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A blank line, or a line break before a bullet or a number: nothing runs on over these. */
const HARD_BREAK = /\r?\n[ \t]*\r?\n|\r?\n(?=[ \t]*(?:[-*+•‣▪–—]|\(?\d{1,3}[.)])[ \t])/g;

/** Never end a sentence, save before a word that only starts one. */
const INSIDE = words(
  'e.g i.e eg ie vs cf c.f viz approx ca resp fig figs eq eqs incl esp z.b d.h u.a bzw vgl p.ex p.ej al u.s u.k u.n e.u ' +
    'inc ltd co corp jr sr ph.d m.d b.a m.a m.sc b.sc d.c univ dept assoc bros ave blvd',
);
/** Never end a sentence when capitalised and before a capital: titles. */
const TITLES = words(
  'Dr Mr Mrs Ms Prof St Mt Gen Col Capt Lt Sgt Rev Hon Gov Sen Rep Messrs Mme Mlle Supt Eng Ing',
);
/** Do not end a sentence before a number. */
const BEFORE_NUMBER = words(
  'no nos sec sect ch chap vol pp p ref refs tab art ed nr para pt ex app ver v jan feb mar apr jun jul aug sep sept oct ' +
    'nov dec max min est abb núm num',
);
/** "vitamin C." ends where "engineer C. Marek" does not. */
const LETTERED = words(
  'vitamin type plan class group phase stage hepatitis grade model case point step unit line pump valve section part ' +
    'zone area room building option level site tank appendix table variant sample batch',
);
/** Capitalised words that hardly ever follow an abbreviation inside a sentence. */
const STARTERS = words(
  'The This These Those That There They Their It Its In On At For From With Without After Before When While Where If As ' +
    'An A We He She I You But And Or So However Therefore Thus Hence Because Since Although Though Then Once During By To ' +
    'Of Not All Some Many Most Each Both Such Our His Her What Why How Who Which Also Another Other Later Today Now Here ' +
    'Under Over Between No',
);
const GERMAN_MONTHS = words(
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
);

/**
 * Splits the stretch `start` to `end` of a text into sentences.
 * @returns spans in `text`, ascending, without outer white space, covering all that is not white space. Linear in length.
 */
export function splitSentences(text: string, start = 0, end = text.length): Span[] {
  const spans: Span[] = [];
  let from = start;
  HARD_BREAK.lastIndex = 0;
  const stretch = start === 0 && end === text.length ? text : text.slice(start, end);
  for (const found of stretch.matchAll(HARD_BREAK)) {
    splitParagraph(text, from, start + found.index, spans);
    from = start + found.index + found[0].length;
  }
  splitParagraph(text, from, end, spans);
  return spans;
}

/**
 * Cuts a span longer than `limit` weight (see {@link weigh}) at white space, else at a clause mark, else anywhere but
 * inside a surrogate pair, into pieces of about `size` weight. Text without stops (logs, transcripts) needs it.
 */
export function cutLong(text: string, span: Span, limit: number, size: number): Span[] {
  if (weigh(text, span.start, span.end) <= limit && span.end - span.start <= 3000) return [span];
  const pieces: Span[] = [];
  let from = span.start;
  while (from < span.end) {
    let cut = advance(text, from, span.end, size);
    if (cut < span.end) cut = lastBreak(text, from, cut);
    const piece = trim(text, from, cut);
    if (piece !== null) pieces.push(piece);
    from = cut;
  }
  return pieces;
}

/**
 * The length of a text in words. A unit of a script written without spaces counts half a word, so that 300 Chinese
 * characters weigh as 150 English words; endless words count by length, twenty units a word.
 */
export function weigh(text: string, start = 0, end = text.length): number {
  const meter = new Meter();
  for (let at = start; at < end; at++) meter.add(text.charCodeAt(at));
  return meter.weight;
}

class Meter {
  #words = 0;
  #units = 0;
  #inWord = false;

  add(code: number): void {
    this.#units++;
    if (isUnspaced(code)) {
      this.#words += 0.5;
      this.#inWord = false;
    } else if (isSpace(code)) {
      this.#inWord = false;
    } else if (!this.#inWord) {
      this.#words++;
      this.#inWord = true;
    }
  }

  get weight(): number {
    return Math.max(this.#words, this.#units / 20);
  }
}

/** Where `size` weight from `from` is reached. */
function advance(text: string, from: number, end: number, size: number): number {
  const meter = new Meter();
  for (let at = from; at < end; at++) {
    meter.add(text.charCodeAt(at));
    if (meter.weight > size) return Math.max(at, from + 1);
  }
  return end;
}

/** The last place before `cut` where a text may be cut, not before the middle of the piece. */
function lastBreak(text: string, from: number, cut: number): number {
  const floor = from + Math.ceil((cut - from) / 2);
  for (let at = cut; at > floor; at--) if (isSpace(text.charCodeAt(at))) return at;
  for (let at = cut; at > floor; at--) if ('，、；：,;'.includes(text.charAt(at - 1))) return at;
  return isTrailSurrogate(text.charCodeAt(cut)) ? cut + 1 : cut;
}

/** Sentences of one paragraph: its line breaks are mere white space. */
function splitParagraph(text: string, start: number, end: number, spans: Span[]): void {
  const whole = trim(text, start, end);
  if (whole === null) return;
  const paragraph = text.slice(whole.start, whole.end).replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ' ');
  let from = 0;
  for (const candidate of candidates(paragraph)) {
    if (candidate <= from) continue;
    const at = settle(paragraph, candidate, from);
    if (at <= from || at >= paragraph.length) continue;
    push(text, whole.start + from, whole.start + at, spans);
    from = at;
  }
  push(text, whole.start + from, whole.end, spans);
}

function push(text: string, start: number, end: number, spans: Span[]): void {
  const span = trim(text, start, end);
  if (span !== null) spans.push(span);
}

/**
 * Ends that the segmenter has no rule for: after "…", after a reference mark set behind the stop ("leak.12 The"), and
 * before a citation that is a subject ("leak. [12] shows").
 */
const UNSEEN =
  /…["'”’)\]]*\s{1,8}(?=\p{Lu})|\p{Ll}{2,16}\.\d{1,3}(?:[,–-]\d{1,3}){0,4}\s{1,8}(?=\p{Lu})|[.!?]\s{1,8}(?=\[\d{1,4}\] \p{Ll})/gu;

function candidates(paragraph: string): number[] {
  const found: number[] = [];
  for (let from = 0; from < paragraph.length; ) {
    const window = paragraph.slice(from, from + WINDOW);
    const last = from + window.length >= paragraph.length;
    let cut = 0;
    for (const { index } of segmenter.segment(window)) {
      if (index > 0) found.push(from + index);
      cut = index;
    }
    if (last) break;
    // The last stretch of a window is unfinished: read it again from its start, or go on inside it if it fills the
    // window. Two windows always move on by at least one length, so the cost stays linear.
    if (cut === 0) {
      cut = window.lastIndexOf(' ');
      if (cut <= WINDOW / 2)
        cut = isTrailSurrogate(paragraph.charCodeAt(from + WINDOW)) ? WINDOW - 1 : WINDOW;
    }
    from += cut;
  }
  const unseen: number[] = [];
  for (const match of paragraph.matchAll(UNSEEN)) {
    const stop = match[0].indexOf('.');
    if (stop > 0 && isAbbreviation(match[0].slice(0, stop), '1')) continue;
    unseen.push(match.index + match[0].length);
  }
  if (unseen.length === 0) return found;
  return [...found, ...unseen].sort((a, b) => a - b);
}

/** Where the sentence end at a candidate really is; `from` when there is none. */
function settle(text: string, candidate: number, from: number): number {
  let at = candidate;
  // The segmenter takes an opening mark for a closing one: "leak.[12]", "停机！“好".
  while (at > from && /[[({“‘「『（《〈【«]/.test(text.charAt(at - 1))) at--;
  const ahead = text.slice(at, at + LOOK);
  const citation = /^\s*(?:\[\d{1,4}[\d\s,;–-]{0,24}\]\s*)+(?=["“(]?\p{Lu}|$)/u.exec(ahead);
  if (citation !== null) return at + citation[0].length;

  const before = text.slice(Math.max(from, at - LOOK), at).trimEnd();
  const stop = /([.!?。！？．…])["'”’)\]」』）》»]*$/.exec(before)?.[1];
  if (stop === undefined || stop === '。' || stop === '！' || stop === '？') return at;
  const next = /^[\s"'“”‘’([«]*([\p{L}\p{N}][\p{L}\p{M}\p{N}]*)(\.?)/u.exec(ahead);
  const word = next?.[1] ?? '';
  if (/^\p{Ll}/u.test(word) && !/^\p{Ll}{1,3}\p{Lu}/u.test(word)) return from;
  if (stop !== '.' || !before.endsWith('.')) return at;
  // ".NET", ".gitignore": the stop begins a word.
  if (/^[\p{L}\p{N}]/u.test(ahead) && /(?:^|\s)\.$/.test(before)) return from;
  const token = /([^\s([{“‘"'«]*)\.$/.exec(before)?.[1] ?? '';
  const previous =
    /(\p{L}+|,)[\s([{“‘"'«]*$/u.exec(before.slice(0, before.length - token.length - 1))?.[1] ?? '';
  const opens = at - LOOK <= from && before.trimStart() === `${token}.`;
  if (opens && /^(?:\d{1,3}|\p{L})$/u.test(token) && !/^\p{Lu}$/u.test(token)) return from;
  const starts = STARTERS.has(word) && next?.[2] !== '.';
  return isAbbreviation(token, word, previous, starts) ? from : at;
}

/** Whether the full stop behind `token` belongs to the word and not to the sentence. */
function isAbbreviation(token: string, next: string, previous = '', starts = false): boolean {
  const lower = token.toLowerCase();
  const number = /^\p{N}/u.test(next);
  if (number) return INSIDE.has(lower) || BEFORE_NUMBER.has(lower) || TITLES.has(token);
  if (starts) return lower === 'e.g' || lower === 'i.e' || lower === 'vs';
  if (next === '') return INSIDE.has(lower) && lower !== 'inc' && lower !== 'al';
  if (INSIDE.has(lower) || TITLES.has(token)) return true;
  if (/^\d{1,2}$/.test(token)) return GERMAN_MONTHS.has(next);
  // "J. Marek", "J.R. Marek", "J.-P. Marek", but "vitamin C. Patients".
  if (/^(?:\p{Lu}\.-?)*\p{Lu}$/u.test(token))
    return /^\p{Lu}$/u.test(next) || !LETTERED.has(previous.toLowerCase());
  return false;
}

function trim(text: string, start: number, end: number): Span | null {
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return start < end ? { start, end } : null;
}

function isSpace(code: number): boolean {
  return (
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d) ||
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** Scripts written without spaces between words: Thai to Burmese, Khmer, kana, Chinese characters. */
function isUnspaced(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x9fff) ||
    (code >= 0x0e00 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xd840 && code <= 0xd87f)
  );
}

function isTrailSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
