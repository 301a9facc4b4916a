import { stepsBetweenArms } from "../composition/arms.js";
import type { PackRule } from "./rule.js";
import { orderedCompositions } from "./shared/composition-findings.js";

export const armRunsOn: PackRule = {
  id: "arm-runs-on",
  subject: "pack",
  summary: "A step between the two targets of a branch depends on one of them.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "promptpack, compositions",
  *check(pack) {
    for (const composition of orderedCompositions(pack))
      for (const { step, branch, first, last } of stepsBetweenArms(composition)) {
        const targets = `"${first.id.text}" and "${last.id.text}"`;
        yield {
          at: step.at,
          message: `Step "${step.id.text}" is between ${targets}, the targets of "${branch.id.text}", but runs whichever way the branch goes.`,
          advice: `Let it depend on "${first.id.text}", or move it out of there.`,
        };
      }
  },
};
