import type { TraceStep } from "../diagnostic.js";
import { at } from "../graph/digraph.js";
import { type Exploration, STUCK } from "./explore.js";
import type { Witnessed } from "./facts.js";
import type { Run } from "./run.js";
import type { Witnesses } from "./witness.js";

/** Configurations replayed while looking for runs that get stuck. */
const maxStuckReplays = 1000;

/** Gives each ring of forced exits the shortest run that gets stuck in it, where there is one. */
export function withStuckRuns(
  cycles: readonly Witnessed[],
  exploration: Exploration,
  witnesses: Witnesses,
): readonly Witnessed[] {
  const stuckAt = new Map<number, { readonly configuration: number; readonly last: TraceStep }>();
  let replaysLeft = maxStuckReplays;
  for (const configuration of witnesses.reached.order) {
    if ((at(exploration.endings, configuration) & STUCK) === 0) continue;
    if (replaysLeft-- === 0) break;
    const run = witnesses.runAt(configuration);
    for (const event of run.current.edges.keys()) {
      const outcome = run.look(event);
      if (outcome.kind !== "stuck") continue;
      const last = stuckStep(run, event, outcome.forced);
      for (const state of outcome.forced)
        if (!stuckAt.has(state)) stuckAt.set(state, { configuration, last });
    }
  }
  return cycles.map((cycle) => {
    const stuck = stuckAt.get(at(cycle.states, 0));
    if (stuck === undefined) return cycle;
    const run = witnesses.runTo(stuck.configuration);
    return run === undefined ? cycle : { ...cycle, witness: { steps: [...run.steps, stuck.last] } };
  });
}

/** The attempt that finds no state to enter, as far as it goes: round to a state that it tried before. */
function stuckStep({ machine, current }: Run, event: number, forced: readonly number[]): TraceStep {
  const names = [...forced, machine.states[forced.at(-1) ?? -1]?.forcedExit ?? -1].map(
    (state) => machine.states[state]?.name ?? "",
  );
  return {
    from: current.name,
    event: current.edges[event]?.event ?? "",
    to: names.at(-1) ?? "",
    forced: names.slice(0, -1),
  };
}
