import type { PackRule } from "./rule.js";

export const unusedTool: PackRule = {
  id: "unused-tool",
  subject: "pack",
  summary: "Every tool is listed by some prompt.",
  severity: "info",
  source: "RFC 0001, tools",
  heldBackBy: ["agent-tool-not-member", "unknown-tool"],
  *check({ tools, toolUse }) {
    // While a name dangles, it may be the misspelt name of this tool.
    const dangles = toolUse.listed.some(({ meaning }) => meaning === "unknown" || meaning === "prompt");
    if (dangles || toolUse.unclear) return;
    for (const tool of tools?.values() ?? []) {
      if (toolUse.isListed(tool)) continue;
      yield {
        at: tool.key,
        message: `No prompt lists the tool "${tool.key.text}".`,
        advice: 'Add it to the "tools" of a prompt, or remove it.',
      };
    }
  },
};
