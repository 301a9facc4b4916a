import type { PackRule } from "./rule.js";

export const agentToolNotMember: PackRule = {
  id: "agent-tool-not-member",
  subject: "pack",
  summary: "An agent delegates to agent members only.",
  severity: "warning",
  source: "RFC 0007, delegation",
  *check({ agents, toolUse }) {
    for (const { prompt, name, kind } of toolUse.listed) {
      // agent-entry-not-member reports an entry that is not a member.
      if (kind !== "prompt" || name.text === agents.entry?.text) continue;
      yield {
        at: name,
        wants: "an agent",
        message: `Agent "${prompt.key.text}" delegates to "${name.text}", which is a prompt but not an agent.`,
        advice: 'Add it to the "members" of "agents".',
      };
    }
  },
};
