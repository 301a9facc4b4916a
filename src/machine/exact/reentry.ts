import { type Components, isOnCycle } from "../../graph/components.js";
import { at } from "../../graph/digraph.js";
import { configurationsByState, type Exploration } from "./explore.js";

/** Edges looked at in all before we stop asking: every answer given until then is exact. */
const maxReentryEdges = 4_000_000;

/** The states that one run can enter twice, by a walk from each. */
export function findReenteredStates(
  states: number,
  exploration: Exploration,
  parts: Components,
): ReadonlySet<number> {
  const { graph } = exploration;
  const reentered = new Set<number>();
  let looked = 0;
  configurationsByState(states, exploration).forEach((configurations, state) => {
    const inLoop = configurations.some((configuration) => isOnCycle(parts, configuration));
    if (inLoop) reentered.add(state);
    // Outside loops a run that comes back is in another configuration, so there must be two.
    if (inLoop || configurations.length < 2 || looked > maxReentryEdges) return;
    const isHome = new Set(configurations);
    const seen = new Set<number>();
    const queue = [...configurations];
    for (const from of queue) {
      for (let edge = at(graph.offsets, from); edge < at(graph.offsets, from + 1); edge++) {
        looked++;
        const target = at(graph.targets, edge);
        if (isHome.has(target)) return void reentered.add(state);
        if (seen.has(target)) continue;
        seen.add(target);
        queue.push(target);
      }
    }
  });
  return reentered;
}
