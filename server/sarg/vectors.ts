/** Small arithmetic on unit vectors. */

/** Dot product; of unit vectors the cosine, -1 to 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** {@link dot} but for rounding, three times as fast: for telling which pairs are worth the exact one. */
export function roughDot(a: Float32Array, b: Float32Array): number {
  return roughSum(a, b, 0, a.length);
}

/** Products of the numbers from `start` to `end`, summed up. */
function roughSum(a: Float32Array, b: Float32Array, start: number, end: number): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let at = start;
  // Four sums at a time: the processor need not wait for the one before.
  for (; at + 3 < end; at += 4) {
    first += a[at]! * b[at]!;
    second += a[at + 1]! * b[at + 1]!;
    third += a[at + 2]! * b[at + 2]!;
    fourth += a[at + 3]! * b[at + 3]!;
  }
  for (; at < end; at++) first += a[at]! * b[at]!;
  return first + second + third + fourth;
}

/** More than rounding makes of a sum of a unit vector's products. */
export const ROUNDING = 1e-9;

/** Sum of the row's numbers, each by its weight. */
export function weigh(weights: readonly number[], row: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += weights[at]! * row[at]!;
  return sum;
}

/** Mean of unit vectors, scaled to length 1. The zero vector if they cancel out or none is given. */
export function meanUnit(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const out = new Float32Array(dimensions);
  for (const vector of vectors) for (let at = 0; at < dimensions; at++) out[at]! += vector[at]!;
  const length = Math.sqrt(dot(out, out));
  if (length > 0) for (let at = 0; at < dimensions; at++) out[at]! /= length;
  return out;
}

/** Numbers of a vector that are multiplied before it is asked again whether the rest can matter. */
const STRIDE = 48;

/** A vector with the lengths of what is left of it behind each stride, to tell early which others are far from it. */
export interface Screened {
  readonly vector: Float32Array;
  readonly rests: Float64Array;
}

export function screened(vector: Float32Array): Screened {
  const rests = new Float64Array(Math.ceil(vector.length / STRIDE));
  let sum = 0;
  for (let at = vector.length - 1; at >= 0; at--) {
    if ((at + 1) % STRIDE === 0 || at === vector.length - 1) rests[Math.floor(at / STRIDE)] = Math.sqrt(sum);
    sum += vector[at]! ** 2;
  }
  return { vector, rests };
}

/**
 * Whether the dot product may be `least` or more. False is certain: what is left of two vectors adds at most the
 * product of its lengths (Cauchy and Schwarz). Of vectors far apart about a quarter is looked at.
 */
export function mayReach(a: Screened, b: Screened, least: number): boolean {
  const { vector: one, rests: oneRests } = a;
  const { vector: other, rests: otherRests } = b;
  const bar = least - ROUNDING;
  let sum = 0;
  for (let stride = 0; stride < oneRests.length; stride++) {
    const start = stride * STRIDE;
    sum += roughSum(one, other, start, Math.min(start + STRIDE, one.length));
    if (sum + oneRests[stride]! * otherRests[stride]! < bar) return false;
  }
  return true;
}
