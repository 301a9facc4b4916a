/** A block of `period` items that follows itself so that it stands there `times` times. */
export interface Repeat {
  readonly period: number;
  readonly times: number;
}

const longestPeriod = 64;
const fewestTimes = 3;

/** The repeat that covers the most items from `start` on, within `end`; of equals the shortest block. */
export function repeatAt(items: readonly number[], start: number, end: number): Repeat | undefined {
  let best: Repeat | undefined;
  for (let period = 1; period <= longestPeriod && start + period * fewestTimes <= end; period++) {
    let alike = 0;
    while (start + period + alike < end && items[start + alike] === items[start + period + alike]) alike++;
    const times = 1 + Math.floor(alike / period);
    if (times >= fewestTimes && period * times > (best?.period ?? 0) * (best?.times ?? 0)) {
      best = { period, times };
    }
  }
  return best;
}
