import { removeEntry } from "../document/edit.js";
import type { PackRule } from "./rule.js";
import { safeFix } from "./shared/fixes.js";

const field = "fail_on_violation";

export const deprecatedField: PackRule = {
  id: "deprecated-field",
  subject: "pack",
  summary: "No validator has `fail_on_violation`, which runtimes ignore.",
  severity: "warning",
  fix: "safe",
  since: "1.7.0",
  source: "RFC 0015, validators",
  *check({ clearPrompts, document }) {
    for (const { node, failOnViolation } of clearPrompts.flatMap(({ validators }) => validators)) {
      const key = node.entry(field)?.key;
      if (failOnViolation === undefined || key === undefined) continue;
      yield {
        at: key,
        ...(failOnViolation.value
          ? {
              message: `"${field}" is ignored: a validator always enforces.`,
              advice: "Remove it.",
              ...safeFix(`Remove ${field}.`, removeEntry(document, node, field)),
            }
          : {
              message: `"${field}" is false, but a validator always enforces.`,
              advice: "To only observe, replace the validator with an eval.",
            }),
      };
    }
  },
};
