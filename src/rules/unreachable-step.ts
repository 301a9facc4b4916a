import { factsOf } from "../composition/facts.js";
import { listNamesOf } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import { deadTargetOf, orderedCompositions } from "./shared/composition-findings.js";

export const unreachableStep: PackRule = {
  id: "unreachable-step",
  subject: "pack",
  summary: "Every step of a composition is run by some outcome of its branches.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, branches",
  defersTo: ["predicate-constant"],
  *check(pack, { isOn }) {
    for (const composition of orderedCompositions(pack)) {
      const { mayRun } = factsOf(composition);
      const skipped = composition.steps.filter((step) => !mayRun(step));
      if (skipped.length === 0) continue;
      const reported = isOn("predicate-constant")
        ? new Set(composition.steps.map((step) => deadTargetOf(step, composition)))
        : new Set();
      for (const step of skipped) {
        if (reported.has(step)) continue;
        const { at, id, dependsOn } = step;
        const isCut = dependsOn.length > 0 && dependsOn.every(({ text }) => isSkipped(text));
        const reason = isCut
          ? `it depends on ${listNamesOf(dependsOn, ({ text }) => text)}, which never run${dependsOn.length === 1 ? "s" : ""}`
          : "every outcome of the branches skips it";
        yield { at, message: `Step "${id.text}" never runs: ${reason}.` };
      }
      function isSkipped(name: string): boolean {
        const step = composition.stepNamed(name);
        return step !== undefined && !mayRun(step);
      }
    }
  },
};
