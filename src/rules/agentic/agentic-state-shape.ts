import { otherSchemaFindings } from "../../schema/check-schema.js";
import { agenticStateSchema } from "../../schema/other-schemas.js";
import type { AgenticStateRule } from "../rule.js";

export const agenticStateShape: AgenticStateRule = {
  id: "agentic-state-shape",
  subject: "agentic-state",
  summary: "The state of the plugin has the shape that RFC-103 requires.",
  severity: "error",
  source: "RFC-103, agent plugin state schema",
  *check({ document }) {
    if (document.root === undefined) return;
    yield* otherSchemaFindings(document.root, agenticStateSchema(), document.text);
  },
};
