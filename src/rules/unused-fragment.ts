import { hasUnknownPromptReference } from "../pack/pack.js";
import { referencedNames } from "../pack/template-text.js";
import {
  hasVariableNamedFragments,
  mayIncludeAnyFragment,
  type OwnedTemplate,
} from "../pack/template-use.js";
import type { PackRule } from "./rule.js";

export const unusedFragment: PackRule = {
  id: "unused-fragment",
  subject: "pack",
  summary: "Every fragment is included by some template.",
  severity: "info",
  source: "RFC 0001, fragments",
  *check(pack) {
    const { fragments, prompts, delimiters, root } = pack;
    if (fragments.size === 0 || delimiters === undefined || prompts.size === 0) return;
    const { artifacts, templates } = pack;
    if (!templates.allResolved || hasUnknownPromptReference(pack) || templates.all.some(mayIncludeAny))
      return;
    // A dangling artifact may be a fragment.
    if (artifacts.promptsWithUndeclaredReads.size > 0) return;
    const references = templates.all.flatMap(({ text }) => text.template.references);
    const included = new Set(references.flatMap(({ kind, name }) => (kind === "artifact" ? [] : name)));
    const unnamed = [...fragments.values()].filter(
      ({ name, template }) => template !== undefined && !included.has(name.text),
    );
    if (unnamed.length === 0) return;
    const namedElsewhere = referencedNames(root, delimiters, ["name", "fragment"]);
    for (const { name } of unnamed) {
      if (namedElsewhere.has(name.text)) continue;
      yield {
        at: name,
        message: `No template includes the fragment "${name.text}".`,
        advice: /^[\w-]+$/u.test(name.text)
          ? `Include it as ${delimiters.open}fragments.${name.text}${delimiters.close}, or remove it.`
          : undefined,
      };
    }
  },
};

function mayIncludeAny(owned: OwnedTemplate): boolean {
  return !hasVariableNamedFragments(owned) && owned.text.template.references.some(mayIncludeAnyFragment);
}
