import { type Composition, resultStep, type Step, visitedStep } from "./composition.js";

export interface Answer {
  readonly branch: Step;
  readonly isYes: boolean;
}

/** Answers a branch; `ran` says which steps before it ran. */
export type AnswerBranch = (branch: Step, ran: readonly boolean[]) => boolean;

/**
 * Walks through a composition: every step is visited once, in file order, and is skipped if a branch marked it, or if it
 * depends on steps that were all skipped. A branch marks the target that was not chosen, and only that.
 */
export function walkerOf(composition: Composition) {
  const { steps, output } = composition;
  const all = steps.map((step) => {
    const [then, otherwise] = [step.then, step.otherwise].map((id) => visitedStep(composition, id)?.index);
    const dependencies = step.dependsOn.map((id) => visitedStep(composition, id)?.index ?? step.index);
    // One that is unknown, nested, or not before the step always counts as run.
    const isFree = dependencies.some((index) => index >= step.index);
    return { step, dependencies: isFree ? [] : dependencies, then, otherwise };
  });
  const targets = new Set(all.flatMap(({ then, otherwise }) => [then, otherwise]));
  /** The branches, and the steps that are not sure to run. */
  const visits = all.filter(
    ({ step, dependencies }) => step.kind === "branch" || dependencies.length > 0 || targets.has(step.index),
  );
  const unsure = new Set(visits.map(({ step }) => step));
  const allRan = steps.map(() => true);
  const lastSure = steps.findLast((step) => !unsure.has(step));
  const named = resultStep(composition);
  const walk = (answer: AnswerBranch) => {
    const ran = allRan.slice();
    const marked = new Set<number>();
    const answers: Answer[] = [];
    let last = lastSure;
    for (const { step, dependencies, then, otherwise } of visits) {
      const isCut = dependencies.length > 0 && dependencies.every((index) => ran[index] === false);
      if (marked.has(step.index) || isCut) ran[step.index] = false;
      else if (step.kind === "branch") {
        const isYes = answer(step, ran);
        answers.push({ branch: step, isYes });
        const other = isYes ? otherwise : then;
        if (other !== undefined && then !== otherwise) marked.add(other);
      } else if (step.index >= (last?.index ?? 0)) last = step;
    }
    const isNamedRun = named !== undefined && ran[named.index] === true;
    return {
      ran: ran as readonly boolean[],
      answers: answers as readonly Answer[],
      /** The step whose output is the result; undefined where there is none, and the composition fails. */
      result: output === undefined ? last : isNamedRun ? named : undefined,
    };
  };
  return { unsure: [...unsure], walk };
}

/** Whether the names that decide which steps run are valid. If not, the walk is not what the author wanted. */
export function hasKnownOrder(composition: Composition): boolean {
  const { steps, allSteps, output, isRepeated } = composition;
  return (
    !allSteps.some(({ id }) => isRepeated(id.text)) &&
    (output === undefined || resultStep(composition) !== undefined) &&
    steps.every(({ index, dependsOn, then, otherwise }) => {
      const targets = [then, otherwise].filter((target) => target !== undefined);
      return (
        targets.every((target) => (visitedStep(composition, target)?.index ?? -1) > index) &&
        dependsOn.every((id) => (visitedStep(composition, id)?.index ?? index) < index)
      );
    })
  );
}

/**
 * The steps between the two targets of a branch, `first` and `last`, that run in any case: a branch skips a single step,
 * not what follows it. Each is found once, for the first such branch.
 */
export function stepsBetweenArms(composition: Composition) {
  const { steps } = composition;
  const branches = steps.filter(({ kind }) => kind === "branch");
  const targets = new Set(branches.flatMap(({ then, otherwise }) => [then?.text, otherwise?.text]));
  const found: Record<"step" | "branch" | "first" | "last", Step>[] = [];
  // The next step to look at, so that each is found once: the step itself, or one after it.
  const next = steps.map(({ id, dependsOn }, index) =>
    dependsOn.length === 0 && !targets.has(id.text) ? index : index + 1,
  );
  const firstOpen = (from: number): number => {
    let at = from;
    for (let link = next[at] ?? at; link !== at; link = next[at] ?? at) {
      next[at] = next[link] ?? link;
      at = link;
    }
    return at;
  };
  for (const branch of branches) {
    const arms = [branch.then, branch.otherwise].flatMap((target) => visitedStep(composition, target) ?? []);
    const [first, last] = arms.sort((a, b) => a.index - b.index);
    if (first === undefined || last === undefined) continue;
    for (let at = firstOpen(first.index); at < last.index; at = firstOpen(at + 1)) {
      const step = steps[at];
      if (step !== undefined) found.push({ step, branch, first, last });
      next[at] = at + 1;
    }
  }
  return found.sort((a, b) => a.step.index - b.step.index);
}
