import type { PackRule } from "./rule.js";
import { stateCorrector } from "./shared/name-corrections.js";

export const unknownAgentState: PackRule = {
  id: "unknown-agent-state",
  subject: "pack",
  summary: "Every agent's `state` is a state of the workflow.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0011, rule 1",
  *check(pack) {
    const { agents, workflow } = pack;
    if (workflow === undefined) return;
    const correct = stateCorrector(pack, workflow);
    for (const { name, state } of agents.clearMembers) {
      if (state === undefined || !workflow.isUnknownState(state.text)) continue;
      yield {
        at: state,
        wants: "a state",
        message: `Agent "${name.text}" enters the workflow at "${state.text}", which is not a state.`,
        ...correct(state),
      };
    }
  },
};
