import { findUnusedVariables } from "../pack/unused-variables.js";
import { listNamesOf } from "../text/wording.js";
import type { PackRule } from "./rule.js";

export const unusedVariable: PackRule = {
  id: "unused-variable",
  subject: "pack",
  summary: "Every variable that a prompt declares is used by the prompt.",
  severity: "info",
  source: "RFC 0003, variable definitions",
  *check(pack) {
    if (pack.delimiters === undefined) return;
    const { open, close } = pack.delimiters;
    for (const { at, name, prompts } of findUnusedVariables(pack)) {
      const owners = listNamesOf(prompts, ({ key }) => key.text, 4);
      const message =
        prompts.length === 1
          ? `Prompt ${owners} declares the variable "${name}" but never uses it.`
          : `Prompts ${owners} declare the variable "${name}" but never use it.`;
      yield { at, message, advice: `Use it as ${open}${name}${close}, or remove it.` };
    }
  },
};
