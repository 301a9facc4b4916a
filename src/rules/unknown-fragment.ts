import type { PackRule } from "./rule.js";
import { createReferenceSuggester, namesKnownTo } from "./shared/name-corrections.js";

export const unknownFragment: PackRule = {
  id: "unknown-fragment",
  subject: "pack",
  summary: "Every fragment that a template includes is in the pack.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0001, fragments",
  *check(pack) {
    const suggest = createReferenceSuggester(pack);
    for (const { kind, text, owner, reference } of pack.templates.unknownFragments) {
      const prompt = kind === "prompt" ? owner : undefined;
      const whose = kind === "prompt" ? `Prompt "${owner.key.text}"` : `Fragment "${owner.name.text}"`;
      const read = { source: text, reference };
      yield {
        at: text.placeOf(reference),
        message: `${whose} includes the fragment "${reference.name}", which is not in "fragments".`,
        ...suggest(read, namesKnownTo(prompt, pack)),
      };
    }
  },
};
