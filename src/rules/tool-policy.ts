import type { Prompt } from "../pack/prompt.js";
import type { ToolUse } from "../pack/tool-use.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";

export const toolPolicy: PackRule = {
  id: "tool-policy",
  subject: "pack",
  summary: "A tool policy agrees with the tools that its prompt lists.",
  severity: "warning",
  source: "RFC 0001, tool policy",
  *check({ clearPrompts, toolUse }) {
    for (const prompt of clearPrompts) {
      const { key, tools, toolPolicy: policy } = prompt;
      if (policy === undefined) continue;
      if (policy.toolChoice?.text === "required" && tools.length === 0) {
        yield {
          at: policy.at,
          message: `Prompt "${key.text}" requires a tool call, but lists no tools.`,
          advice: 'Add "tools", or set "tool_choice" to "auto".',
        };
      }
      const blocked = listedAndBlocked(prompt, toolUse);
      if (blocked.length === 0) continue;
      const them = blocked.length === 1 ? "it" : "them";
      yield {
        at: policy.at,
        message: `Prompt "${key.text}" both lists and blocks ${listNames(blocked)}: the blocklist wins.`,
        advice: `Remove ${them} from "tools" or "blocklist".`,
      };
    }
  },
};

/** The tools that are listed and blocked, each once. A tool has two names: its key and its `name`. */
function listedAndBlocked({ tools, toolPolicy: policy }: Prompt, { toolNamed }: ToolUse): readonly string[] {
  const keyOf = (name: string) => toolNamed(name)?.key.text ?? name;
  const blocked = new Set(policy?.blocklist.map(({ text }) => keyOf(text)));
  const names = new Map(tools.map(({ text }) => [keyOf(text), text]));
  return [...names].flatMap(([tool, name]) => (blocked.has(tool) ? [name] : []));
}
