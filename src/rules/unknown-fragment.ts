import { didYouMean, guesser } from "../nearest-name.js";
import { nearReferenceFix } from "./near-name-fix.js";
import type { PackRule } from "./rule.js";

export const unknownFragment: PackRule = {
  id: "unknown-fragment",
  subject: "pack",
  summary: "Every fragment that a template includes is in the pack.",
  severity: "error",
  source: "RFC 0001, fragments",
  heldBackBy: ["template-engine", "template-syntax"],
  *check({ document, templates, fragments }) {
    const guess = guesser();
    for (const { text, owner, reference } of templates.unknownFragments) {
      const whose = "key" in owner ? `Prompt "${owner.key.text}"` : `Fragment "${owner.name.text}"`;
      const hint = didYouMean(reference.name, fragments.keys(), guess);
      yield {
        at: text.placeOf(reference),
        message: `${whose} includes the fragment "${reference.name}", which is not in "fragments".${hint}`,
        ...(hint !== "" && nearReferenceFix(document, text, reference, fragments.keys())),
      };
    }
  },
};
