import { quotedTool, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticRunOpen: AgenticRule = {
  id: "agentic-run-open",
  subject: "agentic",
  summary: "Every run that begins in the log also ends in it.",
  severity: "info",
  source: "RFC-103, state rules",
  heldBackBy: ["agentic-run-id-reused"],
  *check(log) {
    for (const { run } of log.remarks("open")) {
      const { pending } = run;
      const waits = pending === undefined ? "" : `: step ${stepOf(pending)} waits for ${quotedTool(pending)}`;
      yield {
        at: run.last.at,
        message: `Run "${run.id}" is still open at the end of the log${waits}.`,
      };
    }
    for (const { start } of log.remarks("unanswered-start")) {
      yield { at: start.at, message: "The log ends before a run follows this start." };
    }
  },
};
