import { deedAfter, quotedRun, quotedTool, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticAfterError: AgenticRule = {
  id: "agentic-after-error",
  subject: "agentic",
  summary: "After an error the step is tried again, or the run escalates.",
  severity: "error",
  source: "RFC-103, error handling",
  *check(log) {
    for (const { event, error } of log.remarks("after-error")) {
      yield {
        at: event.at,
        message: `Run ${quotedRun(event)} ${deedAfter(event, error)} although step ${stepOf(error)} of ${quotedTool(error)} failed: it may only retry that step or escalate.`,
        related: [{ at: error.at, message: `step ${stepOf(error)} fails here` }],
      };
    }
  },
};
