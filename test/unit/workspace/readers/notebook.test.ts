import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '../../../../server/workspace/readers/index.ts';
import { assertPart, blockTexts, sourceOf } from './laws.ts';

const notebook = (cells: unknown) => JSON.stringify({ nbformat: 4, cells });

test('each prose cell is a part with its number, code and outputs are not read', () => {
  const source = notebook([
    { cell_type: 'markdown', source: ['# Pump\n', '\n', 'It *failed*.'] },
    { cell_type: 'code', source: ['# a comment\n', 'x = 1'], outputs: [{ text: ['out'] }] },
    { cell_type: 'markdown', source: '' },
    { cell_type: 'raw', source: 'Raw\nwords.' },
  ]);
  const { title, parts } = readText(source, 'a.ipynb');
  assert.equal(title, 'Pump');
  assert.deepEqual(
    parts.map((part) => [part.cell, ...blockTexts(part)]),
    [
      [0, 'Pump', 'It failed.'],
      [3, 'Raw words.'],
    ],
  );
  for (const part of parts) assertPart(part);
  assert.equal(parts[0]!.source, '# Pump\n\nIt *failed*.');
  assert.equal(sourceOf(parts[0]!, 'It failed'), 'It *failed');
});

test('notebooks of format 3 are read, with their heading cells', () => {
  const source = JSON.stringify({
    worksheets: [
      {
        cells: [
          { cell_type: 'heading', level: 2, source: ['Why'] },
          { cell_type: 'markdown', source: ['Frost.'] },
        ],
      },
    ],
  });
  assert.deepEqual(readText(source, 'a.ipynb').parts.flatMap(blockTexts), ['Why', 'Frost.']);
});

test('broken JSON is refused with the line of the fault', () => {
  assert.throws(() => readText('{"cells": [\n  {"cell_type": }\n]}', 'x/a.ipynb'), {
    name: 'UnreadableError',
    file: 'x/a.ipynb',
    message: /broken JSON: ValueExpected at line 2, column 17/,
  });
  assert.throws(() => readText('['.repeat(100_000), 'a.ipynb'), { name: 'UnreadableError' });
});

test('JSON that is no notebook is refused, odd cells are passed by', () => {
  for (const source of ['{}', '[]', 'null', '{"cells": 3}']) {
    assert.throws(() => readText(source, 'a.ipynb'), {
      name: 'UnreadableError',
      message: /no list of cells/,
    });
  }
  assert.deepEqual(
    readText(notebook([null, 3, {}, { cell_type: 'markdown', source: [3] }]), 'a.ipynb').parts,
    [],
  );
});

test('an empty file is no fault', () => {
  assert.deepEqual(readText('', 'a.ipynb'), { title: 'a', parts: [], notes: ['empty file'] });
});
