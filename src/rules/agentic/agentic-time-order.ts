import { quotedRun, stepOf } from "../../agentic/event-words.js";
import { instantOf } from "../../words/instant.js";
import type { AgenticRule } from "../rule.js";

export const agenticTimeOrder: AgenticRule = {
  id: "agentic-time-order",
  subject: "agentic",
  summary: "No result is completed before it was requested.",
  severity: "error",
  source: "RFC-103, event contract",
  *check(log) {
    for (const { request, result } of log.answers) {
      const requested = request.time("requested_at");
      const completed = result.time("completed_at");
      if (requested === undefined || completed === undefined) continue;
      const [from, to] = [instantOf(requested.text), instantOf(completed.text)];
      if (from === undefined || to === undefined || to >= from) continue;
      yield {
        at: completed,
        message: `Step ${stepOf(result)} of run ${quotedRun(result)} was completed at ${completed.text}, before it was requested.`,
        related: [{ at: requested, message: "the time of the request" }],
      };
    }
  },
};
