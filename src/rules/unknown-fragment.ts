import { didYouMean } from "../nearest-name.js";
import { nearReferenceFix } from "./near-name-fix.js";
import type { PackRule } from "./rule.js";

/** Looking for the nearest name costs most of the time, and nobody reads so many suggestions. */
const mostSuggestions = 200;

export const unknownFragment: PackRule = {
  id: "unknown-fragment",
  subject: "pack",
  summary: "Every fragment that a template includes is in the pack.",
  severity: "error",
  source: "RFC 0001, fragments",
  *check({ document, templates, fragments }) {
    for (const [index, { text, owner, reference }] of templates.unknownFragments.entries()) {
      const whose = "key" in owner ? `Prompt "${owner.key.text}"` : `Fragment "${owner.name.text}"`;
      const hint = index < mostSuggestions ? didYouMean(reference.name, fragments.keys()) : "";
      yield {
        at: text.placeOf(reference),
        message: `${whose} includes the fragment "${reference.name}", which is not in "fragments".${hint}`,
        ...(hint !== "" && nearReferenceFix(document, text, reference, fragments.keys())),
      };
    }
  },
};
