import { isStepRunFile, numberField, pendingField } from "../../agentic/plugin-state.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { agenticStateSchema } from "../../schema/other-schemas.js";
import { listNames } from "../../text/wording.js";
import type { AgenticStateRule, RuleRows } from "../rule.js";
import { stateLogFindings } from "./state-log-findings.js";

/** Rules about the state that the plugin keeps (RFC-103). */
const pluginStateRows: RuleRows<AgenticStateRule> = {
  "agentic-state-shape": {
    summary: "The state of the plugin has the shape that RFC-103 requires.",
    severity: "error",
    source: "RFC-103, agent plugin state schema",
    *check({ document }) {
      if (document.root === undefined) return;
      const findings = otherSchemaFindings(document.root, agenticStateSchema(), document.text);
      if (!isStepRunFile(document.root)) yield* findings;
      else for (const finding of findings) yield { ...finding, advice: stepFileAdvice };
    },
  },
  "agentic-state-pending": {
    summary: "The pending fields of a run are set together, and cleared when it ends.",
    severity: "warning",
    source: "RFC-103, state rules",
    *check(state) {
      for (const run of state.runs) {
        const id = run.name.text;
        const step = pendingField(run, "pending_step");
        const tool = pendingField(run, "pending_tool");
        const set = step ?? tool ?? pendingField(run, "pending_since");
        if (set === undefined) continue;
        const status = run.status?.text;
        if (status === "done" || status === "escalated") {
          yield {
            at: set,
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
  },
  "agentic-state-limits": {
    summary: "No run is past its `max_steps` or its `max_reframes`.",
    severity: "error",
    source: "RFC-103, agent plugin state schema",
    *check(state) {
      for (const run of state.runs) {
        for (const [name, limit] of limitedFields) {
          const [value, maximum] = [numberField(run, name), numberField(run, limit)];
          // The reframe that exceeds the limit makes the run escalate.
          if (name === "reframes" && run.status?.text === "escalated") continue;
          if (value === undefined || maximum === undefined || value.value <= maximum.value) continue;
          yield {
            at: value.at,
            message: `In run "${run.name.text}", "${name}" is ${value.value}, but "${limit}" is ${maximum.value}.`,
            related: [{ at: maximum.at, message: "the limit" }],
          };
        }
      }
    },
  },
  "agentic-state-log": {
    summary: "The state of the plugin agrees with the log.",
    severity: "error",
    source: "RFC-103, state rules",
    *check(state, log) {
      if (log !== undefined) yield* stateLogFindings(state, log);
    },
  },
};

export const pluginStateRules: readonly AgenticStateRule[] = Object.entries(pluginStateRows).map(
  ([id, row]) => ({ ...row, id, subject: "agentic-state" }),
);

const stepFileAdvice =
  'This is the run file of an earlier "promptpack step"; its next turn gives the file "runs".';

const limitedFields = [
  ["step", "max_steps"],
  ["reframes", "max_reframes"],
] as const;
