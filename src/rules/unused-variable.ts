import { placeOf } from "../document/node.js";
import { namesWithin } from "../pack/names-within.js";
import type { PackRule } from "./rule.js";

export const unusedVariable: PackRule = {
  id: "unused-variable",
  subject: "pack",
  summary: "Every variable that a prompt declares is used by the prompt.",
  severity: "info",
  source: "RFC 0003, variable definitions",
  *check({ prompts, delimiters, hasAllFragments, readings, templates }) {
    if (delimiters === undefined || !hasAllFragments) return;
    // While a reference dangles, it may be the misspelt name of this one.
    const dangling = new Set(templates.undeclared.flatMap((undeclared) => undeclared.prompts));
    for (const prompt of prompts?.values() ?? []) {
      if (prompt.declared.size === 0 || dangling.has(prompt) || !readings.isWhole(prompt)) continue;
      const read = new Set(readings.of(prompt).map(({ reference }) => reference.name));
      const unread = [...prompt.declared.values()].filter(
        ({ name, isBound }) => !isBound && !read.has(name?.text ?? ""),
      );
      if (unread.length === 0 || prompt.node === undefined) continue;
      const named = namesWithin(prompt.node, delimiters);
      for (const { name, node } of unread) {
        if (name === undefined || named.has(name.text)) continue;
        yield {
          at: placeOf(node),
          message: `Prompt "${prompt.key.text}" declares the variable "${name.text}" and never uses it.`,
        };
      }
    }
  },
};
