import type { PackRule } from "./rule.js";
import { clearSteps } from "./shared/composition-findings.js";
import { createCorrector } from "./shared/name-corrections.js";

export const unknownStepEval: PackRule = {
  id: "unknown-step-eval",
  subject: "pack",
  summary: "Every eval that a step names is an eval of the pack.",
  severity: "error",
  fix: "unsafe",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, modifiers",
  *check(pack) {
    const { evals, hasAllEvals, document } = pack;
    if (!hasAllEvals) return;
    const known = new Set(evals.flatMap(({ id }) => id?.text ?? []));
    const correct = createCorrector(document, () => known);
    for (const { id, evals: names } of clearSteps(pack)) {
      for (const name of names) {
        if (known.has(name.text)) continue;
        yield {
          at: name,
          wants: "an eval",
          message: `Step "${id.text}" names the eval "${name.text}", but no eval in "evals" has this id.`,
          ...correct(name),
        };
      }
    }
  },
};
