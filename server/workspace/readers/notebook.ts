/** Jupyter notebooks: the prose of their Markdown and raw cells, one part a cell. */
import { type ParseError, parse as parseLoosely, printParseErrorCode } from 'jsonc-parser';
import type { DocumentPart, ReadDocument, Reader } from '../types.ts';
import { UnreadableError } from '../types.ts';
import { readMarkdown } from './markdown.ts';
import { readPlain } from './text.ts';
import { titleFromHeadings, titleFromName } from './title.ts';

interface Cell {
  readonly type: string;
  readonly source: string;
}

/** Reads .ipynb, nbformat 4 and 3. Throws {@link UnreadableError} where the JSON is broken or is no notebook. */
export const notebookReader: Reader = {
  name: 'Jupyter notebook',
  extensions: ['.ipynb'],
  read(text: string, file: string): ReadDocument {
    if (text.trim() === '') return { title: titleFromName(file), parts: [], notes: ['empty file'] };
    const cells = cellsOf(parseJson(text, file));
    if (cells === undefined) throw new UnreadableError(file, 'not a notebook: it has no list of cells');

    const parts: DocumentPart[] = [];
    const notes = new Set<string>();
    let title: string | undefined;
    for (const [index, cell] of cells.entries()) {
      let part: DocumentPart;
      if (cell.type === 'markdown' || cell.type === 'heading') {
        const read = readMarkdown(cell.source, index);
        for (const note of read.notes) notes.add(note);
        title ??= read.title;
        part = read.part;
      } else if (cell.type === 'raw') part = readPlain(cell.source, index);
      else continue;
      if (part.text === '') continue;
      parts.push(part);
      title ??= titleFromHeadings(part);
    }
    if (parts.length === 0) notes.add('no text in its cells');
    return { title: title ?? titleFromName(file), parts, notes: [...notes] };
  },
};

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableError(file, `not a notebook: broken JSON${whereBroken(text)}`);
  }
}

/** The first fault with its line, which JSON.parse doesn't always name. */
function whereBroken(text: string): string {
  const errors: ParseError[] = [];
  try {
    parseLoosely(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return ' (nested too deeply)';
  }
  const first = errors[0];
  if (first === undefined) return '';
  const before = text.slice(0, first.offset);
  const line = before.split('\n').length;
  const column = first.offset - before.lastIndexOf('\n');
  return `: ${printParseErrorCode(first.error)} at line ${line}, column ${column}`;
}

function cellsOf(notebook: unknown): Cell[] | undefined {
  if (!isObject(notebook)) return undefined;
  const lists = Array.isArray(notebook.cells)
    ? [notebook.cells]
    : Array.isArray(notebook.worksheets)
      ? notebook.worksheets.map((sheet: unknown) => (isObject(sheet) ? sheet.cells : undefined))
      : undefined;
  return lists?.flatMap((cells) => (Array.isArray(cells) ? cells.map(cellOf) : []));
}

function cellOf(cell: unknown): Cell {
  if (!isObject(cell)) return { type: 'unknown', source: '' };
  const type = String(cell.cell_type);
  const source = joined(cell.source);
  // nbformat 3 has headings as cells of their own; the editor shows them with their marks.
  const level = typeof cell.level === 'number' ? Math.min(6, Math.max(1, cell.level)) : 1;
  return { type, source: type === 'heading' ? `${'#'.repeat(level)} ${source}` : source };
}

function joined(source: unknown): string {
  if (typeof source === 'string') return source;
  return Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
