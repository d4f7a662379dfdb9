import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VectorMatrix } from '../../../server/workspace/matrix.ts';
import type { VectorTable } from '../../../server/workspace/vectors.ts';

/** A table of vectors in memory that counts what is read of it. */
class FakeTable {
  readonly dimensions: number;
  generation = '0';
  rows: { id: number; textId: number; vector: Float32Array }[] = [];
  read = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  get count(): number {
    return this.rows.length;
  }

  forEachAfter(after: number, take: (id: number, textId: number, vector: Float32Array) => void): void {
    for (const { id, textId, vector } of this.rows) {
      if (id <= after) continue;
      this.read++;
      take(id, textId, vector);
    }
  }
}

function matrixOf(table: FakeTable): VectorMatrix {
  return new VectorMatrix(table as unknown as VectorTable);
}

const vector = fc
  .array(fc.integer({ min: -3, max: 3 }), { minLength: 5, maxLength: 5 })
  .map((numbers) => Float32Array.from(numbers));

test('law: the nearest are those a full sort gives', () => {
  fc.assert(
    fc.property(fc.array(vector, { maxLength: 60 }), vector, fc.nat(70), (vectors, query, limit) => {
      const table = new FakeTable(5);
      table.rows = vectors.map((row, at) => ({ id: at + 1, textId: 100 + at, vector: row }));
      const matrix = matrixOf(table);
      matrix.refresh();
      const dot = (row: Float32Array): number =>
        row.reduce((sum, number, at) => sum + number * query[at]!, 0);
      const expected = vectors
        .map((row, at) => ({ textId: 100 + at, similarity: dot(row) }))
        .sort((a, b) => b.similarity - a.similarity || a.textId - b.textId)
        .slice(0, limit);
      assert.deepEqual(
        matrix
          .nearest(query, limit)
          .map(({ textId, similarity }) => ({ textId, similarity: similarity + 0 })),
        expected.map(({ textId, similarity }) => ({ textId, similarity: similarity + 0 })),
      );
      for (const { textId, similarity } of expected)
        assert.equal(matrix.similarity(textId, query)! + 0, similarity + 0);
    }),
  );
});

test('only new vectors are read, until some were taken away', () => {
  const table = new FakeTable(2);
  const matrix = matrixOf(table);
  const add = (id: number): number => table.rows.push({ id, textId: id, vector: Float32Array.of(id, 0) });
  for (let id = 1; id <= 500; id++) add(id);
  matrix.refresh();
  for (let id = 501; id <= 1000; id++) {
    add(id);
    matrix.refresh();
  }
  assert.deepEqual([table.read, matrix.length], [1000, 1000]);
  assert.equal(matrix.nearest(Float32Array.of(1, 0), 1)[0]!.textId, 1000);
  table.rows = table.rows.slice(0, 10);
  table.generation = '1';
  matrix.refresh();
  assert.deepEqual([table.read, matrix.length], [1010, 10]);
  assert.equal(matrix.similarity(1000, Float32Array.of(1, 0)), undefined);
});

test('a vector written anew takes the place of the old one', () => {
  const table = new FakeTable(1);
  table.rows = [
    { id: 1, textId: 7, vector: Float32Array.of(1) },
    { id: 2, textId: 7, vector: Float32Array.of(3) },
  ];
  const matrix = matrixOf(table);
  matrix.refresh();
  assert.deepEqual([matrix.length, matrix.similarity(7, Float32Array.of(1))], [1, 3]);
});

test('a vector of another width is never compared', () => {
  const table = new FakeTable(2);
  table.rows = [{ id: 1, textId: 7, vector: Float32Array.of(1, 2, 3) }];
  const matrix = matrixOf(table);
  matrix.refresh();
  assert.equal(matrix.length, 0);
});
