import { namesWithin } from "../pack/names-within.js";
import type { Pack } from "../pack/pack.js";
import { unclearTexts } from "./held-back.js";
import type { PackRule } from "./rule.js";

export const unusedArtifact: PackRule = {
  id: "unused-artifact",
  subject: "pack",
  summary: "Every artifact is read by some template.",
  severity: "info",
  source: "RFC 0009, artifact lifecycle",
  heldBackBy: [...unclearTexts, "undeclared-artifact"],
  *check(pack) {
    const { artifacts, delimiters, root } = pack;
    if (delimiters === undefined || !readsAreKnown(pack)) return;
    const unread = [...artifacts.declared].filter(([name]) => !artifacts.readNames.has(name));
    if (unread.length === 0) return;
    // An eval or a validator may speak of it too.
    const readElsewhere = namesWithin(root, delimiters, ["artifact"]);
    for (const [name, [first, ...others]] of unread) {
      if (first === undefined || readElsewhere.has(name)) continue;
      const { start } = first.artifact.name;
      yield {
        at: first.artifact.name,
        message: `No template reads the artifact "${name}". Read it as ${delimiters.open}artifacts.${name}${delimiters.close}, or remove it.`,
        related: others
          .filter(({ artifact }) => artifact.name.start !== start)
          .map(({ state, artifact }) => ({
            at: artifact.name,
            message: `"${state.name.text}" declares it too`,
          })),
      };
    }
  },
};

/** While a reference dangles or a template is broken, it may be what should have read the artifact. */
function readsAreKnown({ artifacts, fragments, hasAllFragments, prompts, templates }: Pack): boolean {
  if (prompts === undefined || !hasAllFragments || artifacts.readsAll) return false;
  if (templates.undeclared.length > 0 || templates.unknownFragments.length > 0) return false;
  if (templates.all.some(({ text }) => text.template.faults.length > 0)) return false;
  return (
    [...artifacts.readNames].every((name) => artifacts.declared.has(name)) &&
    [...prompts.values()].every(({ hasAllTemplates }) => hasAllTemplates) &&
    [...fragments.values()].every(({ template }) => template !== undefined)
  );
}
