import type { Composition, Step } from "../composition/composition.js";
import type { Finding } from "../diagnostic.js";
import type { PackRule } from "./rule.js";
import { clearCompositions } from "./shared/composition-findings.js";
import { createCorrectorAmong } from "./shared/name-corrections.js";

export const unknownStep: PackRule = {
  id: "unknown-step",
  subject: "pack",
  summary:
    "`then`, `else`, `depends_on` and `output` name steps of the composition; `output` one with an output.",
  severity: "error",
  fix: "unsafe",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  *check(pack) {
    const correct = createCorrectorAmong(pack.document);
    for (const composition of clearCompositions(pack)) {
      const { steps, allSteps, stepNamed } = composition;
      for (const step of allSteps) {
        const { id, index, then, otherwise, dependsOn } = step;
        for (const name of [then, otherwise]) {
          if (name === undefined || stepNamed(name.text) !== undefined) continue;
          yield {
            at: name,
            wants: "a step",
            message: `Branch "${id.text}" leads to "${name.text}", which is not a step.`,
            ...correct(name, () => idsOf(steps, index + 1)),
          };
        }
        for (const name of dependsOn) {
          if (stepNamed(name.text) !== undefined) continue;
          yield {
            at: name,
            wants: "a step",
            message: `Step "${id.text}" depends on "${name.text}", which is not a step.`,
            ...correct(name, () => idsOf(steps, 0, index)),
          };
        }
      }
      const { output } = composition;
      const fault = outputFault(composition);
      if (output === undefined || fault === undefined) continue;
      yield { at: output, wants: "a step", ...correct(output, () => idsWithOutput(steps)), ...fault };
    }
  },
};

function outputFault({
  key,
  output,
  stepNamed,
}: Composition): Pick<Finding, "message" | "advice"> | undefined {
  const step = output && stepNamed(output.text);
  const names = `The output of composition "${key.text}" is "${output?.text ?? ""}",`;
  if (step === undefined) return output && { message: `${names} which is not a step.` };
  if (step.parent !== undefined) {
    return {
      message: `${names} which is inside the parallel step "${step.parent.id.text}".`,
      advice: "Name the parallel step.",
    };
  }
  return step.kind === "branch"
    ? { message: `${names} which is a branch and has no output.`, advice: "Name a step that has one." }
    : undefined;
}

/** Lazily: only the first thousands of names are compared. */
function* idsOf(steps: readonly Step[], start: number, end = steps.length): Iterable<string> {
  for (let index = start; index < end; index++) {
    const step = steps[index];
    if (step !== undefined) yield step.id.text;
  }
}

function* idsWithOutput(steps: readonly Step[]): Iterable<string> {
  for (const { kind, id } of steps) if (kind !== "branch") yield id.text;
}
