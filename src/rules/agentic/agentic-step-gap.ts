import { quotedRun, stepOf } from "../../agentic/event-words.js";
import { count } from "../../words/wording.js";
import type { AgenticRule } from "../rule.js";

export const agenticStepGap: AgenticRule = {
  id: "agentic-step-gap",
  subject: "agentic",
  summary: "No step of a run is left out.",
  severity: "warning",
  source: "RFC-103, core invariant 2",
  *check(log) {
    for (const { request, after } of log.remarks("gap")) {
      const missed = stepOf(request) - stepOf(after) - 1;
      yield {
        at: request.step,
        message: `Run ${quotedRun(request)} goes from step ${stepOf(after)} to step ${stepOf(request)}: ${count(missed, "step")} ${missed === 1 ? "is" : "are"} missing, from the run or from the log.`,
        related: [{ at: after.at, message: `step ${stepOf(after)} is requested here` }],
      };
    }
  },
};
