import type { PackRule } from "./rule.js";

export const duplicateValidatorId: PackRule = {
  id: "duplicate-validator-id",
  subject: "pack",
  summary: "The validators of a pack have different ids.",
  severity: "error",
  since: "1.8.0",
  source: "RFC 0016, rule 5",
  *check({ governance }) {
    for (const [id, [first, ...others]] of governance.validators.byId) {
      if (first === undefined) continue;
      for (const { at } of others)
        yield {
          at,
          message: `Another validator of the pack has the id "${id}".`,
          advice: "Give each its own id.",
          related: [{ at: first.at, message: "the first is here" }],
        };
    }
  },
};
