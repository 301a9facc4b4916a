import { getOrCreate } from "../text/collections.js";
import type { Composition, Step } from "./composition.js";
import { constantAnswer } from "./constants.js";
import { isOrdered } from "./predicate.js";
import { type Question, questionOf } from "./questions.js";
import { mayHoldResult, readsOf } from "./reads.js";
import type { Reference } from "./references.js";
import { type Answer, type AnswerBranch, Walker } from "./walk.js";

/** Everything that walks through a composition can do, for any answers of its branches. */
export interface CompositionFacts {
  /** Whether every outcome was tried; otherwise only what is certain is claimed. */
  readonly isExact: boolean;
  /** Whether some outcome runs the step (if not exact, possibly); for nested steps, whether their `parallel` runs. */
  readonly mayRun: (step: Step) => boolean;
  /** Whether every outcome runs the step (if not exact, certainly). */
  readonly mustRun: (step: Step) => boolean;
  /** Whether some outcome ends with the output of this step (if not exact, possibly). */
  readonly mayBeResult: (step: Step) => boolean;
  /** Reads of a step that some outcome skips while it runs the reader. */
  readonly skippedReads: readonly SkippedRead[];
  /** The answers that skip the step which `output` names. */
  readonly outputSkipped: readonly Answer[] | undefined;
  /** The answers that run no step which has an output. */
  readonly withoutResult: readonly Answer[] | undefined;
}

export interface SkippedRead {
  readonly reader: Step;
  readonly read: Step;
  readonly reference: Reference;
  readonly answers: readonly Answer[];
  /** Whether the read step is skipped in every outcome that runs the reader. */
  readonly isEvery: boolean;
}

/** Above that, outcomes are not tried one by one. */
const maxBranches = 12;

const known = new WeakMap<Composition, CompositionFacts>();

export function factsOf(composition: Composition): CompositionFacts {
  return getOrCreate(known, composition, () => {
    const branches = composition.steps.filter(({ kind }) => kind === "branch");
    return branches.length > maxBranches ? boundedFacts(composition) : exactFacts(composition, branches);
  });
}

export interface FailingRead {
  readonly reader: Step;
  readonly read: Step;
  readonly reference: Reference;
}

/** The reads that fail if the step which is read was skipped. */
export function failingReads(composition: Composition): readonly FailingRead[] {
  return readsOf(composition).flatMap(({ reader, reference, asked, target }) => {
    const fails = asked === undefined || (asked.kind === "compare" && isOrdered(asked.op));
    return fails && target.kind === "output" ? [{ reader, read: target.step, reference }] : [];
  });
}

/** Tries every consistent outcome. */
function exactFacts(composition: Composition, branches: readonly Step[]): CompositionFacts {
  const walker = new Walker(composition);
  const unsure = walker.visits.map(({ step }) => step);
  const ranEver = new Set<Step>();
  const skippedEver = new Set<Step>();
  const results = new Set<Step>();
  const reads = new SkippedReads(composition, new Set(unsure));
  let outputSkipped: readonly Answer[] | undefined;
  let withoutResult: readonly Answer[] | undefined;
  for (const outcome of consistentOutcomes(composition, branches)) {
    const { ran, answers, result } = walker.walk(outcome);
    for (const step of unsure) (ran[step.index] === true ? ranEver : skippedEver).add(step);
    if (result !== undefined) results.add(result);
    else if (composition.output !== undefined) outputSkipped ??= answers;
    else withoutResult ??= answers;
    reads.add(ran, answers);
  }
  const isUnsure = new Set(unsure.map(({ index }) => index));
  const stepAt = ({ index }: Step) => composition.steps[index];
  const output = resultStep(composition);
  const has = (steps: ReadonlySet<Step>, step: Step | undefined) => step !== undefined && steps.has(step);
  return {
    isExact: true,
    mayRun: (step) => !isUnsure.has(step.index) || has(ranEver, stepAt(step)),
    mustRun: (step) => !isUnsure.has(step.index) || !has(skippedEver, stepAt(step)),
    mayBeResult: (step) => results.has(step),
    skippedReads: reads.found(),
    outputSkipped: output && outputSkipped && answersBefore(output, outputSkipped),
    withoutResult,
  };
}

/** Collects the reads that fail in some walk. */
class SkippedReads {
  private readonly reads: readonly (FailingRead & {
    answers: readonly Answer[] | undefined;
    isEvery: boolean;
  })[];

  /** Only reads of steps that are not sure to run can fail. */
  constructor(composition: Composition, unsure: ReadonlySet<Step>) {
    this.reads = failingReads(composition)
      .filter(({ read }) => unsure.has(read))
      .map((read) => ({ ...read, answers: undefined, isEvery: true }));
  }

  add(ran: readonly boolean[], answers: readonly Answer[]): void {
    for (const read of this.reads) {
      if (ran[read.reader.index] !== true) continue;
      if (ran[read.read.index] === true) read.isEvery = false;
      else read.answers ??= answersBefore(read.reader, answers);
    }
  }

  found(): readonly SkippedRead[] {
    return this.reads.flatMap(({ answers, ...read }) =>
      answers === undefined ? [] : [{ ...read, answers }],
    );
  }
}

/** Later branches have nothing to do with whether a step runs. */
function answersBefore(step: Step, answers: readonly Answer[]): readonly Answer[] {
  return answers.filter(({ branch }) => branch.index < step.index);
}

