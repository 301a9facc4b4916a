import type { Composition, Step } from "./composition.js";
import { constantOf, failingReads, ranStepOf, resultStep, type FailingRead } from "./facts.js";
import { questionOf } from "./questions.js";
import { type Answer, walk } from "./walk.js";

/** A walk with chosen answers, up to its result or to where it fails. */
export interface ChosenWalk {
  readonly composition: Composition;
  readonly ran: readonly Step[];
  readonly skipped: readonly Step[];
  readonly answers: readonly Answer[];
  /** The branches that left a choice, in order. */
  readonly asked: readonly Step[];
  /** Why each other branch was answered as it was. */
  readonly decided: ReadonlyMap<Step, Decision>;
  readonly result: Step | undefined;
  /** Undefined if there is a result. */
  readonly failure: WalkFailure | undefined;
}

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
export function chooseWalk(composition: Composition, choose: (branch: Step) => boolean): ChosenWalk {
  const { steps } = composition;
  const reads = new ReadsOfSkipped(composition);
  const decider = new Decider(composition);
  const asked: Step[] = [];
  const decided = new Map<Step, Decision>();
  const { ran, answers, result } = walk(composition, (branch, soFar) => {
    // Nothing runs after a failed read.
    if (reads.failedUpTo(branch, soFar)) return true;
    const decision = decider.decide(branch, soFar);
    if (decision !== undefined) {
      decided.set(branch, decision);
      return decision.isYes;
    }
    asked.push(branch);
    const isYes = choose(branch);
    decider.remember(branch, isYes);
    return isYes;
  });
  const last = steps.at(-1);
  const read = last && reads.failedUpTo(last, ran);
  const end = read === undefined ? steps.length : read.reader.index;
  const failure = read === undefined ? failureOf(composition, result) : ({ kind: "read", read } as const);
  return {
    composition,
    ran: steps.filter(({ index }) => index < end && ran[index] === true),
    skipped: steps.filter(({ index }) => index < end && ran[index] === false),
    answers: answers.filter(({ branch }) => branch.index < end),
    asked,
    decided,
    result: failure === undefined ? result : undefined,
    failure,
  };
}

function failureOf(composition: Composition, result: Step | undefined): WalkFailure | undefined {
  const { output } = composition;
  if (output === undefined) return result === undefined ? { kind: "no-output" } : undefined;
  const isSkipped = resultStep(composition) !== undefined;
  return isSkipped && result !== undefined ? undefined : { kind: "output", name: output.text, isSkipped };
}

/** Follows a walk and finds the first read of a skipped step. */
class ReadsOfSkipped {
  private readonly reads: readonly FailingRead[];
  private next = 0;
  private failed: FailingRead | undefined;

  constructor(composition: Composition) {
    this.reads = failingReads(composition);
  }

  failedUpTo({ index }: Step, ran: readonly boolean[]): FailingRead | undefined {
    for (let read = this.reads[this.next]; read !== undefined; read = this.reads[this.next]) {
      if (this.failed !== undefined || read.reader.index > index) break;
      if (ran[read.reader.index] === true && ran[read.read.index] === false) this.failed = read;
      else this.next++;
    }
    return this.failed;
  }
}

/** Answers what earlier answers decide. */
class Decider {
  private readonly byQuestion = new Map<string, { readonly branch: Step; readonly isTrue: boolean }>();
  /** The branch that found out which value a path has. */
  private readonly equalTo = new Map<string, Step>();

  constructor(private readonly composition: Composition) {}

  decide(branch: Step, ran: readonly boolean[]): Decision | undefined {
    const constant = constantOf(branch);
    if (constant !== undefined) return { kind: "constant", isYes: constant };
    const question = questionOf(branch);
    const { isNegated, equalsPath = "" } = question;
    const step = ranStepOf(question, branch, this.composition);
    if (step !== undefined) return { kind: "ran", by: step, isYes: (ran[step.index] === true) !== isNegated };
    const known = this.byQuestion.get(question.key);
    if (known !== undefined)
      return { kind: "same-question", by: known.branch, isYes: known.isTrue !== isNegated };
    const other = this.equalTo.get(equalsPath);
    return other && { kind: "other-value", by: other, isYes: isNegated };
  }

  remember(branch: Step, isYes: boolean): void {
    const { key, isNegated, equalsPath } = questionOf(branch);
    const isTrue = isYes !== isNegated;
    this.byQuestion.set(key, { branch, isTrue });
    if (isTrue && equalsPath !== undefined) this.equalTo.set(equalsPath, branch);
  }
}
