import { hasUnknownPromptReference } from "../pack/pack.js";
import type { Skills } from "../pack/skills.js";
import type { PackRule } from "./rule.js";

export const unusedTool: PackRule = {
  id: "unused-tool",
  subject: "pack",
  summary: "Every tool is listed by some prompt.",
  severity: "info",
  source: "RFC 0001, tools",
  *check(pack) {
    const { tools, toolUse, skills } = pack;
    // An unknown name, or that of a prompt which is not a member, may be a misspelled tool.
    const dangles = toolUse.listed.some(({ kind }) => kind === "unknown" || kind === "prompt");
    if (dangles || toolUse.unclear || mayGrantTools(skills) || hasUnknownPromptReference(pack)) return;
    for (const tool of tools.values()) {
      if (tool.isUnclear || toolUse.isListed(tool)) continue;
      const which = toolUse.isBlocked(tool) ? "a prompt that does not block it" : "a prompt";
      yield {
        at: tool.key,
        message: `No prompt lists the tool "${tool.key.text}".`,
        advice: `Add it to the "tools" of ${which}, or remove it.`,
      };
    }
  },
};

/** A `SKILL.md` may, by its `allowed-tools`; a skill that is written out in the pack cannot. */
function mayGrantTools({ sources }: Skills): boolean {
  return sources.some(({ kind }) => kind === "path");
}
