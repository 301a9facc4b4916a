import type { EnteringStep, TraceStep } from "../diagnostic.js";
import { DANGLING, knownEventsOf, type Machine, type MachineState } from "./machine.js";

/** The result of attempting to enter a state; `forced` lists the spent states it passed, in order. */
export type Outcome =
  | { readonly kind: "entered"; readonly state: number; readonly forced: readonly number[] }
  /** Spent without an `on_max_visits`, in a cycle of forced exits, or not a state. */
  | { readonly kind: "stopped"; readonly forced: readonly number[] }
  | { readonly kind: "stuck"; readonly forced: readonly number[] }
  | { readonly kind: "dangling"; readonly forced: readonly number[] };

/** Whether its guard keeps a run from entering the state again. */
export function isSpent({ index, maxVisits }: MachineState, visits: (state: number) => number): boolean {
  return maxVisits !== undefined && visits(index) >= maxVisits;
}

/**
 * The step of every run: a state is entered unless its guard is spent; then its `on_max_visits` is attempted instead, by
 * the same rule (RFC 0009, rule 2 mentions chains of forced exits).
 */
export function attempt(machine: Machine, target: number, visits: (state: number) => number): Outcome {
  const passed = new Set<number>();
  for (let current = target; ;) {
    const state = machine.states[current];
    if (state === undefined) return { kind: "dangling", forced: [...passed] };
    if (!isSpent(state, visits)) return { kind: "entered", state: current, forced: [...passed] };
    if (passed.has(current)) return { kind: "stuck", forced: [...passed] };
    passed.add(current);
    if (state.forcedExit === undefined) return { kind: "stopped", forced: [...passed] };
    current = state.forcedExit;
  }
}

/** The attempts of one run. Since spent states stay spent, no attempt repeats the path of an earlier one. */
export class AttemptCache {
  /** From a spent state to a later one of its chain, with only spent states between them. */
  private readonly shortcuts = new Map<number, number>();

  constructor(
    private readonly machine: Machine,
    private readonly visits: (state: number) => number,
  ) {}

  attempt(target: number): Outcome {
    const { states } = this.machine;
    const failed = (kind: Exclude<Outcome["kind"], "entered">): Outcome => ({
      kind,
      get forced() {
        return forcedStates(states, target);
      },
    });
    for (let current = this.followShortcuts(target); ;) {
      const state = states[current];
      if (state === undefined) return failed("dangling");
      if (!isSpent(state, this.visits)) return enteredOutcome(states, target, current);
      if (state.forcedExit === undefined) return failed("stopped");
      const next = this.followShortcuts(state.forcedExit);
      if (next === current) return failed("stuck");
      this.shortcuts.set(current, next);
      current = next;
    }
  }

  /** Halves the path on the way, as a union-find does. */
  private followShortcuts(state: number): number {
    for (let current = state; ;) {
      const next = this.shortcuts.get(current);
      if (next === undefined) return current;
      const second = this.shortcuts.get(next);
      if (second !== undefined) this.shortcuts.set(current, second);
      current = next;
    }
  }
}

/** The outcome if forced exits lead from `target` to `state`. The list may be long, so it is built on demand. */
export function enteredOutcome(states: readonly MachineState[], target: number, state: number): Outcome {
  return {
    kind: "entered",
    state,
    get forced() {
      return forcedStates(states, target, state);
    },
  };
}

function forcedStates(states: readonly MachineState[], target: number, end?: number): readonly number[] {
  const passed = new Set<number>();
  for (let current = target; current !== end && !passed.has(current);) {
    const state = states[current];
    if (state === undefined) break;
    passed.add(current);
    current = state.forcedExit ?? DANGLING;
  }
  return [...passed];
}

/** RFC 0009 calls a run `budget-exhausted` that a guard without `on_max_visits` or the budget has ended. */
const runStatuses = ["running", "complete", "budget-exhausted", "stuck", "lost"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Records of earlier versions call a run `stopped` by a guard and `exhausted` by the budget. */
export function runStatusOf(word: string): RunStatus | undefined {
  if (word === "stopped" || word === "exhausted") return "budget-exhausted";
  return runStatuses.find((status) => status === word);
}

export function statusAfter(outcome: Outcome): RunStatus {
  switch (outcome.kind) {
    case "entered":
      return "running";
    case "stopped":
      return "budget-exhausted";
    case "stuck":
      return "stuck";
    case "dangling":
      return "lost";
  }
}

export class Run {
  status: RunStatus = "running";
  /** Entries of all states so far. */
  totalVisits = 0;
  private readonly visitCounts = new Map<number, number>();
  private state: MachineState;

  constructor(
    readonly machine: Machine,
    root: number,
  ) {
    this.state = this.enter(root);
  }

  get current(): MachineState {
    return this.state;
  }

  visits(state: number): number {
    return this.visitCounts.get(state) ?? 0;
  }

  /** The outcome of an event of the current state, without firing it. */
  peek(event: number): Outcome {
    const target = this.state.edges[event]?.target;
    if (target === undefined) throw new RangeError(`state "${this.state.name}" has no event ${event}`);
    return attempt(this.machine, target, (state) => this.visits(state));
  }

  /** Fires an event of the current state, and returns the step if a state was entered. */
  fire(event: number): EnteringStep | undefined {
    if (this.status !== "running") throw new Error(`the run is ${this.status}`);
    const outcome = this.peek(event);
    if (outcome.kind !== "entered") {
      this.status = statusAfter(outcome);
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
      // Only the offsets, since a step outlives the syntax tree.
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

/** A run from a root by the names or numbers of its events, the last of which may end it. */
export function stepsOf(
  machine: Machine,
  root: number,
  events: Iterable<number | string>,
): readonly TraceStep[] {
  const run = new Run(machine, root);
  return Array.from(events, (event) =>
    takeStep(run, typeof event === "string" ? (knownEventsOf(run.current).byName.get(event) ?? -1) : event),
  );
}

export function takeStep(run: Run, event: number): TraceStep {
  const { current: from, machine } = run;
  const { kind, forced } = run.peek(event);
  return (
    run.fire(event) ?? {
      from: from.name,
      event: from.edges[event]?.event ?? "",
      to: null,
      ...((kind === "stopped" || kind === "stuck") && { end: kind }),
      ...(forced.length > 0 && { forced: forced.flatMap((state) => machine.states[state]?.name ?? []) }),
    }
  );
}
