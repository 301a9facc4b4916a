import type { Composition, Step } from "../composition/composition.js";
import type { Finding } from "../diagnostic.js";
import type { PackRule } from "./rule.js";
import { clearCompositions } from "./shared/composition-findings.js";

export const nestedStep: PackRule = {
  id: "nested-step",
  subject: "pack",
  summary: "No branch or dependency names a step inside a `parallel` step, and only plain steps are inside.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "promptpack, compositions",
  *check(pack) {
    for (const composition of clearCompositions(pack)) {
      for (const step of composition.allSteps) {
        if (step.parent === undefined) yield* namesInside(step, composition);
        // Steps inside a nested parallel step are not reported again.
        else if (step.parent.parent === undefined) yield* faultsInside(step, step.parent, composition);
      }
    }
  },
};

/** The names in a step that are those of steps inside a `parallel`. */
function* namesInside(step: Step, { stepNamed, isRepeated }: Composition): Iterable<Finding> {
  const { id, then, otherwise, dependsOn } = step;
  for (const name of [then, otherwise, ...dependsOn]) {
    const parent = name === undefined || isRepeated(name.text) ? undefined : stepNamed(name.text)?.parent;
    if (name === undefined || parent === undefined) continue;
    const isTarget = name === then || name === otherwise;
    yield {
      at: name,
      message: `${isTarget ? `Branch "${id.text}" leads to` : `Step "${id.text}" depends on`} "${name.text}", which is inside the parallel step "${parent.id.text}".`,
      advice: `Name "${parent.id.text}".`,
    };
  }
}

function* faultsInside(step: Step, parent: Step, { stepNamed }: Composition): Iterable<Finding> {
  const { id, kind, kindText, dependsOn } = step;
  const where = `inside the parallel step "${parent.id.text}"`;
  if (kind === "branch" || kind === "parallel") {
    yield {
      at: kindText,
      message: `Step "${id.text}" is a ${kind} step ${where}, which the reference runtime cannot run.`,
    };
    return;
  }
  // unknown-step reports the others.
  const first = dependsOn.find(({ text }) => stepNamed(text) !== undefined);
  if (first === undefined) return;
  yield {
    at: first,
    message: `"depends_on" has no effect on step "${id.text}": it is ${where}, whose steps all run.`,
    advice: `Move it to "${parent.id.text}", or remove it.`,
  };
}
