import { factsOf } from "../composition/facts.js";
import type { PackRule } from "./rule.js";
import { orderedCompositions, traceOf } from "./shared/composition-findings.js";

export const compositionOutputSkipped: PackRule = {
  id: "composition-output-skipped",
  subject: "pack",
  summary: "The step whose output is the result of a composition runs in every outcome of the branches.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, compositions",
  *check(pack) {
    for (const composition of orderedCompositions(pack)) {
      const { output, key, stepNamed } = composition;
      const { outputSkipped, mayRun } = factsOf(composition);
      const step = output && stepNamed(output.text);
      if (step === undefined || outputSkipped === undefined) continue;
      const isAlways = !mayRun(step);
      const [runs, fails] = isAlways ? ["never runs", "always fails"] : ["may be skipped", "then fails"];
      yield {
        at: output ?? step.at,
        message: `The output of composition "${key.text}" is that of "${step.id.text}", which ${runs}: the composition ${fails}.`,
        trace: isAlways ? undefined : traceOf(outputSkipped),
      };
    }
  },
};
