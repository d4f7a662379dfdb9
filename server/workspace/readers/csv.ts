/** Separated values: one block a record, each value under its header. */
import { extname } from 'node:path';
import type { ReadDocument, Reader } from '../types.ts';
import { TextBuilder } from './builder.ts';
import { type Cell, cellValue, commonColumns, sniffDelimiter, splitRecords } from './csv-cells.ts';
import { titleFromName } from './title.ts';

const NUMBER = /^[-+]?(?:[\p{Sc}]\s?)?[\d.,:/\s-]*\d[\d.,:/\s-]*(?:[%‰]|[eE][-+]?\d+|\s?\p{L}{1,3})?$/u;
const LONGEST_HEADER = 60;

/** Reads comma, semicolon, tab and bar separated values. */
export const csvReader: Reader = {
  name: 'separated values',
  extensions: ['.csv', '.tsv', '.tab'],
  read(source: string, file: string): ReadDocument {
    const title = titleFromName(file);
    const notes: string[] = [];
    // Excel's hint at the delimiter.
    const hint = /^sep=(.)\r?\n/.exec(source);
    const start = hint?.[0].length ?? 0;
    const preferred = extname(file).toLowerCase() === '.csv' ? ',' : '\t';
    const delimiter = hint?.[1] ?? sniffDelimiter(source, start, preferred);
    const { records, unclosed } = splitRecords(source, delimiter, start);
    if (unclosed) notes.push('a quotation mark is never closed; it was read as a plain sign');

    const columns = commonColumns(records);
    const out = new TextBuilder(source);
    let first = 0;
    // Lines above the table: what it is, who made it.
    while (columns > 1 && first < records.length && filled(source, records[first]!).length === 1) {
      out.begin('prose');
      writeCell(out, filled(source, records[first]!)[0]!);
      first += 1;
    }
    const body = records.slice(first);
    const headers = isHeader(source, body) ? body[0]!.map((cell) => headerOf(source, cell)) : [];
    for (const record of headers.length > 0 ? body.slice(1) : body) {
      out.begin('row');
      record.forEach((cell, column) => {
        out.cell(headers[column] ?? '');
        writeCell(out, cell);
      });
      out.endRow();
    }
    const part = out.part();
    if (part.text === '') return { title, parts: [], notes: [...notes, 'no rows'] };
    return { title, parts: [part], notes };
  },
};

function writeCell(out: TextBuilder, cell: Cell): void {
  let at = cell.start;
  if (cell.quoted) {
    for (const match of out.source.slice(cell.start, cell.end).matchAll(/""/g)) {
      const quote = cell.start + match.index;
      out.copy(at, quote);
      out.atom('"', quote, quote + 2);
      at = quote + 2;
    }
  }
  out.copy(at, cell.end);
}

function filled(source: string, record: readonly Cell[]): readonly Cell[] {
  return record.filter((cell) => source.slice(cell.start, cell.end).trim() !== '');
}

/**
 * Whether the first record names the columns: short, different, no numbers, and either a column below holds numbers
 * or the names are shorter than what stands below them.
 */
function isHeader(source: string, records: readonly (readonly Cell[])[]): boolean {
  if (records.length < 2) return false;
  const names = records[0]!.map((cell) => cellValue(source, cell).trim());
  const given = names.filter((name) => name !== '');
  if (given.length * 2 < names.length || given.length === 0) return false;
  if (new Set(given).size < given.length) return false;
  if (given.some((name) => name.length > LONGEST_HEADER || NUMBER.test(name) || /[.!?]\s/.test(name)))
    return false;
  const below = records.slice(1, 50).map((record) => record.map((cell) => cellValue(source, cell).trim()));
  if (names.some((_, column) => isNumeric(below.map((record) => record[column] ?? '')))) return true;
  const mean = (values: readonly string[]) =>
    values.reduce((sum, value) => sum + value.length, 0) / Math.max(1, values.length);
  return mean(given) < mean(below.flat().filter((value) => value !== ''));
}

function isNumeric(values: readonly string[]): boolean {
  const given = values.filter((value) => value !== '');
  return given.length > 0 && given.filter((value) => NUMBER.test(value)).length >= 0.7 * given.length;
}

/** Column names as words: machine names join them by underscores. */
function headerOf(source: string, cell: Cell): string {
  return cellValue(source, cell)
    .replace(/[\s_]+/g, ' ')
    .trim();
}
