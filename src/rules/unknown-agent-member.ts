import type { PackRule } from "./rule.js";
import { promptCorrector } from "./shared/name-corrections.js";

export const unknownAgentMember: PackRule = {
  id: "unknown-agent-member",
  subject: "pack",
  summary: "Every agent member is a prompt of the pack.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0007, agents; RFC 0011, rule 3",
  *check(pack) {
    const correct = promptCorrector(pack);
    for (const { name } of pack.agents.clearMembers) {
      if (!pack.isUnknownPrompt(name.text)) continue;
      yield {
        at: name,
        message: `The agent member "${name.text}" is not in "prompts".`,
        ...correct(name),
      };
    }
  },
};
