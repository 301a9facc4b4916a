import type { Trace, TraceStep } from "../diagnostic.js";
import { DANGLING, type Machine } from "./machine.js";
import { isSpent, RunState } from "./run.js";

/** An event, and the spent guards that redirect it. */
export interface LapStep {
  readonly from: number;
  readonly event: number;
  readonly forced: readonly number[];
  readonly to: number;
}

/** For one run. */
export const maxGuidedSteps = 500;
/** For all runs together. */
const maxEdgesVisited = 1_000_000;

/**
 * A heuristic for when there are too many runs to explore: take the shortest path to an unspent guard of a lap until all
 * are spent, then go around. A run that it finds is real; finding none proves nothing.
 */
export class GuidedRuns {
  private edgesVisited = 0;

  constructor(private readonly machine: Machine) {}

  /** A run into a lap of unguarded states and once around it. Nothing is counted there, so it can repeat forever. */
  runAround(lap: readonly LapStep[]): Trace | undefined {
    const guards = new Set(lap.flatMap(({ forced }) => forced));
    const first = new Set(lap.slice(0, 1).map(({ from }) => from));
    return this.tryEachRoot((run, steps) => {
      if (!this.spendGuardsAndReach(first, guards, run, steps)) return undefined;
      for (const { event, to } of lap) {
        const step = run.advance(event);
        if (step.to === null || run.current.index !== to) return undefined;
        steps.push(step);
      }
      return { steps, loopFrom: steps.length - lap.length };
    });
  }

  /** A run to one of the states after the guards are spent. */
  runInto(states: ReadonlySet<number>, guards: ReadonlySet<number>): Trace | undefined {
    return this.tryEachRoot((run, steps) =>
      this.spendGuardsAndReach(states, guards, run, steps) ? { steps } : undefined,
    );
  }

  private tryEachRoot(go: (run: RunState, steps: TraceStep[]) => Trace | undefined): Trace | undefined {
    for (const root of this.machine.roots) {
      if (++this.edgesVisited > maxEdgesVisited) return undefined;
      const trace = go(new RunState(this.machine).enter(root), []);
      if (trace !== undefined) return trace;
    }
    return undefined;
  }

  /** Spends the guards, then takes the run to one of the states; false if it finds no path, or only a long one. */
  private spendGuardsAndReach(
    states: ReadonlySet<number>,
    guards: ReadonlySet<number>,
    run: RunState,
    steps: TraceStep[],
  ): boolean {
    if ((this.edgesVisited += guards.size) > maxEdgesVisited) return false;
    const unspent = new Set(guards);
    for (;;) {
      if (isSpent(run.current, run.visits)) unspent.delete(run.current.index);
      if (unspent.size === 0 && states.has(run.current.index)) return true;
      const path = this.findPathTo(unspent.size === 0 ? states : unspent, run);
      if (path === undefined || steps.length + path.length > maxGuidedSteps) return false;
      for (const event of path) {
        const step = run.advance(event);
        if (step.to === null) return false;
        steps.push(step);
      }
    }
  }

  /** The events of the shortest path to a goal, with the guards that are spent now. */
  private findPathTo(goals: ReadonlySet<number>, run: RunState): readonly number[] | undefined {
    const parents = new Map<number, { readonly from: number; readonly event: number }>();
    const queue = [run.current.index];
    for (const from of queue) {
      const edges = this.machine.states[from]?.edges ?? [];
      for (let event = 0; event < edges.length; event++) {
        const outcome = run.attempt(edges[event]?.target ?? DANGLING);
        if ((this.edgesVisited += 1 + outcome.forced.length) > maxEdgesVisited) return undefined;
        if (outcome.kind !== "entered" || parents.has(outcome.state)) continue;
        parents.set(outcome.state, { from, event });
        if (goals.has(outcome.state)) return eventsTo(outcome.state);
        queue.push(outcome.state);
      }
    }
    return undefined;

    function eventsTo(last: number): readonly number[] {
      const events: number[] = [];
      for (let step = parents.get(last); step !== undefined;) {
        events.push(step.event);
        step = step.from === queue[0] ? undefined : parents.get(step.from);
      }
      return events.reverse();
    }
  }
}
