import type { PackRule } from "./rule.js";
import { promptCorrector } from "./shared/correct-name.js";
import { idsWithoutKey } from "./shared/lost-prompts.js";
import { nearKeyFix } from "./shared/near-name-fix.js";

export const unknownAgentMember: PackRule = {
  id: "unknown-agent-member",
  subject: "pack",
  summary: "Every agent member is a prompt of the pack.",
  severity: "error",
  source: "RFC 0007, agents; RFC 0011, rule 3",
  *check(pack) {
    const { document, agents, prompts, hasAllPrompts } = pack;
    if (prompts === undefined || !hasAllPrompts) return;
    const lost = idsWithoutKey(prompts);
    const correct = promptCorrector(pack);
    for (const { name } of agents?.members ?? []) {
      if (prompts.has(name.text) || lost.has(name.text)) continue;
      yield {
        at: name,
        message: `The agent member "${name.text}" is not in "prompts".`,
        ...correct(name.text, (names) => nearKeyFix(document, name, names)),
      };
    }
  },
};
