import type { Outcome } from "../machine/attempt.js";
import type { MachineState } from "../machine/machine.js";
import { Run, type RunStatus } from "../machine/run.js";
import { stepJson } from "../text/trace-json.js";
import { type ArtifactMode, type ArtifactValues, type ArtifactWrite, applyWrites } from "../machine/artifact-modes.js";
import { knownEventsOf } from "../machine/known-events.js";
import type { EndRecord, RunRecord, StartRecord, TransitionRecord } from "./run-record.js";
import { type Failure, failureOf, type SimulationOptions, startRecord } from "./simulation-records.js";

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
    if (!this.declaredArtifacts.has(name)) throw new RangeError(`"${this.current.name}" does not declare "${name}"`);
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
