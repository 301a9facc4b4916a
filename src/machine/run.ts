import type { TraceStep } from "../diagnostic.js";
import { lazy } from "../text/collections.js";
import type { Artifact, Budget } from "../pack/workflow.js";
import { applyWrites, type ArtifactValues, type ArtifactWrite } from "./artifact-values.js";
import { DANGLING, type Edge, knownEventsOf, type Machine, type MachineState } from "./machine.js";

/** The result of attempting to enter a state; `forced` lists the spent states it passed, in order. */
export type Outcome = OutcomeKind & { readonly forced: readonly number[] };
type OutcomeKind =
  | { readonly kind: "entered"; readonly state: number }
  /** Spent without an `on_max_visits`, in a cycle of forced exits, or not a state. Events that stop may be refused. */
  | { readonly kind: "stopped" | "stuck" | "dangling" };

export function isSpent({ index, maxVisits }: MachineState, visits: (state: number) => number): boolean {
  return maxVisits !== undefined && visits(index) >= maxVisits;
}

/** Where a guard is spent, `on_max_visits` is attempted by the same rule, or entered. */
export function attempt(
  { states, reading }: Machine,
  target: number,
  visits: (state: number) => number,
): Outcome {
  // An exploration attempts millions of states, each in another run: lazy lists would take three times as long.
  const passed = new Set<number>();
  for (let current = target; ;) {
    const state = states[current];
    if (state === undefined) return { kind: "dangling", forced: [...passed] };
    const isOpen = passed.size > 0 && reading.forcedExits === "entered";
    if (isOpen || !isSpent(state, visits)) return { kind: "entered", state: current, forced: [...passed] };
    if (passed.has(current)) return { kind: "stuck", forced: [...passed] };
    passed.add(current);
    if (state.forcedExit === undefined) return { kind: "stopped", forced: [...passed] };
    current = state.forcedExit;
  }
}

/**
 * Whether a run stays in a state, and may go on with other events, instead of stopping. Where every event would stop it, it
 * has ended.
 */
export function isRefused(
  { reading }: Machine,
  { kind }: Outcome,
  { edges }: MachineState,
  attemptAgain: (target: number) => Outcome,
): boolean {
  if (kind !== "stopped" || reading.stops === "run ends") return false;
  return edges.some(({ target }) => attemptAgain(target).kind !== "stopped");
}

/** An outcome whose list of spent states may be long, so it is built on demand. */
function outcomeFrom(target: number, end: OutcomeKind, states: readonly MachineState[]): Outcome {
  const forced = lazy(() => {
    const passed = new Set<number>();
    const entered = end.kind === "entered" ? end.state : undefined;
    for (let current = target; current !== entered && !passed.has(current);) {
      const state = states[current];
      if (state === undefined) break;
      passed.add(current);
      current = state.forcedExit ?? DANGLING;
    }
    return [...passed];
  });
  return {
    ...end,
    get forced() {
      return forced();
    },
  };
}

