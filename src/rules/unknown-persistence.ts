import type { WorkflowRule } from "./rule.js";
import { nearChoice } from "./shared/near-name-fix.js";

const known = ["transient", "persistent"];

export const unknownPersistence: WorkflowRule = {
  id: "unknown-persistence",
  subject: "workflow",
  summary: "`persistence` is `transient` or `persistent`.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0005, WorkflowState",
  *check({ clearStates }, _, { document }) {
    for (const { name, persistence } of clearStates) {
      if (persistence === undefined || known.includes(persistence.text)) continue;
      yield {
        at: persistence,
        wants: "a persistence",
        message: `State "${name.text}" has an unknown persistence, "${persistence.text}".`,
        ...nearChoice(document, persistence, known, 'Use "transient" or "persistent".'),
      };
    }
  },
};
