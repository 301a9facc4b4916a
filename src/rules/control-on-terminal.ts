import type { WorkflowRule } from "./rule.js";

export const controlOnTerminal: WorkflowRule = {
  id: "control-on-terminal",
  subject: "workflow",
  summary: "A state that ends the run does not keep the turn.",
  severity: "warning",
  since: "1.7.0",
  source: "RFC 0014, rule 3",
  *check({ clearStates }, { machine }) {
    for (const { index, name, control, terminal } of clearStates) {
      if (control?.text !== "agent" || machine.states[index]?.ends !== true) continue;
      yield {
        at: control,
        message: `State "${name.text}" ends the run, so the agent cannot keep the turn there.`,
        advice: "Remove control.",
        related: terminal?.value === true ? [{ at: terminal, message: "marked terminal here" }] : [],
      };
    }
  },
};
