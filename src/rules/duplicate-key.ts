import type { AliasInfo } from "../document/document.js";
import type { Key } from "../document/node.js";
import type { FileRule } from "./rule.js";

export const duplicateKey: FileRule = {
  id: "duplicate-key",
  subject: "file",
  summary: "No object has the same key twice.",
  severity: "error",
  source: "RFC 0009, rule 3",
  *check({ document: { duplicateKeys, aliases } }) {
    for (const { first, second } of duplicateKeys) {
      yield {
        at: second,
        message: `The key "${second.text}" is already used in this object; only one of them counts.`,
        advice: isMergeKey(second, aliases)
          ? 'Write one with a list, such as "<<: [*a, *b]".'
          : "Rename or remove the others.",
        related: [{ at: first, message: "first used here" }],
      };
    }
  },
};

/** In quotes, or in JSON, `<<` is an ordinary key. */
function isMergeKey({ text, value }: Key, { mergingMappings }: AliasInfo): boolean {
  const mapping = value?.parent ?? undefined;
  return text === "<<" && mapping !== undefined && mergingMappings.has(mapping);
}
