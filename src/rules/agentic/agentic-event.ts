import { meantType } from "../../agentic/log-event.js";
import type { Words } from "../../diagnostic.js";
import { misspelt } from "../../words/nearest-name.js";
import { lacksPlugin, requestPrefix } from "../../routes/routes.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { eventSchema } from "../../schema/other-schemas.js";
import type { AgenticRule } from "../rule.js";

function describe(type: string): Words {
  if (lacksPlugin(type)) {
    return {
      message: `"${type}" names no plugin: the type of a request is "${requestPrefix}" followed by the plugin.`,
    };
  }
  const meant = meantType(type);
  return {
    message: `"${type}" is not an event of RFC-103.`,
    advice: meant === undefined ? undefined : `Did you mean "${meant}"?`,
  };
}

export const agenticEvent: AgenticRule = {
  id: "agentic-event",
  subject: "agentic",
  summary: "Every line of the log is an event of RFC-103, with the payload that the RFC requires.",
  severity: "error",
  source: "RFC-103, event contract",
  *check(log) {
    for (const event of log.events) {
      const schema = event.kind === undefined ? undefined : eventSchema(event.kind);
      if (schema !== undefined) yield* otherSchemaFindings(event.node, schema, log.document.text);
      else if (event.type !== undefined) yield { at: event.type, ...describe(event.type.text) };
      else {
        const names = event.node.entries.map(({ key }) => key.text);
        const message = 'This line has no "type" to say which event it is.';
        yield { at: event.at, message, advice: misspelt("type", names) };
      }
    }
  },
};
