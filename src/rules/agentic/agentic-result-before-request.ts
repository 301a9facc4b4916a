import { quotedRun, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticResultBeforeRequest: AgenticRule = {
  id: "agentic-result-before-request",
  subject: "agentic",
  summary: "Every result comes after its request.",
  severity: "error",
  source: "RFC-103, core invariant 3",
  *check(log) {
    for (const { result, request } of log.remarks("early-result")) {
      yield {
        at: result.step,
        message: `The result of step ${stepOf(result)} of run ${quotedRun(result)} comes before its request.`,
        related: [{ at: request.at, message: "the request" }],
      };
    }
  },
};
