import { idOf, stepOf } from "../../agentic/words.js";
import type { AgenticRule } from "../rule.js";

export const agenticDuplicate: AgenticRule = {
  id: "agentic-duplicate",
  subject: "agentic",
  summary: "No request and no start is sent twice without need.",
  severity: "info",
  source: "RFC-103, idempotency and dedupe",
  *check(log) {
    for (const { event, first } of log.remarks("duplicate")) {
      const what =
        event.kind === "request"
          ? `Step ${stepOf(event)} of run ${idOf(event)} was requested before, and no error lies between`
          : `A start with the dedupe key "${event.dedupeKey?.text ?? ""}" came before`;
      yield {
        at: event.dedupeKey ?? event.at,
        message: `${what}: this is a duplicate, to be dropped.`,
        related: [{ at: first.at, message: "the first one" }],
      };
    }
  },
};
