import {
  applyWrites,
  type ArtifactMode,
  type ArtifactValues,
  type ArtifactWrite,
} from "../machine/artifact-values.js";
import { type Edge, knownEventsOf, type Machine, type MachineState } from "../machine/machine.js";
import { type Outcome, Run, type RunStatus } from "../machine/run.js";
import type { State } from "../pack/workflow.js";
import { formatJson } from "../text/escape.js";
import { stepJson } from "../text/format-trace.js";

/** An event, and what the state wrote before it. */
interface Move {
  readonly event: number;
  readonly writes: readonly ArtifactWrite[];
}

/** A recorded run with its artifacts. */
export class Simulation {
  readonly transitions: TransitionRecord[] = [];
  private run: Run;
  private moves: Move[] = [];
  private values: ArtifactValues = new Map();
  private writes: ArtifactWrite[] = [];
  private failure: Failure = {};

  constructor(readonly options: SimulationOptions) {
    this.run = this.newRun();
  }

  get current(): MachineState {
    return this.run.current;
  }

  get status(): RunStatus {
    return this.run.status;
  }

  get total(): number {
    return this.run.totalVisits;
  }

  /** The visits left in the budget; undefined without one. */
  get budgetLeft(): number | undefined {
    const { maxTotalVisits } = this.options;
    return maxTotalVisits === undefined ? undefined : maxTotalVisits - this.run.totalVisits;
  }

  /** The values before the writes of the current state. */
  get artifacts(): ArtifactValues {
    return this.values;
  }

  /** Writes of the current state, which take effect when the run leaves it. */
  get pendingWrites(): readonly ArtifactWrite[] {
    return this.writes;
  }

  get declaredArtifacts(): ReadonlyMap<string, ArtifactMode> {
    return this.options.declaredBy(this.current.index);
  }

  stateName(state: number): string {
    return this.options.machine.states[state]?.name ?? "";
  }

  visits(state: number): number {
    return this.run.visits(state);
  }

  /** Indexes into the edges of the current state, without those that could not be read. */
  get events(): readonly number[] {
    return knownEventsOf(this.current).numbers;
  }

  get eventsByName(): ReadonlyMap<string, number> {
    return knownEventsOf(this.current).byName;
  }

  preview(event: number): Outcome {
    return this.run.peek(event);
  }

  /** The `on_max_visits` of the last spent state on the path of an event. */
  forcedExitTarget({ forced }: Outcome): string | undefined {
    const last = forced.at(-1);
    return last === undefined ? undefined : this.options.forcedExitTarget(last);
  }

  /** The `on_max_visits` at which the run failed, because it names no state or one that was tried before. */
  get lastForcedExitTarget(): string | undefined {
    const last = this.status === "lost" || this.status === "stuck" ? this.moves.at(-1) : undefined;
    return last && this.forcedExitTarget(this.preview(last.event));
  }

  setArtifact(name: string, value: string): void {
    if (!this.declaredArtifacts.has(name))
      throw new RangeError(`"${this.current.name}" does not declare "${name}"`);
    this.writes.push({ name, value });
  }

  fire(event: number): void {
    this.move({ event, writes: this.writes });
  }

  /** Takes back the last event, but not the writes before it; false at the start of the run. */
  undo(): boolean {
    const moves = this.moves;
    const last = moves.pop();
    if (last === undefined) return false;
    this.moves = [];
    this.transitions.length = 0;
    this.values = new Map();
    this.failure = {};
    this.run = this.newRun();
    for (const move of moves) this.move(move);
    this.writes = [...last.writes];
    return true;
  }

  *records(): Generator<RunRecord> {
    yield this.start;
    yield* this.transitions;
    yield this.end;
  }

  get start(): StartRecord {
    const { maxTotalVisits, agent, pack, startState } = this.options;
    return {
      record: "start",
      schemaVersion: 1,
      pack,
      ...(agent !== undefined && { agent }),
      ...(maxTotalVisits !== undefined && { budget: { maxTotalVisits } }),
      state: this.stateName(startState),
    };
  }

