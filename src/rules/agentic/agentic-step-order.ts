import { quotedRun, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticStepOrder: AgenticRule = {
  id: "agentic-step-order",
  subject: "agentic",
  summary: "The steps of a run start at 1 and go up.",
  severity: "error",
  source: "RFC-103, core invariant 2",
  *check(log) {
    for (const { request } of log.remarks("first-step")) {
      yield {
        at: request.step,
        message: `Run ${quotedRun(request)} begins with step ${stepOf(request)}; steps start at 1.`,
      };
    }
    for (const { request, after } of log.remarks("step-back")) {
      const again = stepOf(request) === stepOf(after);
      const when = again ? "again, which already has its result" : `after step ${stepOf(after)}`;
      yield {
        at: request.step,
        message: `Run ${quotedRun(request)} requests step ${stepOf(request)} ${when}; step numbers must go up.`,
        related: [{ at: after.at, message: `step ${stepOf(after)} is requested here` }],
      };
    }
  },
};
