import type { DeviationOf } from "../../replay/deviation.js";
import { count } from "../../words/wording.js";
import type { RunRule } from "../rule.js";

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

function countMessage({ what, said, is, state = "" }: DeviationOf<"count">): string {
  switch (what) {
    case "step":
      return `The record calls this step ${said}, but it is step ${is}.`;
    case "visit":
      return `The record calls this visit ${said} of "${state}", but it is visit ${is}.`;
    case "total":
      return `The record counts ${count(said, "visit")} in all, but there have been ${is}.`;
    case "steps":
      return `The end counts ${count(said, "transition")}, but the record shows ${is}.`;
    case "visit_counts":
      return `The visit counts say ${said} for "${state}", but the history enters it ${count(is, "time")}.`;
    case "left-out":
      return `The visit counts leave out "${state}", which the history enters ${count(is, "time")}.`;
  }
}
