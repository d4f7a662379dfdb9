/** HTML tables: one row a block, its cells under their headers. */
import { TextBuilder } from './builder.ts';
import { type HtmlElement, isText } from './html-tree.ts';

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly inHead: boolean;
}

const SECTIONS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot']);
const WIDEST = 1000;

/** Writes an element's text without starting blocks of its own; html.ts has it. */
type WriteInline = (out: TextBuilder, element: HtmlElement) => void;

/** Writes a table. False, and nothing written, if it only lays out a page. */
export function readTable(out: TextBuilder, table: HtmlElement, inline: WriteInline): boolean {
  const rows = rowsOf(table);
  if (rows.every((row) => row.cells.length < 2) || rows.some((row) => row.cells.some(laysOut))) return false;
  for (const child of table.children) {
    if (isText(child) || child.tag !== 'caption') continue;
    out.begin('caption');
    inline(out, child);
    out.end();
  }
  let first = 0;
  while (first < rows.length - 1 && (rows[first]!.inHead || isHeaderRow(rows[first]!))) first += 1;
  const headers: string[] = [];
  eachCell(rows.slice(0, first), (cell, column, width) => {
    const builder = new TextBuilder(out.source);
    inline(builder, cell);
    const text = builder.part().text;
    for (let c = column; c < column + width; c += 1) {
      headers[c] =
        headers[c] === undefined || headers[c] === ''
          ? text
          : text === ''
            ? headers[c]!
            : `${headers[c]} ${text}`;
    }
  });
  let row: Row | undefined;
  eachCell(rows.slice(first), (cell, column, _width, of) => {
    if (of !== row) {
      out.endRow();
      out.begin('row');
      row = of;
    }
    out.cell(headers[column] ?? '');
    inline(out, cell);
  });
  out.endRow();
  return true;
}

function rowsOf(table: HtmlElement): Row[] {
  const rows: Row[] = [];
  const collect = (element: HtmlElement, inHead: boolean) => {
    for (const child of element.children) {
      if (isText(child)) continue;
      if (SECTIONS.has(child.tag)) collect(child, child.tag === 'thead');
      else if (child.tag === 'tr') {
        const cells = child.children.filter(
          (cell): cell is HtmlElement => !isText(cell) && (cell.tag === 'td' || cell.tag === 'th'),
        );
        if (cells.length > 0) rows.push({ cells, inHead });
      }
    }
  };
  collect(table, false);
  return rows;
}

function isHeaderRow(row: Row): boolean {
  return row.cells.length > 1 && row.cells.every((cell) => cell.tag === 'th');
}

/** A cell that holds tables or headings is a part of the page, not of a table. */
function laysOut(element: HtmlElement): boolean {
  return element.children.some(
    (child) => !isText(child) && (/^(?:table|h[1-6]|pre)$/.test(child.tag) || laysOut(child)),
  );
}

/** Visits cells with their column, past those that a cell above reaches down into. */
function eachCell(
  rows: readonly Row[],
  visit: (cell: HtmlElement, column: number, width: number, row: Row) => void,
): void {
  const reach: number[] = [];
  for (const row of rows) {
    let column = 0;
    for (const cell of row.cells) {
      while ((reach[column] ?? 0) > 0) {
        reach[column]! -= 1;
        column += 1;
      }
      const width = span(cell, 'colspan');
      visit(cell, column, width, row);
      const height = span(cell, 'rowspan');
      for (let c = column; c < column + width; c += 1) reach[c] = height - 1;
      column += width;
      if (column > WIDEST) break;
    }
    for (; column < reach.length; column += 1) if (reach[column]! > 0) reach[column]! -= 1;
  }
}

function span(cell: HtmlElement, name: string): number {
  const value = Number.parseInt(cell.attributes.get(name) ?? '1', 10);
  return value >= 1 ? Math.min(value, WIDEST) : 1;
}
