import { isOlderThan } from "../schema/spec-version.js";
import type { WorkflowRule } from "./rule.js";
import { nearestChoice } from "./shared/fixes.js";

const knownOrchestrations = ["internal", "external", "hybrid"];

export const unknownOrchestration: WorkflowRule = {
  id: "unknown-orchestration",
  subject: "workflow",
  summary: "`orchestration` is `internal`, `external` or `hybrid`.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0005, WorkflowState",
  *check({ clearStates, spec }, _, { document }) {
    // Later schemas list the values.
    if (!isOlderThan(spec, "1.5.0")) return;
    for (const { name, orchestration } of clearStates) {
      if (orchestration === undefined || knownOrchestrations.includes(orchestration.text)) continue;
      yield {
        at: orchestration,
        wants: "an orchestration",
        message: `State "${name.text}" has an unknown orchestration, "${orchestration.text}".`,
        ...nearestChoice(document, orchestration, knownOrchestrations, remedyFor(orchestration.text)),
      };
    }
  },
};

function remedyFor(orchestration: string): string {
  return orchestration === "composition"
    ? "It is a value of spec 1.5: pin that, or a later version."
    : 'Use "internal", "external" or "hybrid".';
}
