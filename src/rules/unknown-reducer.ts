import type { PackRule } from "./rule.js";
import { clearSteps } from "./shared/composition-findings.js";
import { nearestChoice } from "./shared/fixes.js";

const knownReducers = ["append", "barrier", "replace"];

export const unknownReducer: PackRule = {
  id: "unknown-reducer",
  subject: "pack",
  summary:
    "The `strategy` of a `parallel` step is `append`, `barrier` or `replace`, or a vendor's, with a dot.",
  severity: "warning",
  fix: "unsafe",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, reducers",
  *check(pack) {
    for (const { id, reduce } of clearSteps(pack)) {
      const strategy = reduce?.strategy;
      if (strategy === undefined || knownReducers.includes(strategy.text) || strategy.text.includes("."))
        continue;
      yield {
        at: strategy,
        wants: "a reducer",
        message: `Step "${id.text}" has an unknown reducer, "${strategy.text}".`,
        ...nearestChoice(pack.document, strategy, knownReducers, 'Use "append", "barrier" or "replace".'),
      };
    }
  },
};
