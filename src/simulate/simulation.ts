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

/** One move of a run: what the state wrote, and the event that followed. */
interface Move {
  readonly event: number;
  readonly writes: readonly ArtifactWrite[];
}

/** A run with its artifacts, written down as it goes. Steps are the machine's own. */
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

  /** Visits that the budget still allows; nothing where there is none. */
  get budgetLeft(): number | undefined {
    const { maxTotalVisits } = this.options;
    return maxTotalVisits === undefined ? undefined : maxTotalVisits - this.run.totalVisits;
  }

  /** Artifact values as the current state found them. */
  get artifacts(): ArtifactValues {
    return this.values;
  }

  /** What the current state has written; it counts once the state is left. */
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

  /** The events that can come next, as the state numbers them. A part that could not be read has none. */
  get events(): readonly number[] {
    return knownEventsOf(this.current).numbers;
  }

  eventNamed(name: string): number | undefined {
    return knownEventsOf(this.current).byName.get(name);
  }

  eventNames(): readonly string[] {
    return [...knownEventsOf(this.current).byName.keys()];
  }

  /** What an event would do. */
  preview(event: number): Outcome {
    return this.run.peek(event);
  }

  /** What the last spent state that an event passes names in `on_max_visits`; nothing where it could not be read. */
  forcedExitTarget({ forced }: Outcome): string | undefined {
    const last = forced.at(-1);
    return last === undefined ? undefined : this.options.forcedExitTarget?.(last);
  }

  /** The `on_max_visits` that no run can go on from: it names no state, or one that came before. */
  get lastForcedExitTarget(): string | undefined {
    const last = this.status === "lost" || this.status === "stuck" ? this.moves.at(-1) : undefined;
    return last === undefined ? undefined : this.forcedExitTarget(this.preview(last.event));
  }

  /** Fills an artifact, which the current state must declare. */
  setArtifact(name: string, value: string): void {
    if (!this.declaredArtifacts.has(name))
      throw new RangeError(`"${this.current.name}" does not declare "${name}"`);
    this.writes.push({ name, value });
  }

  fire(event: number): void {
    this.move({ event, writes: this.writes });
  }

  /** Takes back the last move, to where its state had written and nothing had happened yet; false at the start. */
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
    return startRecord(this.options);
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
  /** The state in which the run starts. */
  readonly startState: number;
  /** `engine.budget.max_total_visits`; absent where there is none, or it is set aside. */
  readonly maxTotalVisits?: number | undefined;
  /** The artifacts that a state declares, with how they are updated. */
  readonly declaredBy: (state: number) => ReadonlyMap<string, ArtifactMode>;
  /** What `on_max_visits` of a state names; nothing where its guard could not be read. */
  readonly forcedExitTarget?: (state: number) => string | undefined;
  readonly pack?: StartRecord["pack"];
  readonly agent?: string | undefined;
}

function startRecord({ maxTotalVisits, agent, pack, machine, startState }: SimulationOptions): StartRecord {
  return {
    record: "start",
    schemaVersion: 1,
    pack: pack ?? {},
    ...(agent !== undefined && { agent }),
    ...(maxTotalVisits !== undefined && { budget: { maxTotalVisits } }),
    state: machine.states[startState]?.name ?? "",
  };
}

/** What an end tells of the event that entered no state. */
export type Failure = Pick<EndRecord, "event" | "target" | "forced">;

export function failureOf({ states }: Machine, edge: Edge, forced: readonly number[]): Failure {
  const target = edge.transition?.target?.text ?? states[edge.target]?.name;
  return {
    event: edge.event,
    ...(target !== undefined && { target }),
    ...(forced.length > 0 && { forced: forced.map((state) => states[state]?.name ?? "") }),
  };
}

/** What `on_max_visits` of a state names; nothing where its guard could not be read. */
export function forcedExitTargetOf(state: State | undefined): string | undefined {
  return state?.isUnclear === true ? undefined : state?.onMaxVisits?.text;
}

/**
 * A run as it is kept: a start, its transitions, its end. `--format jsonl` writes one of them per line, and
 * `schema/run-record.schema.json` describes them.
 */
type RunRecord = StartRecord | TransitionRecord | EndRecord;

export interface StartRecord {
  readonly record: "start";
  readonly schemaVersion: 1;
  readonly pack: { readonly id?: string; readonly version?: string };
  /** The agent that enters the workflow; absent when the run starts at its entry. */
  readonly agent?: string;
  /** The budget the run was held to; absent where there is none, or it was set aside. */
  readonly budget?: { readonly maxTotalVisits: number };
  readonly state: string;
}

/** A state was entered. Artifacts are as they stood then (RFC 0009, capture). */
export interface TransitionRecord {
  readonly record: "transition";
  /** Counted from 1. */
  readonly step: number;
  readonly from: string;
  readonly event: string;
  readonly to: string;
  /** The spent states on the way, in order. */
  readonly forced?: readonly string[];
  /** How often `to` has been entered, this time included. */
  readonly visit: number;
  /** Entries of all states so far. */
  readonly total: number;
  readonly artifacts: ArtifactValues;
}

export interface EndRecord {
  readonly record: "end";
  readonly status: RunStatus;
  readonly state: string;
  readonly steps: number;
  readonly total: number;
  /** The event that entered no state and so ended the run. */
  readonly event?: string;
  /** What that event attempted, as written. */
  readonly target?: string;
  readonly forced?: readonly string[];
  readonly artifacts: ArtifactValues;
}

/** The record as one line of JSON. */
export function recordLine(record: RunRecord): string {
  return formatJson(recordJson(record), 0);
}

/** The record as plain data. */
export function recordJson(record: RunRecord): object {
  return record.record === "start" ? record : { ...record, artifacts: Object.fromEntries(record.artifacts) };
}
