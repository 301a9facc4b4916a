import { pendingField } from "../../agentic/plugin-state.js";
import type { ScalarNode } from "../../document/node.js";
import { listNames } from "../../words/wording.js";
import type { AgenticStateRule } from "../rule.js";

export const agenticStatePending: AgenticStateRule = {
  id: "agentic-state-pending",
  subject: "agentic-state",
  summary: "The pending fields of a run are set together, and cleared when it ends.",
  severity: "error",
  source: "RFC-103, state rules",
  *check(state) {
    for (const run of state.runs) {
      const id = run.name.text;
      const step = pendingField(run, "pending_step");
      const tool = pendingField(run, "pending_tool");
      const since = pendingField(run, "pending_since");
      const set = step ?? tool ?? since;
      if (set === undefined) continue;
      const status = run.status?.text;
      if (status === "done" || status === "escalated") {
        const left = [step, tool, since].find(holdsValue);
        if (left === undefined) continue;
        yield {
          at: left,
          message: `Run "${id}" has ended (${status}) but still has pending fields: clear them.`,
        };
      } else if (step === undefined || tool === undefined) {
        const missing = [
          ...(step === undefined ? ["pending_step"] : []),
          ...(tool === undefined ? ["pending_tool"] : []),
        ];
        yield {
          at: set,
          message: `Run "${id}" is pending, but lacks ${listNames(missing)}: set the pending fields together.`,
        };
      }
    }
  },
};

/** Not what can only mean that it was cleared: of 0 and an empty text, agentic-state-shape says that they are no values. */
function holdsValue(field: ScalarNode | undefined): boolean {
  return field !== undefined && field.value !== 0 && field.value !== "";
}
