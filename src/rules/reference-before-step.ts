import type { Step } from "../composition/composition.js";
import type { Read } from "../composition/reads.js";
import type { PackRule } from "./rule.js";
import { readsIn, readText } from "./shared/composition-findings.js";

export const referenceBeforeStep: PackRule = {
  id: "reference-before-step",
  subject: "pack",
  summary: "A step reads only the outputs of steps before it.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, references",
  *check(pack) {
    for (const read of readsIn(pack)) {
      const { target, reference } = read;
      if (target.kind !== "later") continue;
      yield {
        at: reference.at,
        message: `${readText(read)}, ${reasonFor(read, target.step)}.`,
        ...(target.step.index > read.reader.index && {
          advice: `Steps run in the order of the file: move "${target.step.id.text}" before it.`,
        }),
      };
    }
  },
};

function reasonFor({ reader }: Read, step: Step): string {
  if (step === reader) return "its own output";
  if (step.index === reader.index) return "the output of the block that it is in";
  return `but "${step.id.text}" comes later`;
}
