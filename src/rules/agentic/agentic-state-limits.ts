import { placedNumber } from "../../agentic/plugin-state.js";
import type { AgenticStateRule } from "../rule.js";

const limits = [
  ["step", "max_steps"],
  ["reframes", "max_reframes"],
] as const;

export const agenticStateLimits: AgenticStateRule = {
  id: "agentic-state-limits",
  subject: "agentic-state",
  summary: "No run is past its `max_steps` or its `max_reframes`.",
  severity: "error",
  source: "RFC-103, agent plugin state schema",
  *check(state) {
    for (const run of state.runs) {
      for (const [name, limit] of limits) {
        const [value, most] = [placedNumber(run, name), placedNumber(run, limit)];
        if (value === undefined || most === undefined || value.value <= most.value) continue;
        yield {
          at: value.at,
          message: `In run "${run.name.text}", "${name}" is ${value.value}, but "${limit}" is ${most.value}.`,
          related: [{ at: most.at, message: "the limit" }],
        };
      }
    }
  },
};
