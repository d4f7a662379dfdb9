/** Records and cells of separated values, with their places. */

export interface Cell {
  /** Where its content begins: after an opening quote. */
  readonly start: number;
  /** Where its content ends: before a closing quote. */
  readonly end: number;
  readonly quoted: boolean;
}

export interface Records {
  readonly records: readonly (readonly Cell[])[];
  /** A quote was opened and never closed; it was read as a plain sign. */
  readonly unclosed: boolean;
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Splits source[start, end) into records as RFC 4180 has them; a quoted cell may hold delimiters, line breaks and
 * doubled quotes. Empty lines are left out. Linear, also for a quote that is never closed.
 */
export function splitRecords(
  source: string,
  delimiter: string,
  start = 0,
  limit = Number.POSITIVE_INFINITY,
): Records {
  const records: Cell[][] = [];
  let record: Cell[] = [];
  let unclosed = false;
  let at = start;
  const plainEnd = new RegExp(`[${delimiter === '\t' ? '\\t' : delimiter}\\r\\n]`, 'g');
  const endRecord = () => {
    if (record.length > 1 || record.some((cell) => cell.quoted || cell.end > cell.start))
      records.push(record);
    record = [];
  };
  while (at < source.length && records.length < limit) {
    let cell: Cell | undefined;
    let next = at;
    if (source[at] === '"' && !unclosed) {
      const close = closingQuote(source, at + 1);
      if (close < 0) unclosed = true;
      else {
        plainEnd.lastIndex = close + 1;
        next = plainEnd.exec(source)?.index ?? source.length;
        // Words after the closing quote are no CSV; they are kept with the cell as it stands.
        cell =
          source.slice(close + 1, next).trim() === ''
            ? { start: at + 1, end: close, quoted: true }
            : { start: at, end: next, quoted: false };
      }
    }
    if (cell === undefined) {
      plainEnd.lastIndex = at;
      next = plainEnd.exec(source)?.index ?? source.length;
      cell = { start: at, end: next, quoted: false };
    }
    record.push(cell);
    if (source[next] === delimiter) {
      at = next + 1;
      if (at >= source.length) record.push({ start: at, end: at, quoted: false });
    } else {
      at = next + (source[next] === '\r' && source[next + 1] === '\n' ? 2 : 1);
      endRecord();
    }
  }
  if (record.length > 0) endRecord();
  return { records, unclosed };
}

/** What a cell holds, its quotes undone. */
export function cellValue(source: string, cell: Cell): string {
  const raw = source.slice(cell.start, cell.end);
  return cell.quoted ? raw.replaceAll('""', '"') : raw;
}

/** The delimiter that gives the most even records; the first of {@link DELIMITERS} where none gives two columns. */
export function sniffDelimiter(source: string, start: number, preferred: string): string {
  let best = preferred;
  let bestScore = 0;
  for (const delimiter of [preferred, ...DELIMITERS.filter((other) => other !== preferred)]) {
    const { records, unclosed } = splitRecords(source.slice(start, start + 65_536), delimiter, 0, 30);
    const columns = commonColumns(records);
    if (columns < 2 || unclosed) continue;
    const score = records.filter((record) => record.length === columns).length / records.length;
    // Commas within prose give uneven records; an even match of fewer columns is worth more.
    if (score > bestScore + 0.05) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** The number of columns that most records have. */
export function commonColumns(records: readonly (readonly Cell[])[]): number {
  const counts = new Map<number, number>();
  for (const record of records) counts.set(record.length, (counts.get(record.length) ?? 0) + 1);
  let best = 0;
  for (const [columns, count] of counts) if (count > (counts.get(best) ?? 0)) best = columns;
  return best;
}

function closingQuote(source: string, from: number): number {
  let at = source.indexOf('"', from);
  while (at >= 0 && source[at + 1] === '"') at = source.indexOf('"', at + 2);
  return at;
}
