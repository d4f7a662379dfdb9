/** Keyword search: what goes into the full-text table, and how a question is put to it. */
import type { Database, Statement } from './database.ts';

/** Words that carry nothing to find a passage by, question words among them. */
const STOP_WORDS = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but by can ' +
    'cannot could did do does doing down during each explain few for from further had has have having he her here hers him ' +
    'his how i if in into is it its itself just let like many me might more most much must my no nor not of off on once ' +
    'one only or other our out over own please same she should so some such tell than that the their them then there these ' +
    'they this those through to too under until up us very was we were what when where which while who whom whose why will ' +
    'with would you your'
  ).split(' '),
);

/** Scripts written without spaces, and Hangul, whose words carry endings: searched by pairs of characters. */
const PAIRED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\u30fc';
const PAIRED_RUN = new RegExp(`[${PAIRED}]+`, 'gu');
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Most words of a question that are looked for; a pasted page is no question. */
const MOST_TERMS = 64;

/** A text as the full-text table takes it: words for its tokenizer, and pairs of characters. */
export function indexed(text: string): { words: string; bigrams: string } {
  const normal = text.normalize('NFKC').replaceAll('\u00ad', '');
  let bigrams = '';
  const words = normal.replace(PAIRED_RUN, (run) => {
    bigrams += ` ${pairs(run).join(' ')}`;
    return ' ';
  });
  return { words, bigrams };
}

/** All pairs of neighbouring characters, and the last character, so that a single one is found by its prefix. */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

/** What a query asks the full-text table for. */
interface Terms {
  /** In lower case, each once, in order. */
  readonly words: readonly string[];
  /** FTS5 strings, each quoted, for the column of pairs. */
  readonly pairs: readonly string[];
}

function terms(query: string): Terms {
  const normal = query
    .normalize('NFKC')
    .replaceAll('\u00ad', '')
    .replace(/['’](?:s|t|ll|re|ve|d|m)\b/gi, '');
  const found = new Set<string>();
  const paired = new Set<string>();
  const spaced = normal.replace(PAIRED_RUN, (run) => {
    const characters = Array.from(run);
    if (characters.length === 1) paired.add(`"${run}" *`);
    for (let at = 0; at + 1 < characters.length; at++) paired.add(`"${characters[at]}${characters[at + 1]}"`);
    return ' ';
  });
  for (const [word] of spaced.matchAll(WORD)) found.add(word.toLowerCase());
  const content = [...found].filter((word) => !STOP_WORDS.has(word));
  return {
    words: (content.length > 0 || paired.size > 0 ? content : [...found]).slice(0, MOST_TERMS),
    pairs: [...paired].slice(0, MOST_TERMS),
  };
}

/** An FTS5 expression for passages that hold any (or all) of a query's content words; null if it has none. */
export function matchExpression(query: string, join: 'OR' | 'AND'): string | null {
  const { words, pairs } = terms(query);
  const parts: string[] = [];
  if (words.length > 0)
    parts.push(`{text headings} : (${words.map((word) => `"${word}"`).join(` ${join} `)})`);
  if (pairs.length > 0) parts.push(`bigrams : (${pairs.join(` ${join} `)})`);
  return parts.length === 0 ? null : parts.join(` ${join} `);
}

/** A passage's row number in the index with its BM25 score, higher is better. */
export interface LexicalHit {
  readonly row: number;
  readonly score: number;
}

/** The full-text table of passages. */
export class LexicalIndex {
  readonly #insert: Statement;
  readonly #remove: Statement;
  readonly #search: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO words (rowid, text, headings, bigrams) VALUES (?, ?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM words WHERE rowid = ?');
    // Ties by file and order in it, so that two indexes of the same files answer alike.
    this.#search = database.prepare(`
      SELECT hit.row AS row, -hit.score AS score
      FROM (
        SELECT rowid AS row, bm25(words, 1.0, 0.4, 1.0) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?
      ) AS hit
      JOIN passages ON passages.id = hit.row JOIN files ON files.id = passages.file
      ORDER BY hit.score, files.path, passages.ordinal LIMIT ?`);
  }

  insert(row: number, text: string, headings: string): void {
    const body = indexed(text);
    const above = indexed(headings);
    this.#insert.run(row, body.words, above.words, body.bigrams + above.bigrams);
  }

  remove(row: number): void {
    this.#remove.run(row);
  }

  /** Passages that hold any (or all) content words of a query, best first. */
  search(query: string, limit: number, join: 'OR' | 'AND' = 'OR'): LexicalHit[] {
    const expression = matchExpression(query, join);
    return expression === null ? [] : this.#search.all<LexicalHit>(expression, 2 * limit + 100, limit);
  }
}
