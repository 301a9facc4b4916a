import { type Composition, resultStep, type Step } from "./composition.js";
import { constantOf, questionOf, ranStepOf } from "./questions.js";
import { type FailingRead, failingReads } from "./reads.js";
import { walkerOf } from "./walk.js";

/** A walk with chosen answers, up to its result or to where it fails. */
export type ChosenWalk = Readonly<ReturnType<typeof chooseWalk>>;

/** The reason for the answer of a branch: its predicate, a step that did or did not run, or an earlier branch. */
export type Decision =
  | { readonly kind: "constant"; readonly isYes: boolean }
  | { readonly kind: "ran" | "same-question" | "other-value"; readonly isYes: boolean; readonly by: Step };

export type WalkFailure =
  /** A step reads the output of a skipped one. */
  | { readonly kind: "read"; readonly read: FailingRead }
  /** `output` names a skipped step, or none that has an output. */
  | { readonly kind: "output"; readonly name: string; readonly isSkipped: boolean }
  | { readonly kind: "no-output" };

/** Walks with the answers that are chosen where a branch leaves a choice; values never change during a walk. */
export function chooseWalk(composition: Composition, choose: (branch: Step) => boolean) {
  const { steps } = composition;
  const failedRead = readFollower(composition);
  const asked: Step[] = [];
  const decided = new Map<Step, Decision>();
  const byQuestion = new Map<string, { readonly by: Step; readonly isTrue: boolean }>();
  /** The branch that found out which value a path has. */
  const equalTo = new Map<string, Step>();
  const decide = (branch: Step, soFar: readonly boolean[]): Decision | undefined => {
    const constant = constantOf(branch);
    if (constant !== undefined) return { kind: "constant", isYes: constant };
    const { key, isNegated, equalsPath = "" } = questionOf(branch);
    const step = ranStepOf(branch, composition);
    if (step !== undefined)
      return { kind: "ran", by: step, isYes: (soFar[step.index] === true) !== isNegated };
    const same = byQuestion.get(key);
    if (same !== undefined) return { kind: "same-question", by: same.by, isYes: same.isTrue !== isNegated };
    const by = equalTo.get(equalsPath);
    return by && { kind: "other-value", by, isYes: isNegated };
  };
  const { ran, answers, result } = walkerOf(composition).walk((branch, soFar) => {
    // Nothing runs after a failed read.
    if (failedRead(branch.index, soFar)) return true;
    const decision = decide(branch, soFar);
    if (decision !== undefined) {
      decided.set(branch, decision);
      return decision.isYes;
    }
    asked.push(branch);
    const isYes = choose(branch);
    const { key, isNegated, equalsPath } = questionOf(branch);
    const isTrue = isYes !== isNegated;
    byQuestion.set(key, { by: branch, isTrue });
    if (isTrue && equalsPath !== undefined) equalTo.set(equalsPath, branch);
    return isYes;
  });
  const read = failedRead(steps.length, ran);
  const end = read === undefined ? steps.length : read.reader.index;
  const failure: WalkFailure | undefined =
    read === undefined ? failureOf(composition, result) : { kind: "read", read };
  return {
    composition,
    ran: steps.filter(({ index }) => index < end && ran[index] === true),
    skipped: steps.filter(({ index }) => index < end && ran[index] === false),
    answers: answers.filter(({ branch }) => branch.index < end),
    /** The branches that left a choice, in order. */
    asked: asked as readonly Step[],
    decided: decided as ReadonlyMap<Step, Decision>,
    result: failure === undefined ? result : undefined,
    failure,
  };
}

/** Follows one walk and finds the first read of a skipped step, among the steps up to an index. */
function readFollower(composition: Composition) {
  const reads = failingReads(composition);
  let next = 0;
  return (index: number, ran: readonly boolean[]): FailingRead | undefined => {
    for (let each = reads[next]; each !== undefined && each.reader.index <= index; each = reads[++next])
      if (ran[each.reader.index] === true && ran[each.read.index] === false) return each;
    return undefined;
  };
}

function failureOf(composition: Composition, result: Step | undefined): WalkFailure | undefined {
  const { output } = composition;
  if (result !== undefined) return undefined;
  if (output === undefined) return { kind: "no-output" };
  return { kind: "output", name: output.text, isSkipped: resultStep(composition) !== undefined };
}
