/** Finds a quote's place again in a text that may have changed. Knows no editor, so that it can be tested alone. */

export interface Found {
  readonly start: number;
  readonly end: number;
  /** Whether the words stand where they were. */
  readonly moved: boolean;
}

/**
 * The quote at `expected`, or where else it stands, if it stands once only; null when it is gone or ambiguous. Never
 * a guess: the words must be the same, save for how lines end.
 * @param expected offset at which the quote is thought to start
 */
export function findQuote(text: string, quote: string, expected: number): Found | null {
  if (quote === '') return null;
  const at = endOf(text, quote, expected);
  if (at !== null) return { start: expected, end: at, moved: false };
  const pattern = new RegExp(
    quote
      .split(/\r\n|\r|\n/)
      .map(literal)
      .join('(?:\\r\\n|\\r|\\n)'),
    'gu',
  );
  let only: Found | null = null;
  for (const match of text.matchAll(pattern)) {
    if (only !== null) return null;
    only = { start: match.index, end: match.index + match[0].length, moved: true };
  }
  return only;
}

/** Where the quote ends if it stands at `start`, line ends taken as alike; else null. */
function endOf(text: string, quote: string, start: number): number | null {
  let at = start;
  for (let from = 0; from < quote.length; ) {
    const [wanted, wantedLength] = unit(quote, from);
    const [there, length] = unit(text, at);
    if (wanted !== there) return null;
    from += wantedLength;
    at += length;
  }
  return at;
}

function unit(text: string, at: number): [string, number] {
  const one = text.charAt(at);
  if (one !== '\r') return [one, 1];
  return ['\n', text.charAt(at + 1) === '\n' ? 2 : 1];
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
