import type { WorkflowRule } from "./rule.js";
import { nearestChoice } from "./shared/fixes.js";

const knownPersistences = ["transient", "persistent"];

export const unknownPersistence: WorkflowRule = {
  id: "unknown-persistence",
  subject: "workflow",
  summary: "`persistence` is `transient` or `persistent`.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0005, WorkflowState",
  *check({ clearStates }, _, { document }) {
    for (const { name, persistence } of clearStates) {
      if (persistence === undefined || knownPersistences.includes(persistence.text)) continue;
      yield {
        at: persistence,
        wants: "a persistence",
        message: `State "${name.text}" has an unknown persistence, "${persistence.text}".`,
        ...nearestChoice(document, persistence, knownPersistences, 'Use "transient" or "persistent".'),
      };
    }
  },
};
