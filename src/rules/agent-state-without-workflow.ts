import type { PackRule } from "./rule.js";

export const agentStateWithoutWorkflow: PackRule = {
  id: "agent-state-without-workflow",
  subject: "pack",
  summary: "Agents name a `state` only in a pack that has a workflow.",
  severity: "error",
  source: "RFC 0011, rule 2",
  *check({ agents, hasWorkflow }) {
    if (hasWorkflow) return;
    for (const { name, state } of agents.clearMembers) {
      if (state === undefined) continue;
      yield {
        at: state,
        message: `Agent "${name.text}" enters the workflow at "${state.text}", but the pack has no workflow.`,
      };
    }
  },
};
