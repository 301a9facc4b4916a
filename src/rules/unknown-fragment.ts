import { didYouMean } from "../nearest-name.js";
import type { PackRule } from "./rule.js";

export const unknownFragment: PackRule = {
  id: "unknown-fragment",
  subject: "pack",
  summary: "Every fragment that a template includes is in the pack.",
  severity: "error",
  source: "RFC 0001, fragments",
  *check({ templates, fragments }) {
    for (const { text, owner, reference } of templates.unknownFragments) {
      const whose = "key" in owner ? `Prompt "${owner.key.text}"` : `Fragment "${owner.name.text}"`;
      const hint = didYouMean(reference.name, fragments.keys());
      yield {
        at: text.placeOf(reference),
        message: `${whose} includes the fragment "${reference.name}", which is not in "fragments".${hint}`,
      };
    }
  },
};
