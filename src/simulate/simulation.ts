import type { Outcome } from "../machine/attempt.js";
import type { MachineState } from "../machine/machine.js";
import { Run, type RunStatus } from "../machine/run.js";
import { stepJson } from "../text/trace-json.js";
import { type ArtifactMode, type ArtifactValues, type Write, written } from "../machine/artifact-modes.js";
import { knownEventsOf } from "../machine/known-events.js";
import type { EndRecord, RunRecord, StartRecord, TransitionRecord } from "./run-record.js";
import { type Failure, failureOf, type SimulationOptions, startRecord } from "./simulation-records.js";

/** One move of a run: what the state wrote, and the event that followed. */
interface Move {
  readonly event: number;
  readonly writes: readonly Write[];
}

/** A run with its artifacts, written down as it goes. Steps are the machine's own. */
export class Simulation {
  readonly transitions: TransitionRecord[] = [];
  private run: Run;
  private moves: Move[] = [];
  private values: ArtifactValues = new Map();
  private writes: Write[] = [];
  private failed: Failure = {};

  constructor(readonly options: SimulationOptions) {
    this.run = this.begin();
  }

  get current(): MachineState {
    return this.run.current;
  }

  get status(): RunStatus {
    return this.run.status;
  }

  get total(): number {
    return this.run.total;
  }

  /** Visits that the budget still allows; nothing where there is none. */
  get budgetLeft(): number | undefined {
    const { maxTotalVisits } = this.options;
    return maxTotalVisits === undefined ? undefined : maxTotalVisits - this.run.total;
  }

  /** Artifact values as the current state found them. */
  get artifacts(): ArtifactValues {
    return this.values;
  }

  /** What the current state has written; it counts once the state is left. */
  get pending(): readonly Write[] {
    return this.writes;
  }

  get declared(): ReadonlyMap<string, ArtifactMode> {
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
  look(event: number): Outcome {
    return this.run.look(event);
  }

  /** What the last spent state that an event passes names in `on_max_visits`; nothing where it could not be read. */
  exitOf({ forced }: Outcome): string | undefined {
    const last = forced.at(-1);
    return last === undefined ? undefined : this.options.exitOf?.(last);
  }

  /** The `on_max_visits` that no run can go on from: it names no state, or one that came before. */
  get lastExit(): string | undefined {
    const last = this.status === "lost" || this.status === "stuck" ? this.moves.at(-1) : undefined;
    return last === undefined ? undefined : this.exitOf(this.look(last.event));
  }

  /** Fills an artifact, which the current state must declare. */
  set(name: string, value: string): void {
    if (!this.declared.has(name)) throw new RangeError(`"${this.current.name}" does not declare "${name}"`);
    this.writes.push({ name, value });
  }

  fire(event: number): void {
    this.move({ event, writes: this.writes });
  }

  /** Takes back the last move, to where its state had written and nothing had happened yet; false at the start. */
  back(): boolean {
    const moves = this.moves;
    const last = moves.pop();
    if (last === undefined) return false;
    this.moves = [];
    this.transitions.length = 0;
    this.values = new Map();
    this.failed = {};
    this.run = this.begin();
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
      ...this.failed,
      artifacts: this.values,
    };
  }

  private begin(): Run {
    return new Run(this.options.machine, this.options.root, this.options.maxTotalVisits);
  }

  private move(move: Move): void {
    const { run } = this;
    const edge = run.current.edges[move.event];
    if (edge === undefined) throw new RangeError(`"${run.current.name}" has no such event`);
    const { forced } = run.look(move.event);
    this.moves.push(move);
    this.values = written(this.values, move.writes, this.declared);
    this.writes = [];
    const step = run.fire(move.event);
    if (step === undefined) {
      this.failed = failureOf(this.options.machine, edge, run.status === "exhausted" ? [] : forced);
      return;
    }
    this.transitions.push({
      record: "transition",
      step: this.transitions.length + 1,
      ...stepJson(step),
      visit: run.visits(run.current.index),
      total: run.total,
      artifacts: this.values,
    });
  }
}
