import type { Composition, Step } from "./composition.js";

/** A step that looks like a part of one arm of a branch, but runs in any case. */
export interface StepBetween {
  readonly step: Step;
  readonly branch: Step;
  /** The targets of the branch, in file order. */
  readonly first: Step;
  readonly last: Step;
}

/**
 * The steps between the two targets of a branch that are no target themselves and depend on nothing: a branch skips a
 * single step, not what follows it. Each is found once, for the first such branch.
 */
export function stepsBetweenArms({ steps, stepNamed }: Composition): readonly StepBetween[] {
  const branches = steps.filter(({ kind }) => kind === "branch");
  const targets = new Set(branches.flatMap(({ then, otherwise }) => [then?.text, otherwise?.text]));
  const open = steps.filter(({ id, dependsOn }) => dependsOn.length === 0 && !targets.has(id.text));
  const found: (StepBetween | undefined)[] = open.map(() => undefined);
  const after = positionsAfter(steps, open);
  // Links lead over what was found already, so that each step is looked at once.
  const next = [...open.keys(), open.length];
  const firstOpen = (from: number): number => {
    let at = from;
    for (let link = next[at] ?? at; link !== at; link = next[at] ?? at) {
      next[at] = next[link] ?? link;
      at = link;
    }
    return at;
  };
  for (const branch of branches) {
    const arms = [branch.then, branch.otherwise].flatMap(
      (target) => (target && stepNamed(target.text)) ?? [],
    );
    const [first, last] = arms.filter(({ parent }) => parent === undefined).sort((a, b) => a.index - b.index);
    if (first === undefined || last === undefined) continue;
    for (let at = firstOpen(after[first.index] ?? 0); ; at = firstOpen(at + 1)) {
      const step = open[at];
      if (step === undefined || step.index >= last.index) break;
      found[at] = { step, branch, first, last };
      next[at] = at + 1;
    }
  }
  return found.flatMap((each) => each ?? []);
}

/** For the index of each step, the position of the next open one. */
function positionsAfter(steps: readonly Step[], open: readonly Step[]): readonly number[] {
  let position = 0;
  return steps.map(({ index }) => {
    while ((open[position]?.index ?? Infinity) < index) position++;
    return position;
  });
}
