/** A block of `period` items that follows itself so that it stands there `times` times. */
export interface Repeat {
  readonly period: number;
  readonly times: number;
}

const maxPeriod = 64;
const minTimes = 3;

/** The repeat that covers the most items from `start` on, within `end`; of equals the shortest block. */
export function longestRepeatAt<Item>(
  items: readonly Item[],
  start: number,
  end: number,
  isSame: (a: Item, b: Item) => boolean,
): Repeat | undefined {
  const isRepeated = (at: number, period: number) => {
    const before = items[at - period];
    const item = at < end ? items[at] : undefined;
    return before !== undefined && item !== undefined && isSame(before, item);
  };
  let best: Repeat | undefined;
  for (let period = 1; period <= maxPeriod && start + period * minTimes <= end; period++) {
    let alike = 0;
    while (isRepeated(start + period + alike, period)) alike++;
    const times = 1 + Math.floor(alike / period);
    if (times >= minTimes && period * times > (best?.period ?? 0) * (best?.times ?? 0)) {
      best = { period, times };
    }
  }
  return best;
}
