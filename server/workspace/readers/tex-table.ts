/** Rows and cells of a TeX table. */
import type { TexToken } from './tex-tokens.ts';

export interface TexCell {
  /** Tokens [from, to). */
  readonly from: number;
  readonly to: number;
}

const RULES: ReadonlySet<string> = new Set([
  'midrule',
  'hline',
  'endhead',
  'endfirsthead',
  'cmidrule',
  'cline',
]);
/** Of a long table: what stands before them is repeated on each page. */
const HEAD_ENDS: ReadonlySet<string> = new Set(['endhead', 'endfirsthead', 'endfoot', 'endlastfoot']);

/**
 * Splits tokens [from, to) of a table into rows. `headers` is how many rows at the top name the columns; `caption`
 * is the index of a caption command inside, or -1.
 */
export function tableRows(
  tokens: readonly TexToken[],
  source: string,
  from: number,
  to: number,
): { rows: readonly (readonly TexCell[])[]; headers: number; caption: number } {
  const rows: TexCell[][] = [];
  let row: TexCell[] = [];
  let cellFrom = from;
  let caption = -1;
  let ruleAfter = -1;
  const endCell = (end: number) => {
    row.push({ from: cellFrom, to: end });
    cellFrom = end + 1;
  };
  const endRow = (end: number) => {
    endCell(end);
    if (row.some((cell) => hasText(tokens, cell))) rows.push(row);
    row = [];
  };
  let repeated: TexCell[][] | undefined;
  for (let i = from; i < to; i += 1) {
    const token = tokens[i]!;
    if ((token.kind === 'open' || token.kind === 'begin') && token.match > i) i = token.match;
    else if (token.kind === 'cell') endCell(i);
    else if (token.kind !== 'command') continue;
    else if (token.name === '\\' || token.name === 'tabularnewline') {
      endRow(i);
      // "\\[2pt]"
      if (tokens[i + 1]?.kind === 'bracket' && source[tokens[i + 1]!.start] === '[') {
        let k = i + 2;
        while (k < to && k < i + 8 && tokens[k]!.kind !== 'bracket') k += 1;
        if (tokens[k]?.kind === 'bracket') {
          i = k;
          cellFrom = k + 1;
        }
      }
    } else if (token.name === 'caption') {
      caption = i;
      let k = i + 1;
      while (k < to && tokens[k]!.kind !== 'open') k += 1;
      i = tokens[k] !== undefined && tokens[k]!.match > k ? tokens[k]!.match : i;
      cellFrom = i + 1;
    } else if (HEAD_ENDS.has(token.name)) {
      // The last head given is the one that counts; the rows before are its copies.
      if (rows.length > 0) repeated = rows.splice(0);
      row = [];
      cellFrom = i + 1;
      ruleAfter = -1;
    } else if (RULES.has(token.name) && ruleAfter < 0 && rows.length > 0 && row.length === 0)
      ruleAfter = rows.length;
  }
  endRow(to);
  if (repeated !== undefined && rows.length > 0) {
    return { rows: [...repeated, ...rows], headers: repeated.length, caption };
  }
  const headers = ruleAfter > 0 && ruleAfter <= 3 && ruleAfter < rows.length ? ruleAfter : 0;
  return { rows, headers, caption };
}

function hasText(tokens: readonly TexToken[], cell: TexCell): boolean {
  for (let i = cell.from; i < cell.to; i += 1) {
    const { kind } = tokens[i]!;
    if (kind === 'text' || kind === 'math' || kind === 'verbatim') return true;
  }
  return false;
}
