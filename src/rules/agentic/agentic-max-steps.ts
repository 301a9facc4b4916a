import { deedOf, quotedRun, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticMaxSteps: AgenticRule = {
  id: "agentic-max-steps",
  subject: "agentic",
  summary: "A run that reaches `max_steps` escalates.",
  severity: "error",
  source: "RFC-103, error handling: step >= max_steps",
  needs: "max steps",
  *check(log) {
    for (const { request, next, maxSteps } of log.remarks("over-budget")) {
      const step = `Step ${stepOf(request)} of run ${quotedRun(request)}`;
      yield next === undefined
        ? {
            at: request.step,
            message: `${step} is beyond max_steps (${maxSteps}): the run should have escalated before.`,
          }
        : {
            at: request.step,
            message: `${step} has reached max_steps (${maxSteps}): the run must escalate, but it ${deedOf(next)}.`,
            related: [{ at: next.at, message: `the run ${deedOf(next)} here` }],
          };
    }
  },
};
