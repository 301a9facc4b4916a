import { isClear } from "../../agentic/log-event.js";
import { stepOf } from "../../agentic/event-words.js";
import type { AgenticRule } from "../rule.js";

export const agenticDedupeKey: AgenticRule = {
  id: "agentic-dedupe-key",
  subject: "agentic",
  summary: "Dedupe keys have the form that RFC-103 requires, and name their run and step.",
  severity: "error",
  source: "RFC-103, idempotency and dedupe",
  *check(log) {
    for (const event of log.events) {
      const key = event.dedupeKey;
      if (event.kind === "start") {
        if (key === undefined || /^agentic:start:./su.test(key.text)) continue;
        yield {
          at: key,
          message: `The dedupe key of a start must be "agentic:start:" followed by the id of the outside request, not "${key.text}".`,
        };
        continue;
      }
      if (!isClear(event) || (event.kind !== "request" && event.kind !== "result")) continue;
      const expected = `agentic:run:${event.runId.text}:step:${stepOf(event)}:${event.kind}`;
      if (key?.text === expected) continue;
      if (key !== undefined) {
        yield { at: key, message: `The dedupe key "${key.text}" should be "${expected}".` };
      } else if (event.node.get("dedupe_key") === undefined) {
        yield { at: event.at, message: `This ${event.kind} has no dedupe key; it should be "${expected}".` };
      }
    }
  },
};
