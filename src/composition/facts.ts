import { cached, getOrCreate } from "../text/collections.js";
import { type Composition, mayHoldResult, resultStep, type Step, visitedStep } from "./composition.js";
import { constantOf, questionOf, ranStepOf } from "./questions.js";
import { type FailingRead, failingReads } from "./reads.js";
import { type Answer, type AnswerBranch, walkerOf } from "./walk.js";

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

export interface SkippedRead extends FailingRead {
  readonly answers: readonly Answer[];
  /** Whether the read step is skipped in every outcome that runs the reader. */
  readonly isEvery: boolean;
}

/** Above that, outcomes are not tried one by one. */
const maxBranches = 12;

export const factsOf = cached((composition: Composition): CompositionFacts => {
  const branches = composition.steps.filter(({ kind }) => kind === "branch");
  return branches.length > maxBranches ? boundedFacts(composition) : exactFacts(composition, branches);
});

function exactFacts(composition: Composition, branches: readonly Step[]): CompositionFacts {
  const { unsure, walk } = walkerOf(composition);
  const isUnsure = new Set(unsure.map(({ index }) => index));
  const [ranEver, skippedEver, results] = [new Set<number>(), new Set<number>(), new Set<Step>()];
  const reads = failingReads(composition).filter(({ read }) => isUnsure.has(read.index));
  const resolvedEver = new Set<FailingRead>();
  const skippedWith = new Map<FailingRead, readonly Answer[]>();
  let withoutResult: readonly Answer[] | undefined;
  for (const outcome of consistentOutcomes(composition, branches)) {
    const { ran, answers, result } = walk(outcome);
    for (const { index } of unsure) (ran[index] === true ? ranEver : skippedEver).add(index);
    if (result !== undefined) results.add(result);
    else withoutResult ??= answers;
    for (const each of reads) {
      if (ran[each.reader.index] !== true) continue;
      if (ran[each.read.index] === true) resolvedEver.add(each);
      else getOrCreate(skippedWith, each, () => answersBefore(each.reader, answers));
    }
  }
  const output = resultStep(composition);
  return {
    isExact: true,
    mayRun: ({ index }) => !isUnsure.has(index) || ranEver.has(index),
    mustRun: ({ index }) => !isUnsure.has(index) || !skippedEver.has(index),
    mayBeResult: (step) => results.has(step),
    skippedReads: reads.flatMap((read) => {
      const answers = skippedWith.get(read);
      return answers === undefined ? [] : { ...read, answers, isEvery: !resolvedEver.has(read) };
    }),
    outputSkipped: output && withoutResult && answersBefore(output, withoutResult),
    withoutResult: composition.output === undefined ? withoutResult : undefined,
  };
}

/** Later branches have nothing to do with whether a step runs. */
function answersBefore(step: Step, answers: readonly Answer[]): readonly Answer[] {
  return answers.filter(({ branch }) => branch.index < step.index);
}

/** Every way to answer the questions of the branches, with equal answers to equal questions. */
function* consistentOutcomes(composition: Composition, branches: readonly Step[]): Iterable<AnswerBranch> {
  const bits = new Map<string, number>();
  const byPath = new Map<string, number>();
  /** How the answer of a branch follows from those to the open questions, each a bit. */
  const plans = new Map<Step, (yes: number, ran: readonly boolean[]) => boolean>();
  for (const branch of branches) {
    const constant = constantOf(branch);
    const { key, isNegated, equalsPath } = questionOf(branch);
    const asked = ranStepOf(branch, composition);
    if (constant !== undefined) plans.set(branch, () => constant);
    else if (asked !== undefined) plans.set(branch, (_, ran) => (ran[asked.index] === true) !== isNegated);
    else {
      const bit = getOrCreate(bits, key, () => 1 << bits.size);
      plans.set(branch, (yes) => ((yes & bit) !== 0) !== isNegated);
      if (equalsPath !== undefined) byPath.set(equalsPath, (byPath.get(equalsPath) ?? 0) | bit);
    }
  }
  // A path equals at most one of several values.
  const exclusive = [...byPath.values()].filter(hasSeveralBits);
  // The first outcome answers every question with yes.
  for (let yes = (1 << bits.size) - 1; yes >= 0; yes--) {
    const isConsistent = !exclusive.some((group) => hasSeveralBits(yes & group));
    if (isConsistent) yield (branch, ran) => plans.get(branch)?.(yes, ran) ?? true;
  }
}

