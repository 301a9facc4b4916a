import { hasUnknownPromptReference } from "../pack/pack.js";
import { mayGrantTools } from "../pack/skills.js";
import { unlistedTools } from "../pack/tool-mentions.js";
import type { PackRule } from "./rule.js";

export const unusedTool: PackRule = {
  id: "unused-tool",
  subject: "pack",
  summary: "Every tool is listed by some prompt, or named by a step.",
  severity: "info",
  source: "RFC 0001, tools",
  defersTo: ["tool-not-listed"],
  *check(pack, { isOn }) {
    const { tools, toolUse, skills, compositions } = pack;
    // An unknown name, or that of a prompt which is not a member, may be a misspelled tool.
    const dangles =
      toolUse.listed.some(({ kind }) => kind === "unknown" || kind === "prompt") ||
      toolUse.ofSteps.some(({ isUnknown }) => isUnknown);
    if (dangles || toolUse.unclear || mayGrantTools(skills) || hasUnknownPromptReference(pack)) return;
    const reported = new Set(isOn("tool-not-listed") ? unlistedTools(pack).map(({ tool }) => tool) : []);
    for (const tool of tools.values()) {
      if (tool.isUnclear || toolUse.isUsed(tool) || reported.has(tool)) continue;
      const which = toolUse.isBlocked(tool) ? "a prompt that does not block it" : "a prompt";
      yield {
        at: tool.key,
        message: `No prompt${compositions.size > 0 ? " or step" : ""} lists the tool "${tool.key.text}".`,
        advice: `Add it to the "tools" of ${which}, or remove it.`,
      };
    }
  },
};
