import { factsOf } from "../composition/facts.js";
import { mayHoldResult } from "../composition/reads.js";
import type { PackRule } from "./rule.js";
import { orderedCompositions, traceOf } from "./shared/composition-findings.js";

export const compositionWithoutOutput: PackRule = {
  id: "composition-without-output",
  subject: "pack",
  summary: "Every outcome of the branches runs a step that has an output.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, compositions",
  *check(pack) {
    for (const composition of orderedCompositions(pack)) {
      const { steps, stepsAt, key } = composition;
      const { withoutResult, mayRun } = factsOf(composition);
      if (withoutResult === undefined || stepsAt === undefined) continue;
      const isAlways = !steps.some((step) => mayHoldResult(step) && mayRun(step));
      const runs = isAlways ? "runs no step" : "may run no step";
      const fails = isAlways ? "always fails" : "then fails";
      yield {
        at: stepsAt,
        message: `Composition "${key.text}" ${runs} that has an output, and ${fails}.`,
        advice: "Add a step that always runs.",
        trace: isAlways ? undefined : traceOf(withoutResult),
      };
    }
  },
};
