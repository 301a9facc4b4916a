import { vi } from "vitest";
import { Work } from "../../src/machine/explore.js";

/**
 * Makes all work so many times as much as it is, so that it is used up somewhere in a small workflow. The first calls,
 * which pay for the starts, are free of that: other tests are about too many starts.
 */
export function makeWorkHarder(factor: () => number, freeCalls: number): void {
  const spend: (this: Work, words: number) => boolean = Reflect.get(Work.prototype, "spend");
  const calls = new WeakMap<Work, number>();
  vi.spyOn(Work.prototype, "spend").mockImplementation(function (this: Work, words) {
    const before = calls.get(this) ?? 0;
    calls.set(this, before + 1);
    return spend.call(this, words * (before < freeCalls ? 1 : factor()));
  });
}
