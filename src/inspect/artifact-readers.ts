import type { Inspection } from "./inspection.js";

/** Each reader of an artifact is listed with all states that run it: small packs can have billions of such pairs. */
const maxReaderPairs = 2_000_000;

/** Pairs of an artifact and a state that reads it, where there are more than JSON can list. */
export function excessiveReaderPairs({ workflow }: Inspection): number | undefined {
  let readers = 0;
  for (const { readBy } of workflow?.artifacts ?? [])
    for (const { states } of readBy) readers += states.length;
  return readers > maxReaderPairs ? readers : undefined;
}
