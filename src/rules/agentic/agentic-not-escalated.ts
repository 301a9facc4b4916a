import { deedOf, quotedRun, quotedTool, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticNotEscalated: AgenticRule = {
  id: "agentic-not-escalated",
  subject: "agentic",
  summary: "A result from the wrong tool, or for a later step, makes the run escalate.",
  severity: "error",
  source: "RFC-103, resume validation 4",
  *check(log) {
    for (const { result, last, next } of log.remarks("not-escalated")) {
      const isAhead = stepOf(result) !== stepOf(last);
      const fault = isAhead
        ? `Run ${quotedRun(result)} is at step ${stepOf(last)}, and this is a result for step ${stepOf(result)}`
        : `Step ${stepOf(last)} of run ${quotedRun(result)} waits for ${quotedTool(last)}, and this is a result from ${quotedTool(result)}`;
      const instead = next === undefined ? "the log shows no escalation" : `it ${deedOf(next)}`;
      yield {
        at: isAhead ? result.step : result.tool,
        message: `${fault}: the run must escalate, but ${instead}.`,
        related: [
          { at: last.at, message: `step ${stepOf(last)} is requested here` },
          ...(next === undefined ? [] : [{ at: next.at, message: `the run ${deedOf(next)} here` }]),
        ],
      };
    }
  },
};
