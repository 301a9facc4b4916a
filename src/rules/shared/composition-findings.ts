import type { Trace } from "../../diagnostic.js";
import type { Composition, Step } from "../../composition/composition.js";
import { factsOf } from "../../composition/facts.js";
import { constantOf } from "../../composition/questions.js";
import { type Read, readsOf } from "../../composition/reads.js";
import { type Answer, hasKnownOrder } from "../../composition/walk.js";
import type { Pack } from "../../pack/pack.js";
import { quoteValue } from "../../schema/describe-node.js";

export const inCompositions = { subject: "pack", since: "1.5.0", section: "compositions" } as const;

/** The compositions whose steps are all known by their ids. */
export function namedCompositions({ compositions }: Pack): readonly Composition[] {
  return [...compositions.values()].filter(({ hasAllSteps }) => hasAllSteps);
}

/** The compositions whose runs are known. Other rules report names that are unknown or out of order. */
export function orderedCompositions(pack: Pack): readonly Composition[] {
  return namedCompositions(pack).filter((composition) => composition.isClear && hasKnownOrder(composition));
}

export function readsIn(pack: Pack): readonly Read[] {
  return namedCompositions(pack).flatMap(readsOf);
}

/** `Step "answer" reads "${classify.output}"`, the beginning of a sentence. */
export function readText({ reader, reference }: Read): string {
  return `Step "${reader.id.text}" reads ${quoteValue(`\${${reference.text}}`)}`;
}

/** The answers that show a fault; undefined where it holds for every outcome. */
export function traceOf(answers: readonly Answer[]): Trace | undefined {
  if (answers.length === 0) return undefined;
  return {
    steps: [],
    outcomes: answers.map(({ branch, isYes }) => ({ branch: branch.id.text, answer: isYes })),
  };
}

/** The target that a branch with a constant predicate never chooses, if nothing else runs it. */
export function deadTargetOf(branch: Step, composition: Composition): Step | undefined {
  const { then, otherwise } = branch;
  const answer = constantOf(branch);
  if (answer === undefined || then?.text === otherwise?.text || branch.parent !== undefined) return undefined;
  const name = answer ? otherwise : then;
  const target = name && composition.stepNamed(name.text);
  return target !== undefined && !factsOf(composition).mayRun(target) ? target : undefined;
}
