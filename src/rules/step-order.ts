import type { PackRule } from "./rule.js";
import { clearCompositions } from "./shared/composition-findings.js";

export const stepOrder: PackRule = {
  id: "step-order",
  subject: "pack",
  summary: "A branch leads to later steps, and a step depends on earlier ones.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  *check(pack) {
    for (const { steps, stepNamed, isRepeated } of clearCompositions(pack)) {
      // nested-step reports names inside a parallel step, duplicate-step those of several steps.
      const indexOf = (name: string): number | undefined => {
        const step = isRepeated(name) ? undefined : stepNamed(name);
        return step?.parent === undefined ? step?.index : undefined;
      };
      for (const { id, index, then, otherwise, dependsOn } of steps) {
        for (const name of [then, otherwise]) {
          const target = name && indexOf(name.text);
          if (name === undefined || target === undefined || target > index) continue;
          yield {
            at: name,
            message:
              target === index
                ? `Branch "${id.text}" leads to itself.`
                : `Branch "${id.text}" leads to "${name.text}", which comes before it.`,
            advice: "Steps run once, in file order: name a later one.",
          };
        }
        for (const name of dependsOn) {
          const needed = indexOf(name.text);
          if (needed === undefined || needed < index) continue;
          yield {
            at: name,
            message:
              needed === index
                ? `Step "${id.text}" depends on itself.`
                : `Step "${id.text}" depends on "${name.text}", which comes after it.`,
            advice: "Steps run in file order: name an earlier one.",
          };
        }
      }
    }
  },
};