/** The step that `output` names, if it can be the result. */
export function resultStep({ output, stepNamed }: Composition): Step | undefined {
  const step = output && stepNamed(output.text);
  return step !== undefined && mayHoldResult(step) ? step : undefined;
}

/** How the answer of a branch follows from those to the open questions. */
type BranchPlan =
  | { readonly kind: "constant"; readonly answer: boolean }
  | { readonly kind: "ran"; readonly index: number; readonly isNegated: boolean }
  | { readonly kind: "open"; readonly bit: number; readonly isNegated: boolean };

/** Every way to answer the questions of the branches, with equal answers to equal questions. */
export function* consistentOutcomes(
  composition: Composition,
  branches: readonly Step[],
): Iterable<AnswerBranch> {
  const bits = new Map<string, number>();
  const byPath = new Map<string, number>();
  const plans = new Map<Step, BranchPlan>();
  for (const branch of branches) {
    const constant = constantOf(branch);
    const question = questionOf(branch);
    const { key, isNegated, equalsPath } = question;
    const asked = ranStepOf(question, branch, composition);
    if (constant !== undefined) plans.set(branch, { kind: "constant", answer: constant });
    else if (asked !== undefined) plans.set(branch, { kind: "ran", index: asked.index, isNegated });
    else {
      const bit = getOrCreate(bits, key, () => 1 << bits.size);
      plans.set(branch, { kind: "open", bit, isNegated });
      if (equalsPath !== undefined) byPath.set(equalsPath, (byPath.get(equalsPath) ?? 0) | bit);
    }
  }
  const exclusive = [...byPath.values()].filter(hasSeveralBits);
  // The first outcome answers every question with yes.
  for (let yes = (1 << bits.size) - 1; yes >= 0; yes--) {
    const isConsistent = !exclusive.some((group) => hasSeveralBits(yes & group));
    if (isConsistent) yield (branch, ran) => answerOf(plans.get(branch), yes, ran);
  }
}

/** A path equals at most one of several values. */
function hasSeveralBits(bits: number): boolean {
  return (bits & (bits - 1)) !== 0;
}

function answerOf(plan: BranchPlan | undefined, yes: number, ran: readonly boolean[]): boolean {
  if (plan === undefined) return true;
  if (plan.kind === "constant") return plan.answer;
  const answer = plan.kind === "ran" ? ran[plan.index] === true : (yes & plan.bit) !== 0;
  return answer !== plan.isNegated;
}

const constants = new WeakMap<Step, { readonly answer: boolean | undefined }>();

/** The only answer that a branch can get. */
export function constantOf(branch: Step): boolean | undefined {
  return getOrCreate(constants, branch, () => ({
    answer: branch.predicate && constantAnswer(branch.predicate),
  })).answer;
}

/** The earlier step whose output a branch asks for. */
export function ranStepOf({ ranStep }: Question, branch: Step, { stepNamed }: Composition): Step | undefined {
  const step = ranStep === undefined ? undefined : stepNamed(ranStep);
  return step !== undefined && mayHoldResult(step) && step.index < branch.index ? step : undefined;
}

/** Which steps may and must run, without trying outcomes. */
function boundedFacts(composition: Composition): CompositionFacts {
  const { steps } = composition;
  const may: boolean[] = [];
  const must: boolean[] = [];
  const mayBeMarked = new Set<string>();
  const mustBeMarked = new Set<string>();
  // Unknown, nested and later steps count as run, as in a walk.
  const at = (states: readonly boolean[], id: string): boolean => {
    const step = composition.stepNamed(id);
    return step === undefined || step.parent !== undefined || states[step.index] !== false;
  };
  for (const step of steps) {
    const { id, dependsOn, then, otherwise } = step;
    const deps = dependsOn.map(({ text }) => text);
    const mayBeCut = deps.length > 0 && deps.every((dep) => !at(must, dep));
    const mustBeCut = deps.length > 0 && deps.every((dep) => !at(may, dep));
    const mayRun = !mustBeMarked.has(id.text) && !mustBeCut;
    const mustRun = !mayBeMarked.has(id.text) && !mayBeCut;
    may.push(mayRun);
    must.push(mustRun);
    if (step.kind !== "branch" || !mayRun || then?.text === otherwise?.text) continue;
    const constant = constantOf(step);
    const targets = [...(constant !== true ? [then] : []), ...(constant !== false ? [otherwise] : [])];
    for (const target of targets) {
      if (target === undefined) continue;
      mayBeMarked.add(target.text);
      if (mustRun && constant !== undefined) mustBeMarked.add(target.text);
    }
  }
  const isNever = ({ read, reader }: FailingRead): boolean =>
    must[reader.index] === true && may[read.index] === false;
  const output = resultStep(composition);
  const results = steps.filter(mayHoldResult);
  return {
    isExact: false,
    mayRun: ({ index }) => may[index] === true,
    mustRun: ({ index }) => must[index] === true,
    mayBeResult: (step) =>
      composition.output === undefined ? mayHoldResult(step) && may[step.index] === true : step === output,
    skippedReads: failingReads(composition)
      .filter(isNever)
      .map((read) => ({ ...read, answers: [], isEvery: true })),
    outputSkipped: output !== undefined && may[output.index] === false ? [] : undefined,
    withoutResult:
      composition.output === undefined && results.every(({ index }) => may[index] === false) ? [] : undefined,
  };
}
