import type { Trace, TraceStep } from "../diagnostic.js";
import { DANGLING, type Machine } from "./machine.js";
import { attempt, isSpent, Run } from "./run.js";

/** One step of a lap: an event, the spent guards that hand the run on, and where it arrives. */
export interface LapStep {
  readonly from: number;
  readonly event: number;
  readonly forced: readonly number[];
  readonly to: number;
}

/** Steps of one run, and what is looked at in all: past these, a fault is not shown by a run. */
export const maxGuidedSteps = 500;
const maxEdgesVisited = 1_000_000;

/**
 * Where there are too many runs to explore, one that shows a loop can often be found by going for it: until each guard
 * on a lap is spent, take the nearest way to one of them; then go round. What it finds is a run; that it finds none says
 * nothing.
 */
export class GuidedRuns {
  private edgesVisited = 0;

  constructor(private readonly machine: Machine) {}

  /** A run into a lap of unguarded states, and once round it: as nothing is counted there, it can go round for ever. */
  runAround(lap: readonly LapStep[]): Trace | undefined {
    const guards = new Set(lap.flatMap(({ forced }) => forced));
    const first = new Set(lap.slice(0, 1).map(({ from }) => from));
    return this.tryEachRoot((run, steps) => {
      if (!this.spendGuardsAndReach(first, guards, run, steps)) return undefined;
      for (const { event, to } of lap) {
        const step = run.fire(event);
        if (step === undefined || run.current.index !== to) return undefined;
        steps.push(step);
      }
      return { steps, loopFrom: steps.length - lap.length };
    });
  }

  /** A run that is in one of the states once the guards are spent. */
  runInto(states: ReadonlySet<number>, guards: ReadonlySet<number>): Trace | undefined {
    return this.tryEachRoot((run, steps) =>
      this.spendGuardsAndReach(states, guards, run, steps) ? { steps } : undefined,
    );
  }

  private tryEachRoot(go: (run: Run, steps: TraceStep[]) => Trace | undefined): Trace | undefined {
    for (const root of this.machine.roots) {
      if (++this.edgesVisited > maxEdgesVisited) return undefined;
      const trace = go(new Run(this.machine, root), []);
      if (trace !== undefined) return trace;
    }
    return undefined;
  }

  /** Spends the guards, then takes the run to one of the states; false where it finds no way, or that is too long. */
  private spendGuardsAndReach(
    states: ReadonlySet<number>,
    guards: ReadonlySet<number>,
    run: Run,
    steps: TraceStep[],
  ): boolean {
    if ((this.edgesVisited += guards.size) > maxEdgesVisited) return false;
    const left = new Set(guards);
    for (;;) {
      const { index } = run.current;
      if (isSpent(run.current, (state) => run.visits(state))) left.delete(index);
      if (left.size === 0 && states.has(index)) return true;
      if (!this.advanceTo(left.size === 0 ? states : left, run, steps)) return false;
    }
  }

  /** Takes the run the nearest way to a goal; false where there is none, or it is too long. */
  private advanceTo(goals: ReadonlySet<number>, run: Run, steps: TraceStep[]): boolean {
    const way = this.findPathTo(goals, run);
    if (way === undefined || steps.length + way.length > maxGuidedSteps) return false;
    for (const event of way) {
      const step = run.fire(event);
      if (step === undefined) return false;
      steps.push(step);
    }
    return true;
  }

  /** The events of the nearest way to a goal, with the guards that are spent now. */
  private findPathTo(goals: ReadonlySet<number>, run: Run): readonly number[] | undefined {
    const cameBy = new Map<number, { readonly from: number; readonly event: number }>();
    const queue = [run.current.index];
    for (const from of queue) {
      const edges = this.machine.states[from]?.edges ?? [];
      for (let event = 0; event < edges.length; event++) {
        const outcome = attempt(this.machine, edges[event]?.target ?? DANGLING, (state) => run.visits(state));
        if ((this.edgesVisited += 1 + outcome.forced.length) > maxEdgesVisited) return undefined;
        if (outcome.kind !== "entered" || cameBy.has(outcome.state)) continue;
        cameBy.set(outcome.state, { from, event });
        if (goals.has(outcome.state)) return eventsTo(outcome.state);
        queue.push(outcome.state);
      }
    }
    return undefined;

    function eventsTo(last: number): readonly number[] {
      const events: number[] = [];
      for (let state = last; ;) {
        const step = cameBy.get(state);
        if (step === undefined) break;
        events.push(step.event);
        state = step.from;
        if (state === queue[0]) break;
      }
      return events.reverse();
    }
  }
}
