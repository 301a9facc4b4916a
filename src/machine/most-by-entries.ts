import type { Facts } from "./facts.js";
import type { Machine } from "./machine.js";

/** What no run exceeds that is cut short after so many entries, whatever it enters. Of others nothing is known. */
export function mostByEntries({ states }: Machine): Pick<Facts, "worstCaseOf" | "worstCaseWeighing"> {
  return {
    worstCaseOf: (_, entries) => entries,
    worstCaseWeighing(weightOf, entries) {
      if (entries === Infinity) return undefined;
      const heaviest = states.reduce((most, { index }) => Math.max(most, weightOf(index)), 0);
      return heaviest * entries;
    },
  };
}
