import type { RemarkOf } from "../../agentic/remark.js";
import { idOf, stepOf } from "../../agentic/words.js";
import type { AgenticRule } from "../rule.js";

function describe({ event }: RemarkOf<"duplicate">): string {
  switch (event.kind) {
    case "request":
      return `Step ${stepOf(event)} of run ${idOf(event)} was requested before, and no error lies between`;
    case "completed":
    case "escalated":
      return `The end of run ${idOf(event)} was told before, in the same words`;
    case "start":
    case "trigger":
      return `A start with the dedupe key "${event.dedupeKey?.text ?? ""}" came before`;
  }
}

export const agenticDuplicate: AgenticRule = {
  id: "agentic-duplicate",
  subject: "agentic",
  summary: "No start, request or end is sent twice without need.",
  severity: "info",
  source: "RFC-103, idempotency and dedupe",
  *check(log) {
    for (const remark of log.remarks("duplicate")) {
      const { event, first } = remark;
      yield {
        at: event.dedupeKey ?? event.at,
        message: `${describe(remark)}: this is a duplicate, to be dropped.`,
        related: [{ at: first.at, message: "the first one" }],
      };
    }
  },
};
