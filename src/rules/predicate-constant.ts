import type { Finding } from "../diagnostic.js";
import type { Composition, Step } from "../composition/composition.js";
import { constantParts } from "../composition/constants.js";
import { hasKnownOrder } from "../composition/reads.js";
import type { Predicate } from "../composition/predicate.js";
import type { PackRule } from "./rule.js";
import { clearCompositions, deadTargetOf } from "./shared/composition-findings.js";

export const predicateConstant: PackRule = {
  id: "predicate-constant",
  subject: "pack",
  summary: "A predicate can be true and can be false, and its branch chooses between two steps.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "promptpack, compositions",
  *check(pack) {
    for (const composition of clearCompositions(pack))
      for (const branch of composition.allSteps)
        if (branch.predicate !== undefined) yield* checkBranch(branch, branch.predicate, composition);
  },
};

function* checkBranch(branch: Step, predicate: Predicate, composition: Composition): Iterable<Finding> {
  const { id, then, otherwise } = branch;
  if (then !== undefined && then.text === otherwise?.text) {
    const message = `Branch "${id.text}" decides nothing: "then" and "else" both name "${then.text}".`;
    yield { at: predicate.at, message };
    return;
  }
  const constants = constantParts(predicate);
  const whole = constants.get(predicate);
  if (whole === undefined) {
    for (const { at, answer } of outermost(predicate, constants))
      yield { at, message: `In the predicate of "${id.text}", this part is ${howOften(answer)} true.` };
    return;
  }
  const target = hasKnownOrder(composition) ? deadTargetOf(branch, composition) : undefined;
  const result = target === undefined ? "" : `, so "${target.id.text}" never runs`;
  yield { at: predicate.at, message: `The predicate of "${id.text}" is ${howOften(whole)} true${result}.` };
}

function howOften(answer: boolean): string {
  return answer ? "always" : "never";
}

/** The constant parts that are in no other. */
function* outermost(
  predicate: Predicate,
  constants: ReadonlyMap<Predicate, boolean>,
): Iterable<{ readonly at: Predicate["at"]; readonly answer: boolean }> {
  const open: Predicate[] = [predicate];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const answer = constants.get(next);
    if (answer !== undefined) yield { at: next.at, answer };
    else if (next.kind === "not") open.push(next.part);
    else if (next.kind === "all" || next.kind === "any")
      for (const part of next.parts.toReversed()) open.push(part);
  }
}
