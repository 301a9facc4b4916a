import type { RunRule } from "../rule.js";

export const runGap: RunRule = {
  id: "run-gap",
  subject: "run",
  summary: "Each transition leaves the state that the previous one entered.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: capture",
  *check(replay) {
    for (const { from, was, isRepeated } of replay.deviations("gap")) {
      const why = isRepeated ? "it repeats the one before it" : "transitions are missing or out of order";
      yield {
        at: from,
        message: `This transition leaves "${from.text}", but the run was in "${was}": ${why}.`,
      };
    }
  },
};