function hasSeveralBits(bits: number): boolean {
  return (bits & (bits - 1)) !== 0;
}

/** Which steps may and must run, without trying outcomes. */
function boundedFacts(composition: Composition): CompositionFacts {
  const { steps, output } = composition;
  const may: boolean[] = [];
  const must: boolean[] = [];
  const mayBeMarked = new Set<string>();
  const mustBeMarked = new Set<string>();
  for (const step of steps) {
    const { id, dependsOn, then, otherwise } = step;
    // Unknown, nested and later steps count as run, as in a walk.
    const isCut = (ran: readonly boolean[]): boolean =>
      dependsOn.length > 0 &&
      dependsOn.every((name) => ran[visitedStep(composition, name)?.index ?? -1] === false);
    const mayRun = !mustBeMarked.has(id.text) && !isCut(may);
    const mustRun = !mayBeMarked.has(id.text) && !isCut(must);
    may.push(mayRun);
    must.push(mustRun);
    if (step.kind !== "branch" || !mayRun || then?.text === otherwise?.text) continue;
    const constant = constantOf(step);
    const skipped = constant === undefined ? [then, otherwise] : [constant ? otherwise : then];
    for (const target of skipped.filter((name) => name !== undefined)) {
      mayBeMarked.add(target.text);
      if (mustRun && constant !== undefined) mustBeMarked.add(target.text);
    }
  }
  const named = resultStep(composition);
  const mayEnd = (step: Step): boolean => mayHoldResult(step) && may[step.index] === true;
  return {
    isExact: false,
    mayRun: ({ index }) => may[index] === true,
    mustRun: ({ index }) => must[index] === true,
    mayBeResult: (step) => (output === undefined ? mayEnd(step) : step === named),
    skippedReads: failingReads(composition)
      .filter(({ read, reader }) => must[reader.index] === true && may[read.index] === false)
      .map((read) => ({ ...read, answers: [], isEvery: true })),
    outputSkipped: named !== undefined && may[named.index] === false ? [] : undefined,
    withoutResult: output === undefined && !steps.some(mayEnd) ? [] : undefined,
  };
}

/** Visits of steps, over all outcomes, before the order in the file has to do. */
const maxVisits = 1_000_000;

/**
 * Which steps follow each other, over all outcomes of the branches; if there are too many, as written. `answer` is the
 * only one of the branch `from` with which `to` follows.
 */
export function flowsOf(composition: Composition) {
  const { steps, isClear } = composition;
  const branches = steps.filter(({ kind }) => kind === "branch");
  const isSmall = branches.length <= maxBranches && steps.length * 2 ** branches.length <= maxVisits;
  if (!isClear || !isSmall)
    return steps.slice(1).map((to, index) => ({ from: steps[index] ?? to, to, answer: undefined }));
  const followers = new Map<Step, Map<Step, Set<boolean>>>();
  const { walk } = walkerOf(composition);
  for (const outcome of consistentOutcomes(composition, branches)) {
    const { ran, answers } = walk(outcome);
    const answerOf = new Map(answers.map(({ branch, isYes }) => [branch, isYes]));
    const visited = steps.filter(({ index }) => ran[index] === true);
    for (const [index, to] of visited.slice(1).entries()) {
      const from = visited[index] ?? to;
      const next = getOrCreate(followers, from, () => new Map<Step, Set<boolean>>());
      getOrCreate(next, to, () => new Set()).add(answerOf.get(from) ?? true);
    }
  }
  return steps.flatMap((from) => {
    const next = [...(followers.get(from) ?? [])].sort(([a], [b]) => a.index - b.index);
    return next.map(([to, given]) => ({
      from,
      to,
      answer: from.kind === "branch" && given.size === 1 ? given.has(true) : undefined,
    }));
  });
}
