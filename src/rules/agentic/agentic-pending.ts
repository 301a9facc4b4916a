import { deedAfter, quotedRun, quotedTool, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticPending: AgenticRule = {
  id: "agentic-pending",
  subject: "agentic",
  summary: "While a step is pending, no other is requested and the run is not completed.",
  severity: "error",
  source: "RFC-103, core invariants 3 and 5",
  *check(log) {
    for (const { event, request } of log.remarks("pending")) {
      yield {
        at: event.at,
        message: `Run ${quotedRun(event)} ${deedAfter(event, request)} while step ${stepOf(request)} still waits for ${quotedTool(request)}.`,
        related: [{ at: request.at, message: "this request has no result yet" }],
      };
    }
  },
};
