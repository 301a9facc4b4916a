import type { PackRule } from "./rule.js";

export const emptyAgentTag: PackRule = {
  id: "empty-agent-tag",
  subject: "pack",
  summary: "No tag of an agent is blank.",
  severity: "warning",
  source: "RFC 0007, AgentDef",
  *check({ agents }) {
    for (const { name, tags } of agents.clearMembers) {
      for (const tag of tags) {
        if (tag.text.trim() !== "") continue;
        yield {
          at: tag,
          wants: "a word",
          message: `Agent "${name.text}" has a blank tag.`,
          advice: "Write a word, or remove it.",
        };
      }
    }
  },
};
