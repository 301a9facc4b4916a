import { isKeptByStep } from "../../agentic/plugin-state.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { agenticStateSchema } from "../../schema/other-schemas.js";
import type { AgenticStateRule } from "../rule.js";

const ofStep =
  'This is what "promptpack step" keeps of its run, which "step" itself checks: leave out "--state".';

export const agenticStateShape: AgenticStateRule = {
  id: "agentic-state-shape",
  subject: "agentic-state",
  summary: "The state of the plugin has the shape that RFC-103 requires.",
  severity: "error",
  source: "RFC-103, agent plugin state schema",
  *check({ document }) {
    if (document.root === undefined) return;
    const findings = otherSchemaFindings(document.root, agenticStateSchema(), document.text);
    if (!isKeptByStep(document.root)) yield* findings;
    else for (const finding of findings) yield { ...finding, advice: ofStep };
  },
};
