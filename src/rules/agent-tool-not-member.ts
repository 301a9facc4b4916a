import type { PackRule } from "./rule.js";

export const agentToolNotMember: PackRule = {
  id: "agent-tool-not-member",
  subject: "pack",
  summary: "An agent delegates to agent members only.",
  severity: "warning",
  source: "RFC 0007, delegation",
  heldBackBy: ["agent-entry-not-member", "unknown-agent-member"],
  *check({ toolUse }) {
    for (const { prompt, name, meaning } of toolUse.listed) {
      if (meaning !== "prompt") continue;
      yield {
        at: name,
        message: `Agent "${prompt.key.text}" delegates to "${name.text}", which is a prompt but no agent. Add it to the "members" of "agents".`,
      };
    }
  },
};
