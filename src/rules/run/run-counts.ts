import type { RunRule } from "../rule.js";
import { countMessage } from "../shared/count-words.js";

export const runCounts: RunRule = {
  id: "run-counts",
  subject: "run",
  summary: "The counts in a record match the transitions it shows.",
  severity: "error",
  source: "RFC 0009, max_visits and engine.budget",
  *check(replay) {
    for (const deviation of replay.deviations("count")) {
      yield { at: deviation.at, message: countMessage(deviation) };
    }
  },
};
