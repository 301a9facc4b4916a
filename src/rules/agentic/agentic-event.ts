import { eventTypes } from "../../agentic/log-event.js";
import { didYouMean } from "../../nearest-name.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { eventSchema } from "../../schema/other-schemas.js";
import type { AgenticRule } from "../rule.js";

export const agenticEvent: AgenticRule = {
  id: "agentic-event",
  subject: "agentic",
  summary: "Every line of the log is an event of RFC-103, with the payload that the RFC states.",
  severity: "error",
  source: "RFC-103, event contract",
  *check(log) {
    for (const event of log.events) {
      const schema = event.kind === undefined ? undefined : eventSchema(event.kind);
      if (schema !== undefined) yield* otherSchemaFindings(event.node, schema, log.document.text);
      else if (event.type !== undefined) {
        const hint = didYouMean(event.type.text, eventTypes);
        yield { at: event.type, message: `"${event.type.text}" is not an event of RFC-103.${hint}` };
      } else {
        yield { at: event.at, message: 'This line has no "type" that tells which event it is.' };
      }
    }
  },
};
