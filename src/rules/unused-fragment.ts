import { namesWithin } from "../pack/names-within.js";
import { readsAllFragments } from "../pack/readings.js";
import { lostArtifacts, unclearTexts } from "./held-back.js";
import type { PackRule } from "./rule.js";

export const unusedFragment: PackRule = {
  id: "unused-fragment",
  subject: "pack",
  summary: "Every fragment is included by some template.",
  severity: "info",
  source: "RFC 0001, fragments",
  heldBackBy: [...unclearTexts, ...lostArtifacts],
  *check({ artifacts, fragments, prompts, delimiters, root, templates }) {
    if (delimiters === undefined || prompts === undefined || !templates.areClear) return;
    if (artifacts.readsUndeclared) return;
    const references = templates.all.flatMap(({ text }) => text.template.references);
    if (references.some(readsAllFragments)) return;
    const included = new Set(references.flatMap(({ kind, name }) => (kind === "artifact" ? [] : name)));
    const unnamed = [...fragments.values()].filter(({ name }) => !included.has(name.text));
    if (unnamed.length === 0) return;
    const namedElsewhere = namesWithin(root, delimiters, ["name", "fragment"]);
    for (const { name } of unnamed) {
      if (namedElsewhere.has(name.text)) continue;
      yield { at: name, message: `No template includes the fragment "${name.text}".` };
    }
  },
};
