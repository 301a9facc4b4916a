import type { State, Workflow } from "../pack/workflow.js";

/** Why naming a state brings no run there. */
export type Obstacle =
  /** `by`, which runs enter, is terminal; or is never spent, with a guard or for want of one. */
  | { readonly kind: "terminal" | "unspent" | "unguarded"; readonly by: State }
  /** Only states that no run enters name it. */
  | { readonly kind: "adrift" };

/** For the states that others name and no run enters, by their names. */
export function obstaclesByTarget(
  unreachable: readonly State[],
  { states }: Workflow,
): ReadonlyMap<string, Obstacle> {
  const isNever = new Set(unreachable);
  const blocked = new Map<string, Obstacle>();
  const adrift = new Map<string, Obstacle>();
  for (const by of states) {
    const { name, transitions, maxVisits, onMaxVisits } = by;
    const note = (target: string | undefined, obstacle: Obstacle): void => {
      if (target === undefined || target === name.text) return;
      if (isNever.has(by)) adrift.set(target, { kind: "adrift" });
      else if (!blocked.has(target)) blocked.set(target, obstacle);
    };
    for (const { target } of transitions) note(target?.text, { kind: "terminal", by });
    note(onMaxVisits?.text, { kind: maxVisits === undefined ? "unguarded" : "unspent", by });
  }
  return new Map([...adrift, ...blocked]);
}
