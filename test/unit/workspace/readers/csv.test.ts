import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { cellValue, splitRecords } from '../../../../server/workspace/readers/csv-cells.ts';
import { readText } from '../../../../server/workspace/readers/index.ts';
import { assertPart, blocksOf, growth, sourceOf } from './laws.ts';

const csv = (source: string) => blocksOf(source, 'table.csv');

test('each record is a row under its headers, empty cells are left out', () => {
  assert.deepEqual(csv('part,run_time h,remark\npump,12,"failed, twice"\nvalve,,leaked.\n'), [
    'row: part: pump; run time h: 12; remark: failed, twice.',
    'row: part: valve; remark: leaked.',
  ]);
});

test('quoted cells with doubled quotes and line breaks keep their places', () => {
  const source = 'a,b\r\n1,"the ""old"" pump\r\nfailed"\r\n';
  assert.deepEqual(csv(source), ['row: a: 1; b: the "old" pump failed.']);
  const part = readText(source, 'a.csv').parts[0]!;
  assert.equal(sourceOf(part, 'the "old" pump failed'), 'the ""old"" pump\r\nfailed');
});

test('commas, semicolons, tabs and bars are told apart', () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const source = `${['part', 'hours'].join(delimiter)}\n${['pump', '12'].join(delimiter)}\n`;
    assert.deepEqual(csv(source), ['row: part: pump; hours: 12.'], JSON.stringify(delimiter));
  }
  assert.deepEqual(csv('part;note\npump;it failed, then stopped, again\n'), [
    'row: part: pump; note: it failed, then stopped, again.',
  ]);
  assert.deepEqual(csv('sep=|\npart|hours\npump|12\n'), ['row: part: pump; hours: 12.']);
});

test('records without a header row are rows of their values', () => {
  assert.deepEqual(csv('2024-01-10,46.6,58\n2024-01-11,46.4,61\n'), [
    'row: 2024-01-10; 46.6; 58.',
    'row: 2024-01-11; 46.4; 61.',
  ]);
});

test('lines above the table are prose', () => {
  assert.deepEqual(csv('Pump log,,\npart,hours,note\npump,12,failed\n'), [
    'prose: Pump log',
    'row: part: pump; hours: 12; note: failed.',
  ]);
});

test('a quote that is never closed is read as a plain sign and noted', () => {
  const source = 'part,note\npump,"it failed\nvalve,leaked badly\n';
  const { parts, notes } = readText(source, 'a.csv');
  assertPart(parts[0]!);
  assert.match(parts[0]!.text, /note: "it failed\.\n\npart: valve; note: leaked badly\./);
  assert.match(notes[0]!, /never closed/);
});

test('an empty file gives no parts and a note', () => {
  assert.deepEqual(readText('', 'a.csv'), { title: 'a', parts: [], notes: ['no rows'] });
});

test('law: cells hold what csv-parse finds in them', () => {
  const value = fc.string({ unit: fc.constantFrom(...'ab ",;\n\té'), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      (table) => {
        const source = table
          .map((record) =>
            record.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
          )
          .join('\n');
        const { records } = splitRecords(source, ',');
        const ours = records.map((record) => record.map((cell) => cellValue(source, cell)));
        assert.deepEqual(ours, parse(source, { relax_column_count: true, skip_empty_lines: true }));
      },
    ),
  );
});

test('law: any text is read without an exception, and the map is true', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab1 ",;|\n\t\ré.\0'), maxLength: 80 }), (source) => {
      for (const part of readText(source, 'a.csv').parts) assertPart(part);
    }),
    { numRuns: 500 },
  );
});

test('time grows linearly: rows, quotes, columns', () => {
  const makers: Record<string, (units: number) => string> = {
    rows: (n) => `a,b,c\n${'1,"x ""y"" z",long text here\n'.repeat(n / 29)}`,
    'open quotes': (n) => 'a,"b\n'.repeat(n / 5),
    quotes: (n) => '"'.repeat(n),
    columns: (n) => `${'a,'.repeat(n / 4)}\n${'b,'.repeat(n / 4)}`,
    line: (n) => 'pump '.repeat(n / 5),
  };
  for (const [name, make] of Object.entries(makers)) {
    const times = growth(make, 'a.csv');
    assert.ok(times <= 5, `${name}: ${times.toFixed(1)} times for 4 times the input`);
  }
});
