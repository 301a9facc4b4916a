import type { Step } from "../composition/composition.js";
import type { PackRule } from "./rule.js";

export const duplicateStep: PackRule = {
  id: "duplicate-step",
  subject: "pack",
  summary: "The steps of a composition have different ids, and none is called `input`.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  *check({ compositions }) {
    for (const { key, allSteps } of compositions.values()) {
      const first = new Map<string, Step>();
      for (const step of allSteps) {
        const { id, isUnclear } = step;
        if (isUnclear) continue;
        const earlier = first.get(id.text);
        if (earlier !== undefined) {
          yield {
            at: id,
            message: `Composition "${key.text}" has another step with the id "${id.text}".`,
            advice: "Give each its own id.",
            related: [{ at: earlier.id, message: "the first is here" }],
          };
          continue;
        }
        first.set(id.text, step);
        if (id.text !== "input") continue;
        yield {
          at: id,
          message: `A step of composition "${key.text}" is called "input", which is the name of the composition's own input.`,
          advice: "Give the step another id.",
        };
      }
    }
  },
};
