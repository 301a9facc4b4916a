import { nameAdvice } from "../words/nearest-name.js";
import type { WorkflowRule } from "./rule.js";

const known = ["internal", "external", "hybrid"];

export const unknownOrchestration: WorkflowRule = {
  id: "unknown-orchestration",
  subject: "workflow",
  summary: "`orchestration` is `internal`, `external` or `hybrid`.",
  severity: "warning",
  source: "RFC 0005, WorkflowState",
  *check({ states = [] }) {
    for (const { name, orchestration } of states) {
      if (orchestration === undefined || known.includes(orchestration.text)) continue;
      const advice =
        orchestration.text === "composition"
          ? "It is a value of spec 1.5, which this pack is not checked against."
          : (nameAdvice(orchestration.text, known) ?? 'Use "internal", "external" or "hybrid".');
      yield {
        at: orchestration,
        message: `State "${name.text}" has an unknown orchestration, "${orchestration.text}".`,
        advice,
      };
    }
  },
};
