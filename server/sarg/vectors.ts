/** Small arithmetic on unit vectors. */

/** Dot product; of unit vectors the cosine, -1 to 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
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
