import { unusedVariables } from "../pack/unused-variables.js";
import type { Syntax } from "../template/syntax.js";
import { listNamed } from "../words/wording.js";
import type { PackRule } from "./rule.js";
import { lostArtifactRules, unclearTextRules } from "./shared/held-back.js";

export const unusedVariable: PackRule = {
  id: "unused-variable",
  subject: "pack",
  summary: "Every variable that a prompt declares is used by the prompt.",
  severity: "info",
  source: "RFC 0003, variable definitions",
  heldBackBy: [...unclearTextRules, ...lostArtifactRules, "duplicate-variable"],
  *check(pack) {
    for (const { at, name, prompts, writtenAs } of unusedVariables(pack)) {
      const owners = listNamed(prompts, ({ key }) => key.text, 4);
      const message =
        prompts.length === 1
          ? `Prompt ${owners} declares the variable "${name}" but never uses it.`
          : `Prompts ${owners} declare the variable "${name}" but never use it.`;
      yield { at, message, advice: adviceFor(writtenAs, name, pack.delimiters) };
    }
  },
};

function adviceFor(
  writtenAs: string | undefined,
  name: string,
  syntax: Syntax | undefined,
): string | undefined {
  if (syntax === undefined) return undefined;
  const written = `${syntax.open}${name}${syntax.close}`;
  if (writtenAs === undefined) return `Use it as ${written}, or remove it.`;
  return `Write "${written}" instead of "${writtenAs}".`;
}
