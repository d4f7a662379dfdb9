import assert from 'node:assert/strict';

/**
 * Holds that four times the input costs at most five times as much. Processor time, the least of a few runs, and a few
 * attempts: other work on the machine disturbs the ratio now and then, but growth by the square (16 times) never passes.
 */
export function assertLinear<T>(work: (input: T) => void, quarter: T, whole: T): void {
  work(quarter);
  const ratios: number[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const ratio = cost(() => work(whole)) / cost(() => work(quarter));
    if (ratio <= 5) return;
    ratios.push(ratio);
  }
  assert.fail(`4 times the input costs ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} times as much`);
}

function cost(work: () => void): number {
  const runs = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...runs);
}
