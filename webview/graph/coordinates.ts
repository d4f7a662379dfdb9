/** Last part of the layered layout: where in its rank each slot stands. Pure. */
import type { Slot } from './ranks.ts';

/** Distance kept between two neighbours in a rank, across the flow. */
export type Gap = (a: Slot, b: Slot) => number;

/**
 * Moves slots towards their neighbours' weighted mean, rank by rank, forth and back. Within a rank the closest
 * positions that keep order and distance are found exactly (least squares by pooling), so nothing ever overlaps.
 */
export function settle(ranks: readonly Slot[][], gap: Gap, rounds = 14): void {
  for (const slots of ranks) {
    let at = 0;
    for (const [index, item] of slots.entries()) {
      if (index > 0) at += distance(slots[index - 1]!, item, gap);
      item.position = at;
    }
    const middle = at / 2;
    for (const item of slots) item.position -= middle;
  }
  for (let round = 0; round < rounds; round += 1) {
    const forward = round % 2 === 0;
    const both = round >= rounds - 4;
    for (let step = 0; step < ranks.length; step += 1) {
      const slots = ranks[forward ? step : ranks.length - 1 - step]!;
      const wishes: number[] = [];
      const weights: number[] = [];
      for (const item of slots) {
        let sum = 0;
        let weight = 0;
        const lists = both ? [item.before, item.after] : [forward ? item.before : item.after];
        for (const list of lists) {
          for (const next of list) {
            sum += next.slot.position * next.weight;
            weight += next.weight;
          }
        }
        wishes.push(weight > 0 ? sum / weight : item.position);
        weights.push(weight > 0 ? weight : 0.1);
      }
      place(slots, wishes, weights, gap);
    }
  }
}

function distance(a: Slot, b: Slot, gap: Gap): number {
  return (a.across + b.across) / 2 + gap(a, b);
}

/** Nearest feasible positions: pool adjacent violators on positions with the minimal distances taken off. */
function place(
  slots: readonly Slot[],
  wishes: readonly number[],
  weights: readonly number[],
  gap: Gap,
): void {
  const offsets: number[] = [];
  let offset = 0;
  for (const [index, item] of slots.entries()) {
    if (index > 0) offset += distance(slots[index - 1]!, item, gap);
    offsets.push(offset);
  }
  const pools: { sum: number; weight: number; count: number }[] = [];
  for (let index = 0; index < slots.length; index += 1) {
    const weight = weights[index]!;
    pools.push({ sum: (wishes[index]! - offsets[index]!) * weight, weight, count: 1 });
    while (pools.length > 1) {
      const last = pools[pools.length - 1]!;
      const before = pools[pools.length - 2]!;
      if (before.sum / before.weight <= last.sum / last.weight) break;
      pools.pop();
      before.sum += last.sum;
      before.weight += last.weight;
      before.count += last.count;
    }
  }
  let index = 0;
  for (const pool of pools) {
    const base = pool.sum / pool.weight;
    for (let count = 0; count < pool.count; count += 1, index += 1)
      slots[index]!.position = base + offsets[index]!;
  }
}
