import { idOf } from "../../agentic/words.js";
import { guesser, nameAdvice } from "../../words/nearest-name.js";
import type { AgenticRule } from "../rule.js";

export const agenticUnknownRun: AgenticRule = {
  id: "agentic-unknown-run",
  subject: "agentic",
  summary: "Every result belongs to a run that began in the log.",
  severity: "warning",
  source: "RFC-103, resume validation 1",
  *check(log) {
    const guess = guesser();
    const runs = log.runs.map(({ id }) => id);
    for (const { result } of log.remarks("unknown-run")) {
      yield {
        at: result.runId,
        message: `No run ${idOf(result)} has begun, so its result is ignored.`,
        advice: nameAdvice(result.runId.text, runs, guess),
      };
    }
  },
};
