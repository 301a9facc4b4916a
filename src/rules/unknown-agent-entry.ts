import type { PackRule } from "./rule.js";
import { promptCorrector } from "./shared/name-corrections.js";

export const unknownAgentEntry: PackRule = {
  id: "unknown-agent-entry",
  subject: "pack",
  summary: "The entry of the agents is a prompt of the pack.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0007, agents; RFC 0011, rule 3",
  *check(pack) {
    const entry = pack.agents.entry;
    if (entry === undefined || !pack.isUnknownPrompt(entry.text)) return;
    const correct = promptCorrector(pack);
    yield {
      at: entry,
      message: `The entry agent "${entry.text}" is not in "prompts".`,
      ...correct(entry),
    };
  },
};