  get end(): EndRecord {
    return {
      record: "end",
      status: this.status,
      state: this.current.name,
      steps: this.transitions.length,
      total: this.total,
      ...this.failure,
      artifacts: this.values,
    };
  }

  private newRun(): Run {
    return new Run(this.options.machine, this.options.startState, this.options.maxTotalVisits);
  }

  private move(move: Move): void {
    const { run } = this;
    const edge = run.current.edges[move.event];
    if (edge === undefined) throw new RangeError(`"${run.current.name}" has no such event`);
    const { forced } = run.peek(move.event);
    this.moves.push(move);
    this.values = applyWrites(this.values, move.writes, this.declaredArtifacts);
    this.writes = [];
    const step = run.fire(move.event);
    if (step === undefined) {
      this.failure = failureOf(this.options.machine, edge, run.status === "exhausted" ? [] : forced);
      return;
    }
    this.transitions.push({
      record: "transition",
      step: this.transitions.length + 1,
      ...stepJson(step),
      visit: run.visits(run.current.index),
      total: run.totalVisits,
      artifacts: this.values,
    });
  }
}

export interface SimulationOptions {
  readonly machine: Machine;
  readonly startState: number;
  /** `engine.budget.max_total_visits`; undefined if there is none, or it is ignored. */
  readonly maxTotalVisits?: number | undefined;
  readonly declaredBy: (state: number) => ReadonlyMap<string, ArtifactMode>;
  readonly forcedExitTarget: (state: number) => string | undefined;
  readonly pack: StartRecord["pack"];
  readonly agent?: string | undefined;
}

/** The event that entered no state. */
export type Failure = Pick<EndRecord, "event" | "target" | "forced">;

export function failureOf({ states }: Machine, edge: Edge, forced: readonly number[]): Failure {
  const target = edge.transition?.target?.text ?? states[edge.target]?.name;
  return {
    event: edge.event,
    ...(target !== undefined && { target }),
    ...(forced.length > 0 && { forced: forced.map((state) => states[state]?.name ?? "") }),
  };
}

/** The `on_max_visits` of a state; undefined if its guard could not be read. */
export function forcedExitTargetOf(state: State | undefined): string | undefined {
  return state?.hasUnreadableGuard === true ? undefined : state?.onMaxVisits?.text;
}

/** A line of `--format jsonl`, described by `schema/run-record.schema.json`. */
type RunRecord = StartRecord | TransitionRecord | EndRecord;

export interface StartRecord {
  readonly record: "start";
  readonly schemaVersion: 1;
  readonly pack: { readonly id?: string; readonly version?: string };
  /** Absent if the run starts at the workflow's own entry. */
  readonly agent?: string;
  /** Absent if there is none, or it was ignored. */
  readonly budget?: { readonly maxTotalVisits: number };
  readonly state: string;
}

/** A state was entered; `artifacts` are the values at that point (RFC 0009, capture). */
export interface TransitionRecord {
  readonly record: "transition";
  readonly step: number;
  readonly from: string;
  readonly event: string;
  readonly to: string;
  /** States at max_visits that redirected the run. */
  readonly forced?: readonly string[];
  /** Visits of `to` so far, including this one. */
  readonly visit: number;
  readonly total: number;
  readonly artifacts: ArtifactValues;
}

export interface EndRecord {
  readonly record: "end";
  readonly status: RunStatus;
  readonly state: string;
  readonly steps: number;
  readonly total: number;
  /** The event that entered no state and ended the run. */
  readonly event?: string;
  readonly target?: string;
  readonly forced?: readonly string[];
  readonly artifacts: ArtifactValues;
}

export function recordLine(record: RunRecord): string {
  return formatJson(recordJson(record), 0);
}

export function recordJson(record: RunRecord): object {
  return record.record === "start" ? record : { ...record, artifacts: Object.fromEntries(record.artifacts) };
}
