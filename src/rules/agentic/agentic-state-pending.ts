import { pendingField } from "../../agentic/plugin-state.js";
import { listNames } from "../../words/wording.js";
import type { AgenticStateRule } from "../rule.js";

const pendingFields = ["pending_step", "pending_tool", "pending_since"];

export const agenticStatePending: AgenticStateRule = {
  id: "agentic-state-pending",
  subject: "agentic-state",
  summary: "The pending fields of a run are set together, and cleared when it ends.",
  severity: "error",
  source: "RFC-103, state rules",
  *check(state) {
    for (const run of state.runs) {
      const id = run.name.text;
      const [set] = pendingFields.flatMap((name) => pendingField(run, name) ?? []);
      if (set === undefined) continue;
      const missing = pendingFields.filter((name) => pendingField(run, name) === undefined);
      const status = run.status?.text;
      if (status === "done" || status === "escalated") {
        yield {
          at: set,
          message: `Run "${id}" has ended (${status}) but still has pending fields: clear them.`,
        };
      } else if (missing.length > 0) {
        yield {
          at: set,
          message: `Run "${id}" is pending, but lacks ${listNames(missing)}: set the pending fields together.`,
        };
      }
    }
  },
};
