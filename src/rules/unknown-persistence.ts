import { nameAdvice } from "../words/nearest-name.js";
import type { WorkflowRule } from "./rule.js";

const known = ["transient", "persistent"];

export const unknownPersistence: WorkflowRule = {
  id: "unknown-persistence",
  subject: "workflow",
  summary: "`persistence` is `transient` or `persistent`.",
  severity: "warning",
  source: "RFC 0005, WorkflowState",
  *check({ states = [] }) {
    for (const { name, persistence } of states) {
      if (persistence === undefined || known.includes(persistence.text)) continue;
      const advice = nameAdvice(persistence.text, known) ?? 'Use "transient" or "persistent".';
      yield {
        at: persistence,
        message: `State "${name.text}" has an unknown persistence, "${persistence.text}".`,
        advice,
      };
    }
  },
};
