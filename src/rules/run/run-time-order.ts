import type { RunRule } from "../rule.js";

export const runTimeOrder: RunRule = {
  id: "run-time-order",
  subject: "run",
  summary: "Time does not run backwards in a record.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: capture",
  *check(replay) {
    for (const { time, before } of replay.deviations("time")) {
      yield {
        at: time,
        message: `${time.text} is before ${before.text}, which comes earlier in the run.`,
        related: [{ at: before, message: "the earlier part of the run" }],
      };
    }
  },
};
