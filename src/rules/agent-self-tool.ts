import type { PackRule } from "./rule.js";

export const agentSelfTool: PackRule = {
  id: "agent-self-tool",
  subject: "pack",
  summary: "No agent delegates to itself.",
  severity: "warning",
  source: "RFC 0007, delegation",
  *check({ agents, toolUse }) {
    for (const { prompt, name, kind } of toolUse.listed) {
      if (name.text !== prompt.key.text || kind !== "member") continue;
      // While the members are unclear, every prompt counts as one.
      if (agents.memberNamed(name.text) === undefined) continue;
      yield {
        at: name,
        message: `Agent "${name.text}" lists itself as a tool, and could delegate to itself forever.`,
        advice: "Remove it from its tools.",
      };
    }
  },
};
