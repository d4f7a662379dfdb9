/** All passage vectors in one array, searched from end to end. */
import type { VectorTable } from './vectors.ts';

/** A text with its cosine to what was searched for. */
export interface VectorHit {
  readonly textId: number;
  readonly similarity: number;
}

/**
 * The index's vectors in memory: one Float32Array, row by row, and the text of each row. 100,000 vectors of 384 numbers
 * take 154 MB, and a search is one pass over them. {@link refresh} reads only what was added since, by any process.
 */
export class VectorMatrix {
  readonly #table: VectorTable;
  readonly #dimensions: number;
  #numbers: Float32Array;
  #textIds: Int32Array;
  #length = 0;
  #lastId = 0;
  #generation: string | null = null;
  readonly #rowOf = new Map<number, number>();

  constructor(table: VectorTable) {
    this.#table = table;
    this.#dimensions = table.dimensions;
    this.#numbers = new Float32Array(0);
    this.#textIds = new Int32Array(0);
  }

  /** How many vectors are held. */
  get length(): number {
    return this.#length;
  }

  /** Takes in vectors added to the index since the last call; reads all anew after some were taken away. */
  refresh(): void {
    const { generation } = this.#table;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#length = 0;
      this.#lastId = 0;
      this.#rowOf.clear();
      this.#reserve(this.#table.count, true);
    }
    this.#table.forEachAfter(this.#lastId, (id, textId, vector) => {
      this.#lastId = id;
      // Only a process that had not yet heard of a change of models could have written another width.
      if (vector.length !== this.#dimensions) return;
      let row = this.#rowOf.get(textId);
      if (row === undefined) {
        this.#reserve(this.#length + 1, false);
        row = this.#length++;
        this.#rowOf.set(textId, row);
        this.#textIds[row] = textId;
      }
      this.#numbers.set(vector, row * this.#dimensions);
    });
  }

  /** Cosine of a unit vector to a text's, or undefined if the text has none. */
  similarity(textId: number, query: Float32Array): number | undefined {
    const row = this.#rowOf.get(textId);
    return row === undefined ? undefined : this.#dot(row, query);
  }

  /** The `limit` texts nearest to a unit vector, nearest first. Linear in the number of vectors. */
  nearest(query: Float32Array, limit: number): VectorHit[] {
    const best = new Best(Math.min(limit, this.#length));
    for (let row = 0; row < this.#length; row++) {
      const similarity = this.#dot(row, query);
      if (best.wants(similarity)) best.add(similarity, row);
    }
    return best.sorted().map(([similarity, row]) => ({ textId: this.#textIds[row]!, similarity }));
  }

  #dot(row: number, query: Float32Array): number {
    const numbers = this.#numbers;
    const from = row * this.#dimensions;
    const to = from + this.#dimensions;
    // Four sums at a time: the processor need not wait for the one before.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let at = from;
    let by = 0;
    for (; at + 3 < to; at += 4, by += 4) {
      a += numbers[at]! * query[by]!;
      b += numbers[at + 1]! * query[by + 1]!;
      c += numbers[at + 2]! * query[by + 2]!;
      d += numbers[at + 3]! * query[by + 3]!;
    }
    for (; at < to; at++, by++) a += numbers[at]! * query[by]!;
    return a + b + c + d;
  }

  #reserve(rows: number, exactly: boolean): void {
    if (rows <= this.#textIds.length) return;
    const room = exactly ? rows : Math.max(rows, 256, Math.ceil(this.#textIds.length * 1.5));
    const numbers = new Float32Array(room * this.#dimensions);
    numbers.set(this.#numbers.subarray(0, this.#length * this.#dimensions));
    const textIds = new Int32Array(room);
    textIds.set(this.#textIds.subarray(0, this.#length));
    this.#numbers = numbers;
    this.#textIds = textIds;
  }
}

/** The best few of many: a heap whose top is the worst of those kept. Of equal ones the first row stays. */
class Best {
  readonly #room: number;
  readonly #heap: [number, number][] = [];

  constructor(room: number) {
    this.#room = room;
  }

  wants(value: number): boolean {
    return this.#heap.length < this.#room || (this.#room > 0 && value > this.#heap[0]![0]);
  }

  add(value: number, row: number): void {
    const heap = this.#heap;
    if (heap.length < this.#room) {
      heap.push([value, row]);
      for (let at = heap.length - 1; at > 0; ) {
        const up = (at - 1) >> 1;
        if (worse(heap[up]!, heap[at]!)) break;
        [heap[up], heap[at]] = [heap[at]!, heap[up]!];
        at = up;
      }
      return;
    }
    heap[0] = [value, row];
    for (let at = 0; ; ) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && worse(heap[down + 1]!, heap[down]!)) down++;
      if (worse(heap[at]!, heap[down]!)) break;
      [heap[at], heap[down]] = [heap[down]!, heap[at]!];
      at = down;
    }
  }

  sorted(): [number, number][] {
    return this.#heap.toSorted((a, b) => b[0] - a[0] || a[1] - b[1]);
  }
}

function worse(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] > b[1]);
}
