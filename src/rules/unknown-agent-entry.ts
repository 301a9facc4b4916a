import type { PackRule } from "./rule.js";
import { promptCorrector } from "./shared/correct-name.js";
import { idsWithoutKey } from "./shared/lost-prompts.js";
import { nearNameFix } from "./shared/near-name-fix.js";

export const unknownAgentEntry: PackRule = {
  id: "unknown-agent-entry",
  subject: "pack",
  summary: "The entry of the agents is a prompt of the pack.",
  severity: "error",
  source: "RFC 0007, agents; RFC 0011, rule 3",
  *check(pack) {
    const { document, agents, prompts, hasAllPrompts } = pack;
    const entry = agents?.entry;
    if (entry === undefined || prompts === undefined || !hasAllPrompts || prompts.has(entry.text)) return;
    if (idsWithoutKey(prompts).has(entry.text)) return;
    const correct = promptCorrector(pack);
    yield {
      at: entry,
      message: `The entry agent "${entry.text}" is not in "prompts".`,
      ...correct(entry.text, (names) => nearNameFix(document, entry, names)),
    };
  },
};
