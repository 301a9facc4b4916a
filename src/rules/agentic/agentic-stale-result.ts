import { quotedRun, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticStaleResult: AgenticRule = {
  id: "agentic-stale-result",
  subject: "agentic",
  summary: "No result arrives twice, or for a step that is done.",
  severity: "info",
  source: "RFC-103, resume validation 3",
  *check(log) {
    for (const { result, last } of log.remarks("stale-result")) {
      const why =
        stepOf(result) === stepOf(last)
          ? `already has its result`
          : `is over (the run is at step ${stepOf(last)})`;
      yield {
        at: result.step,
        message: `Step ${stepOf(result)} of run ${quotedRun(result)} ${why}, so this result is ignored.`,
        related: [{ at: last.at, message: `step ${stepOf(last)} is requested here` }],
      };
    }
  },
};
