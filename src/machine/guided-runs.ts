import type { Trace, TraceStep } from "../diagnostic.js";
import { attempt, isSpent } from "./attempt.js";
import type { Machine } from "./machine.js";
import { Run } from "./run.js";

/** One step of a lap: an event, the spent guards that hand the run on, and where it arrives. */
export interface LapStep {
  readonly from: number;
  readonly event: number;
  readonly forced: readonly number[];
  readonly to: number;
}

/** Steps of one run, and what is looked at in all: past these, a loop is not shown by a run. */
const maxSteps = 500;
const maxLooked = 1_000_000;

/**
 * Where there are too many runs to explore, one that shows a loop can often be found by going for it: until each guard
 * on a lap is spent, take the nearest way to it; then go round. What it finds is a run; that it finds none says nothing.
 */
export class GuidedRuns {
  private looked = 0;

  constructor(private readonly machine: Machine) {}

  /** A run into a lap of unguarded states, and once round it: as nothing is counted there, it can go round for ever. */
  into(lap: readonly LapStep[]): Trace | undefined {
    const guards = lap.flatMap(({ forced }) => forced);
    for (const root of this.machine.roots) {
      if (++this.looked > maxLooked) return undefined;
      const steps = this.tryFrom(root, guards, lap);
      if (steps !== undefined) return { steps, loopFrom: steps.length - lap.length };
    }
    return undefined;
  }

  private tryFrom(
    root: number,
    guards: readonly number[],
    lap: readonly LapStep[],
  ): readonly TraceStep[] | undefined {
    const run = new Run(this.machine, root);
    const steps: TraceStep[] = [];
    for (const guard of guards) {
      const state = this.machine.states[guard];
      while (state !== undefined && !isSpent(state, (index) => run.visits(index))) {
        if (!this.goTo(guard, run, steps)) return undefined;
      }
    }
    const start = lap[0]?.from ?? -1;
    if (run.current.index !== start && !this.goTo(start, run, steps)) return undefined;
    for (const { event, to } of lap) {
      const step = run.fire(event);
      if (step === undefined || run.current.index !== to) return undefined;
      steps.push(step);
    }
    return steps;
  }

  /** Takes the run the nearest way to a state; false where there is none, or it is too long. */
  private goTo(goal: number, run: Run, steps: TraceStep[]): boolean {
    const way = this.wayTo(goal, run);
    if (way === undefined || steps.length + way.length > maxSteps) return false;
    for (const event of way) {
      const step = run.fire(event);
      if (step === undefined) return false;
      steps.push(step);
    }
    return run.current.index === goal;
  }

  /** The events of the nearest way to a state, with the guards that are spent now. */
  private wayTo(goal: number, run: Run): readonly number[] | undefined {
    const cameBy = new Map<number, { readonly from: number; readonly event: number }>();
    const queue = [run.current.index];
    for (const from of queue) {
      const edges = this.machine.states[from]?.edges ?? [];
      for (let event = 0; event < edges.length; event++) {
        const outcome = attempt(this.machine, edges[event]?.target ?? -1, (state) => run.visits(state));
        if ((this.looked += 1 + outcome.forced.length) > maxLooked) return undefined;
        if (outcome.kind !== "entered" || cameBy.has(outcome.state)) continue;
        cameBy.set(outcome.state, { from, event });
        if (outcome.state === goal) return eventsTo(goal);
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
