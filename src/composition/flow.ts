import { getOrCreate } from "../text/collections.js";
import type { Composition, Step } from "./composition.js";
import { consistentOutcomes } from "./facts.js";
import { walk } from "./walk.js";

/** One step that may run right after another. */
export interface Flow {
  readonly from: Step;
  readonly to: Step;
  /** The only answer of the branch `from` with which `to` follows. */
  readonly answer: boolean | undefined;
}

/** Visits of steps, over all outcomes, before the order in the file has to do. */
const maxVisits = 1_000_000;
const maxBranches = 12;

/** Which steps follow each other, over all outcomes of the branches; if there are too many, as written. */
export function flowsOf(composition: Composition): readonly Flow[] {
  const { steps, isClear } = composition;
  const branches = steps.filter(({ kind }) => kind === "branch");
  const isSmall = branches.length <= maxBranches && steps.length * 2 ** branches.length <= maxVisits;
  if (!isClear || !isSmall)
    return steps.slice(1).map((to, index) => ({ from: steps[index] ?? to, to, answer: undefined }));
  const followers = new Map<Step, Map<Step, Set<boolean>>>();
  for (const outcome of consistentOutcomes(composition, branches)) {
    const { ran, answers } = walk(composition, outcome);
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
