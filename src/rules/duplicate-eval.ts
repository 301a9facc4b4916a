import type { Place } from "../diagnostic.js";
import { evalScopes } from "../pack/pack.js";
import type { PackRule } from "./rule.js";

export const duplicateEval: PackRule = {
  id: "duplicate-eval",
  subject: "pack",
  summary: "The evals of the pack, and those of each prompt, have different ids.",
  severity: "error",
  source: "RFC 0006, evals",
  *check(pack) {
    for (const { owner, evals } of evalScopes(pack)) {
      const first = new Map<string, Place>();
      for (const { at, id } of evals) {
        // The schema reports an empty id.
        if (id === undefined || id.text === "") continue;
        const earlier = first.get(id.text);
        if (earlier === undefined) {
          first.set(id.text, at);
          continue;
        }
        yield {
          at,
          message: `${owner} has another eval with the id "${id.text}".`,
          advice: "Give each its own id.",
          related: [{ at: earlier, message: "the first is here" }],
        };
      }
    }
  },
};
