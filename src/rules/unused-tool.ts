import { namesMissingPrompt } from "../pack/missing-prompt.js";
import { resembling } from "../words/resembling.js";
import type { PackRule } from "./rule.js";
import { lostPromptRules } from "./shared/held-back.js";

export const unusedTool: PackRule = {
  id: "unused-tool",
  subject: "pack",
  summary: "Every tool is listed by some prompt.",
  severity: "info",
  source: "RFC 0001, tools",
  heldBackBy: [...lostPromptRules, "agent-tool-not-member", "unknown-tool"],
  *check(pack) {
    const { tools, toolUse } = pack;
    if (toolUse.unclear || namesMissingPrompt(pack)) return;
    const lost = toolUse.listed.filter(({ meaning }) => meaning === "unknown" || meaning === "prompt");
    const mayBeMeant = resembling(lost.map(({ name }) => name.text));
    for (const tool of tools?.values() ?? []) {
      if (tool.node === undefined || toolUse.isListed(tool)) continue;
      if ([tool.key, tool.name ?? tool.key].some(({ text }) => mayBeMeant(text))) continue;
      const which = toolUse.isBlocked(tool) ? "a prompt that does not block it" : "a prompt";
      yield {
        at: tool.key,
        message: `No prompt lists the tool "${tool.key.text}".`,
        advice: `Add it to the "tools" of ${which}, or remove it.`,
      };
    }
  },
};
