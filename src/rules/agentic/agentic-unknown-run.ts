import { quotedRun } from "../../agentic/event-words.js";
import { guesser, nameAdvice } from "../../words/nearest-name.js";
import type { AgenticRule } from "../rule.js";

const consequences = {
  result: "its result is ignored",
  completed: "it cannot complete",
  escalated: "it cannot escalate",
} as const;

export const agenticUnknownRun: AgenticRule = {
  id: "agentic-unknown-run",
  subject: "agentic",
  summary: "Every result and every end belongs to a run that began in the log.",
  severity: "warning",
  source: "RFC-103, resume validation 1",
  *check(log) {
    const guess = guesser();
    const runs = log.runs.map(({ id }) => id);
    for (const { event } of log.remarks("unknown-run")) {
      yield {
        at: event.runId,
        message: `No run ${quotedRun(event)} has begun, so ${consequences[event.kind]}.`,
        advice: nameAdvice(event.runId.text, runs, guess),
      };
    }
  },
};
