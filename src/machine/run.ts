import type { TraceStep } from "../diagnostic.js";
import { attempt, type Outcome } from "./attempt.js";
import type { Machine, MachineState } from "./machine.js";

/** How a run stands: `stopped` by a guard without `on_max_visits`, `exhausted` by the budget. */
export const runStatuses = ["running", "complete", "stopped", "stuck", "lost", "exhausted"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** One run of a workflow, event by event. */
export class Run {
  status: RunStatus = "running";
  /** Entries of all states so far. */
  totalVisits = 0;
  private readonly visitCounts = new Map<number, number>();
  private state: MachineState;

  constructor(
    readonly machine: Machine,
    root: number,
    /** `engine.budget.max_total_visits`: entries of all states, the start included. */
    private readonly maxTotalVisits = Infinity,
  ) {
    this.state = this.enter(root);
  }

  get current(): MachineState {
    return this.state;
  }

  visits(state: number): number {
    return this.visitCounts.get(state) ?? 0;
  }

  /** What the given event of the current state would do; nothing changes. */
  peek(event: number): Outcome {
    const target = this.state.edges[event]?.target;
    if (target === undefined) throw new RangeError(`state "${this.state.name}" has no event ${event}`);
    return attempt(this.machine, target, (state) => this.visits(state));
  }

  /** Lets the given event of the current state happen. A step is returned when a state was entered. */
  fire(event: number): TraceStep | undefined {
    if (this.status !== "running") throw new Error(`the run is ${this.status}`);
    if (this.totalVisits >= this.maxTotalVisits) {
      this.status = "exhausted";
      return undefined;
    }
    const outcome = this.peek(event);
    if (outcome.kind !== "entered") {
      this.status = outcome.kind === "dangling" ? "lost" : outcome.kind;
      return undefined;
    }
    const from = this.state;
    const edge = from.edges[event];
    this.state = this.enter(outcome.state);
    const forced = outcome.forced.flatMap((state) => this.machine.states[state] ?? []);
    const place = forced.length === 0 ? edge?.transition?.target : forced.at(-1)?.forcedExitAt;
    return {
      from: from.name,
      event: edge?.event ?? "",
      to: this.state.name,
      ...(forced.length > 0 && { forced: forced.map(({ name }) => name) }),
      // Only the offsets: a step outlives the tree of its file.
      ...(place !== undefined && { at: { start: place.start, end: place.end } }),
    };
  }

  private enter(index: number): MachineState {
    const state = this.machine.states[index];
    if (state === undefined) throw new RangeError(`no state ${index}`);
    this.visitCounts.set(index, this.visits(index) + 1);
    this.totalVisits++;
    if (state.ends) this.status = "complete";
    return state;
  }
}
