import type { Composition, Step } from "../composition/composition.js";
import { factsOf } from "../composition/facts.js";
import { hasDanglingRead, readsOf } from "../composition/reads.js";
import type { Pack } from "../pack/pack.js";
import type { PackRule } from "./rule.js";
import { orderedCompositions } from "./shared/composition-findings.js";

export const unusedStepOutput: PackRule = {
  id: "unused-step-output",
  subject: "pack",
  summary: "The output of a step is read, or is the result of the composition.",
  severity: "info",
  since: "1.5.0",
  section: "compositions",
  source: "promptpack, compositions",
  *check(pack) {
    for (const composition of orderedCompositions(pack)) {
      // A vendor's step may read anything.
      if (hasDanglingRead(composition) || composition.allSteps.some(({ kind }) => kind === "vendor"))
        continue;
      const { mayRun, mayBeResult } = factsOf(composition);
      const read = stepsRead(composition);
      for (const step of composition.steps) {
        if (read.has(step) || mayBeResult(step) || !mayRun(step) || !hasNoEffect(step, pack)) continue;
        yield {
          at: step.at,
          message: `Nothing reads the output of "${step.id.text}", and it cannot be the result.`,
          advice: "Read it in a later step, or remove the step.",
        };
      }
    }
  },
};

function stepsRead(composition: Composition): ReadonlySet<Step> {
  return new Set(
    readsOf(composition).flatMap(({ target }) => (target.kind === "output" ? [target.step] : [])),
  );
}

/** Whether a step is there for its output alone. */
function hasNoEffect(step: Step, pack: Pack): boolean {
  if (step.kind === "prompt") return true;
  if (step.kind === "tool") return toolOf(step, pack)?.effect?.text === "read";
  return step.kind === "parallel" && step.branches.every((branch) => isHarmless(branch, pack));
}

/** Inside a `parallel`, whose outputs are merged, a tool that declares no effect counts as well. */
function isHarmless(branch: Step, pack: Pack): boolean {
  if (branch.kind !== "tool") return branch.kind === "prompt";
  const tool = toolOf(branch, pack);
  return tool !== undefined && (tool.effect === undefined || tool.effect.text === "read");
}

function toolOf({ tool }: Step, { tools }: Pack) {
  const known = tool && tools.get(tool.text);
  return known?.isUnclear === false ? known : undefined;
}
