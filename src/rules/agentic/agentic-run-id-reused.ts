import { quotedRun } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticRunIdReused: AgenticRule = {
  id: "agentic-run-id-reused",
  subject: "agentic",
  summary: "Every run has a `run_id` of its own.",
  severity: "error",
  source: "RFC-103, core invariant 1",
  *check(log) {
    for (const { request, first } of log.remarks("reused")) {
      yield {
        at: request.runId,
        message: `Step 1 of run ${quotedRun(request)} was requested before, and this is not a retry: a new run needs a run_id of its own.`,
        related: [{ at: first.at, message: "the run begins here" }],
      };
    }
  },
};
