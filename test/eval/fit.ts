/** Logistic regression by Newton's method, with an L2 penalty on all but the first column (the bias). */

/**
 * Weights for the columns as they are given (they are standardised inside, and the result is scaled back).
 * @param rows features, the first always 1
 * @param labels 1 or 0
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  penalty: number,
): number[] {
  const width = rows[0]!.length;
  const mean = new Array<number>(width).fill(0);
  const spread = new Array<number>(width).fill(0);
  for (const row of rows) for (let at = 0; at < width; at++) mean[at]! += row[at]! / rows.length;
  for (const row of rows)
    for (let at = 0; at < width; at++) spread[at]! += (row[at]! - mean[at]!) ** 2 / rows.length;
  const constant = spread.map((value) => value < 1e-12);
  for (let at = 0; at < width; at++) spread[at] = constant[at] ? 1 : Math.sqrt(spread[at]!);
  mean[0] = 0;
  spread[0] = 1;
  const scaled = rows.map((row) =>
    row.map((value, at) => (constant[at] && at > 0 ? 0 : (value - mean[at]!) / spread[at]!)),
  );
  const weights = new Array<number>(width).fill(0);
  for (let iteration = 0; iteration < 30; iteration++) {
    const gradient = new Array<number>(width).fill(0);
    const hessian = Array.from({ length: width }, () => new Array<number>(width).fill(0));
    for (const [index, row] of scaled.entries()) {
      let sum = 0;
      for (let at = 0; at < width; at++) sum += weights[at]! * row[at]!;
      const probability = 1 / (1 + Math.exp(-sum));
      const error = probability - labels[index]!;
      const curvature = probability * (1 - probability);
      for (let at = 0; at < width; at++) {
        gradient[at]! += error * row[at]!;
        for (let other = 0; other <= at; other++) hessian[at]![other]! += curvature * row[at]! * row[other]!;
      }
    }
    for (let at = 0; at < width; at++) {
      if (at > 0) gradient[at]! += penalty * weights[at]!;
      hessian[at]![at]! += at > 0 ? penalty : 1e-6;
      for (let other = at + 1; other < width; other++) hessian[at]![other] = hessian[other]![at]!;
    }
    const step = solve(hessian, gradient);
    for (let at = 0; at < width; at++) weights[at]! -= step[at]!;
    if (step.every((value) => Math.abs(value) < 1e-7)) break;
  }
  const out = weights.map((weight, at) => weight / spread[at]!);
  for (let at = 1; at < width; at++) out[0]! -= (weights[at]! * mean[at]!) / spread[at]!;
  return out;
}

/** Gauss-Jordan elimination with partial pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let at = column + 1; at < size; at++)
      if (Math.abs(rows[at]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = at;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const head = rows[column]![column]! || 1e-12;
    for (let at = 0; at < size; at++) {
      if (at === column) continue;
      const factor = rows[at]![column]! / head;
      if (factor !== 0)
        for (let other = column; other <= size; other++) rows[at]![other]! -= factor * rows[column]![other]!;
    }
  }
  return rows.map((row, at) => row[size]! / (row[at]! || 1e-12));
}
