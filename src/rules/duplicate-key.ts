import type { AnyFileRule } from "./rule.js";

export const duplicateKey: AnyFileRule = {
  id: "duplicate-key",
  subject: "document",
  ofAnyKind: true,
  summary: "No object has the same key twice.",
  severity: "error",
  source: "RFC 0009, rule 3",
  *check({ duplicateKeys }) {
    for (const { first, second } of duplicateKeys) {
      yield {
        at: second,
        message: `The key "${second.text}" is already used in this object; only one of them counts.`,
        advice: "Rename or remove the others.",
        related: [{ at: first, message: "first used here" }],
      };
    }
  },
};
