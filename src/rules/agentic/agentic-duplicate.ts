import type { RemarkOf } from "../../agentic/remark.js";
import { quotedRun, stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

function describe(event: RemarkOf<"duplicate">["event"]): string {
  switch (event.kind) {
    case "request":
      return `Step ${stepOf(event)} of run ${quotedRun(event)} was already requested, with no error in between`;
    case "completed":
    case "escalated":
      return `The end of run ${quotedRun(event)} was already reported, with the same content`;
    case "start":
    case "trigger":
      return `A start with the dedupe key "${event.dedupeKey?.text ?? ""}" was already sent`;
  }
}

export const agenticDuplicate: AgenticRule = {
  id: "agentic-duplicate",
  subject: "agentic",
  summary: "No start, request or end is sent twice for no reason.",
  severity: "info",
  source: "RFC-103, idempotency and dedupe",
  *check(log) {
    for (const { event, first } of log.remarks("duplicate")) {
      yield {
        at: event.dedupeKey ?? event.at,
        message: `${describe(event)}: this duplicate should be dropped.`,
        related: [{ at: first.at, message: "the first one" }],
      };
    }
  },
};
