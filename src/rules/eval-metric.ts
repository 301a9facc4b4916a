import { evalScopes } from "../pack/pack.js";
import type { PackRule } from "./rule.js";

export const evalMetric: PackRule = {
  id: "eval-metric",
  subject: "pack",
  summary: "The `min` of a metric's range is not above its `max`.",
  severity: "error",
  source: "RFC 0006, metrics",
  *check(pack) {
    for (const { evals } of evalScopes(pack)) {
      for (const { id, range } of evals) {
        if (range?.min === undefined || range.max === undefined || !(range.min > range.max)) continue;
        const whose = id === undefined ? "an eval" : `eval "${id.text}"`;
        yield {
          at: range.at,
          wants: "a range",
          message: `The metric of ${whose} ranges from ${range.min} to ${range.max}: its "min" is above its "max".`,
        };
      }
    }
  },
};
