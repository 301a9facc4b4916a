import type { RunRule } from "../rule.js";

export const runGap: RunRule = {
  id: "run-gap",
  subject: "run",
  summary: "Each transition leaves the state that the one before entered.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: capture",
  *check(replay) {
    for (const { at, early, before } of replay.deviations("order")) {
      yield {
        at,
        message: `The record tells ${early} before ${before}: its transitions are not in their order.`,
      };
    }
    for (const { from, was, isAgain } of replay.deviations("gap")) {
      const why = isAgain
        ? "it is the one before, written again"
        : "transitions are missing, or not in their order";
      yield {
        at: from,
        message: `This transition leaves "${from.text}", but the run was in "${was}": ${why}.`,
      };
    }
  },
};
