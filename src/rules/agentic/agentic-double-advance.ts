import { quotedRun, quotedTool, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticDoubleAdvance: AgenticRule = {
  id: "agentic-double-advance",
  subject: "agentic",
  summary: "A duplicate or stale result does not make a run advance again.",
  severity: "error",
  source: "RFC-103, core invariant 6",
  *check(log) {
    for (const { request, pending, ignored } of log.remarks("double-advance")) {
      yield {
        at: request.step,
        message: `Run ${quotedRun(request)} advances to step ${stepOf(request)} on a result it had to ignore, while step ${stepOf(pending)} still waits for ${quotedTool(pending)}.`,
        related: [
          { at: ignored.at, message: "the result to ignore" },
          { at: pending.at, message: "this request has no result yet" },
        ],
      };
    }
  },
};
