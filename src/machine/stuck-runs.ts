import { at } from "../graph/digraph.js";
import { type Exploration, STUCK } from "./explore.js";
import type { Witnessed } from "./facts.js";
import type { Witnesses } from "./witness.js";

/** Configurations replayed while looking for runs that get stuck. */
const maxStuckReplays = 1000;

/** Gives each ring of forced exits the shortest run that goes on into it, where there is one. */
export function withStuckRuns(
  cycles: readonly Witnessed[],
  exploration: Exploration,
  witnesses: Witnesses,
): readonly Witnessed[] {
  const stuckAt = new Map<number, number>();
  let replaysLeft = maxStuckReplays;
  for (const configuration of witnesses.reached.order) {
    if ((at(exploration.endings, configuration) & STUCK) === 0) continue;
    if (replaysLeft-- === 0) break;
    const run = witnesses.runAt(configuration);
    for (const event of run.current.edges.keys()) {
      const outcome = run.look(event);
      if (outcome.kind !== "stuck") continue;
      for (const state of outcome.forced) if (!stuckAt.has(state)) stuckAt.set(state, configuration);
    }
  }
  return cycles.map((cycle) => {
    const stuck = stuckAt.get(at(cycle.states, 0));
    return stuck === undefined ? cycle : { ...cycle, witness: witnesses.runTo(stuck) };
  });
}
