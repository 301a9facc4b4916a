import type { PackRule } from "./rule.js";

export const agentStatePromptDiffers: PackRule = {
  id: "agent-state-prompt-differs",
  subject: "pack",
  summary: "An agent's state runs the prompt that the agent is named after.",
  severity: "info",
  source: "RFC 0011, drawbacks and question 1",
  *check({ agents, workflow, prompts }) {
    for (const { name, state } of agents.clearMembers) {
      const entered = state === undefined ? undefined : workflow?.stateNamed(state.text);
      if (state === undefined || entered?.prompt === undefined || !prompts.has(name.text)) continue;
      if (entered.prompt.key.text === name.text) continue;
      yield {
        at: state,
        message: `Agent "${name.text}" is described by its own prompt, but starts in state "${state.text}", which runs the prompt "${entered.prompt.key.text}".`,
      };
    }
  },
};
