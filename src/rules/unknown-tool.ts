import { getOrCreate } from "../text/collections.js";
import type { Prompt } from "../pack/prompt.js";
import { createMentionSearch } from "../pack/prompt-mentions.js";
import { createGuesser, nameAdvice, uniqueNearestName } from "../text/names.js";
import type { PackRule } from "./rule.js";
import { nearestNameFix } from "./shared/fixes.js";

export const unknownTool: PackRule = {
  id: "unknown-tool",
  subject: "pack",
  summary: "Every tool that a prompt lists is a tool of the pack, an agent member, or the runtime's own.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0001, tools; RFC 0007, delegation",
  *check(pack) {
    const { document, tools, agents, toolUse } = pack;
    const names = [...tools.keys(), ...agents.members.map(({ name }) => name.text)];
    const guess = createGuesser();
    const mentions = createMentionSearch(pack);
    const lists = new Map<Prompt, Set<string>>();
    for (const { prompt, name, kind } of toolUse.listed) {
      if (kind !== "unknown") continue;
      const near = guess(name.text, names);
      const isMentioned = (text: string): boolean =>
        ["exact", "other case"].includes(mentions(prompt, text) ?? "");
      const list = getOrCreate(lists, prompt, () => new Set(prompt.tools.map(({ text }) => text)));
      yield {
        at: name,
        wants: "a tool",
        message: `Prompt "${prompt.key.text}" lists the tool "${name.text}", which is not in "tools".`,
        advice: near === undefined ? defineAdvice(name.text) : nameAdvice(name.text, [near]),
        ...(near !== undefined &&
          // A fix must not leave the old name behind in the text of the prompt.
          (!isMentioned(name.text) || isMentioned(near)) &&
          addIfAbsent(list, uniqueNearestName(name.text, names)) &&
          nearestNameFix(document, name, names)),
      };
    }
  },
};

/** A text of several words is hardly a name. */
function defineAdvice(name: string): string | undefined {
  return /\s/.test(name) ? undefined : "Define it there, or remove it from the list.";
}

/** Fixes must not make a prompt list a tool twice. */
function addIfAbsent(list: Set<string>, name: string | undefined): boolean {
  if (name === undefined || list.has(name)) return false;
  list.add(name);
  return true;
}