/** RFC 0009 calls a run `budget-exhausted` that a guard without `on_max_visits` or the budget has ended. */
const runStatuses = ["running", "complete", "budget-exhausted", "stuck", "lost"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Records of earlier versions call a run `stopped` by a guard and `exhausted` by the budget. */
export function runStatusOf(word: string): RunStatus | undefined {
  if (word === "stopped" || word === "exhausted") return "budget-exhausted";
  return runStatuses.find((status) => status === word);
}

/** By the outcome of an event; a state that is entered may also end the run. */
export const statusAfter = {
  entered: "running",
  stopped: "budget-exhausted",
  stuck: "stuck",
  dangling: "lost",
} as const;

/** The artifacts, tool calls and time of a state before its event. */
export interface Effects {
  readonly artifacts?: readonly ArtifactWrite[];
  readonly toolCalls?: number;
  readonly seconds?: number;
}

export type RunBudget = {
  readonly [Limit in Exclude<keyof Budget, "isEmpty">]?: { readonly value: number } | undefined;
};

export type BudgetLimit = "max_tool_calls" | "max_wall_time_sec" | "max_total_visits";

/** The event that entered no state and ended a run. */
export interface Failure {
  readonly event: string;
  /** The one in the pack; undefined if it could not be read. */
  readonly target?: string | undefined;
  readonly forced?: readonly string[];
  /** The `on_max_visits` of the last forced state; undefined if its guard could not be read. */
  readonly exit?: string | undefined;
}

/** One run: where it is, what it has counted and written, and how it ended. */
export class RunState {
  status: RunStatus = "running";
  /** The limit of the budget that ended the run. */
  limit: BudgetLimit | undefined;
  failure: Failure | undefined;
  totalVisits = 0;
  toolCalls = 0;
  seconds = 0;
  /** The values when the last state was left. */
  artifacts: ArtifactValues = new Map();
  private readonly visitCounts = new Map<number, number>();
  /** From spent states, which stay spent, to later ones of their chains. */
  private readonly shortcuts = new Map<number, number>();
  private state: MachineState | undefined;

  /** A run that has not begun: `enter` starts it. */
  constructor(
    readonly machine: Machine,
    private readonly budget: RunBudget = {},
  ) {}

  get current(): MachineState {
    if (this.state === undefined) throw new Error("the run is in no state");
    return this.state;
  }

  readonly visits = (state: number): number => this.visitCounts.get(state) ?? 0;

  get eventsByName(): ReadonlyMap<string, number> {
    return knownEventsOf(this.current).byName;
  }

  get declaredArtifacts(): ReadonlyMap<string, Artifact> {
    return this.current.artifacts ?? new Map();
  }

  /** Enters a state without an event: where a run starts, or where a record says that it went on. */
  enter(state: number): this {
    this.count(state, 1);
    return this.moveTo(state);
  }

  /** Continues in a state that was entered before. */
  moveTo(index: number): this {
    const state = this.machine.states[index];
    if (state === undefined) throw new RangeError(`no state ${index}`);
    this.state = state;
    this.status = state.ends ? "complete" : "running";
    return this;
  }

  /** Counts entries that happened elsewhere; those of a state that the machine does not have count only in total. */
  count(state: number | undefined, entries: number): void {
    this.totalVisits += entries;
    if (state !== undefined) this.visitCounts.set(state, this.visits(state) + entries);
  }

  /** The outcome of attempting to enter a state now. No attempt repeats the path of an earlier one. */
  attempt(target: number): Outcome {
    const { states, reading } = this.machine;
    if (reading.forcedExits === "entered") return attempt(this.machine, target, this.visits);
    const end = (kind: OutcomeKind): Outcome => outcomeFrom(target, kind, states);
    for (let current = this.followShortcuts(target); ;) {
      const state = states[current];
      if (state === undefined) return end({ kind: "dangling" });
      if (!isSpent(state, this.visits)) return end({ kind: "entered", state: current });
      if (state.forcedExit === undefined) return end({ kind: "stopped" });
      const next = this.followShortcuts(state.forcedExit);
      if (next === current) return end({ kind: "stuck" });
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

  /** The outcome of an event of the current state, without sending it or asking the budget. */
  peek(event: number): Outcome {
    return this.attempt(this.edge(event).target);
  }

  /** Whether the run stays in its state. */
  isRefused(outcome: Outcome): boolean {
    return isRefused(this.machine, outcome, this.current, (target) => this.attempt(target));
  }

  private edge(event: number): Edge {
    const edge = this.current.edges[event];
    if (edge === undefined) throw new RangeError(`state "${this.current.name}" has no event ${event}`);
    return edge;
  }

  /** The limit of the budget that allows no further event after these effects. */
  usedUpLimit({ toolCalls = 0, seconds = 0 }: Effects = {}): BudgetLimit | undefined {
    const { maxToolCalls, maxWallTimeSec, maxTotalVisits } = this.budget;
    if (this.toolCalls + toolCalls > (maxToolCalls?.value ?? Infinity)) return "max_tool_calls";
    if (this.seconds + seconds > (maxWallTimeSec?.value ?? Infinity)) return "max_wall_time_sec";
    return this.totalVisits >= (maxTotalVisits?.value ?? Infinity) ? "max_total_visits" : undefined;
  }

  /** Fills artifacts of the current state: as it is left, or, if it ends the run, as the output (RFC 0009, completion). */
  write(artifacts: readonly ArtifactWrite[]): void {
    this.artifacts = applyWrites(this.artifacts, artifacts, this.declaredArtifacts);
  }

  /** Sends an event of the current state. What the state wrote and used up counts even if the event ends the run. */
  advance(event: number, effects: Effects = {}): TraceStep {
    if (this.status !== "running") throw new Error(`the run is ${this.status}`);
    const { event: name, target, transition } = this.edge(event);
    const step = { from: this.current.name, event: name };
    const failure = { event: name, target: transition?.target?.text };
    const outcome = this.attempt(target);
    const isRefusal = this.isRefused(outcome);
    const { kind } = outcome;
    if (!isRefusal) this.write(effects.artifacts ?? []);
    this.limit = this.usedUpLimit(effects);
    this.toolCalls += effects.toolCalls ?? 0;
    this.seconds += effects.seconds ?? 0;
    if (this.limit !== undefined) {
      this.status = "budget-exhausted";
      this.failure = failure;
      return { ...step, to: null };
    }
    const passed = outcome.forced.flatMap((state) => this.machine.states[state] ?? []);
    const names = passed.length > 0 && { forced: passed.map((state) => state.name) };
    const last = passed.at(-1);
    if (isRefusal) return { ...step, to: null, end: "refused", ...names };
    if (kind !== "entered") {
      this.status = statusAfter[kind];
      this.failure = { ...failure, ...names, exit: last?.forcedExitName };
      return { ...step, to: null, ...((kind === "stopped" || kind === "stuck") && { end: kind }), ...names };
    }
    this.enter(outcome.state);
    const place = last === undefined ? transition?.target : last.forcedExitAt;
    // Only the offsets, since a step outlives the syntax tree.
    const at = place !== undefined && { at: { start: place.start, end: place.end } };
    return { ...step, to: this.current.name, ...names, ...at };
  }
}

/** Only the last event may end the run. */
export function stepsOf(
  machine: Machine,
  root: number,
  events: Iterable<number | string>,
): readonly TraceStep[] {
  const run = new RunState(machine).enter(root);
  return Array.from(events, (event) =>
    run.advance(typeof event === "string" ? (run.eventsByName.get(event) ?? -1) : event),
  );
}
