import { deedOf, quotedRun } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticAfterEnd: AgenticRule = {
  id: "agentic-after-end",
  subject: "agentic",
  summary: "A run ends once, and the loop does nothing for it afterwards.",
  severity: "error",
  source: "RFC-103, state rules; test cases",
  *check(log) {
    for (const { event, end } of log.remarks("after-end")) {
      yield {
        at: event.at,
        message: `Run ${quotedRun(event)} ${deedOf(event)} after it has ${end.kind}.`,
        related: [{ at: end.at, message: "the run ends here" }],
      };
    }
  },
};
