import type { Facts } from "../facts.js";
import type { Machine } from "../machine.js";

/**
 * The worst cases as far as a bound for each state tells, which no run exceeds: nothing where neither that nor the
 * number of entries after which runs are cut short is finite.
 */
export function entryBounds(
  { states }: Machine,
  mostOf: (state: number) => number,
): Pick<Facts, "worstCase" | "worstCaseOf" | "weightedWorstCase"> {
  const ifFinite = (most: number): number | undefined => (most === Infinity ? undefined : most);
  return {
    worstCase: undefined,
    worstCaseOf: (state, entries = Infinity) => ifFinite(Math.min(mostOf(state), entries)),
    weightedWorstCase(weightOf, entries) {
      if (entries === Infinity) return undefined;
      const heaviest = states.reduce((most, { index }) => Math.max(most, weightOf(index)), 0);
      return heaviest * entries;
    },
  };
}
