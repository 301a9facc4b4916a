import { quotedRun, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticLateResult: AgenticRule = {
  id: "agentic-late-result",
  subject: "agentic",
  summary: "No result arrives after its run has ended.",
  severity: "info",
  source: "RFC-103, resume validation 2",
  *check(log) {
    for (const { result, end } of log.remarks("late-result")) {
      yield {
        at: result.runId,
        message: `Run ${quotedRun(result)} has ended, so this result for step ${stepOf(result)} is ignored.`,
        related: [{ at: end.at, message: "the run ends here" }],
      };
    }
  },
};
