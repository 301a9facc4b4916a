import { type ChosenWalk, chooseWalk } from "../composition/choose-walk.js";
import type { Composition } from "../composition/composition.js";
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

/** The part of the budget that a state uses up. */
export interface Spending {
  readonly toolCalls: number;
  readonly seconds: number;
}

/** An event, and what the state wrote, used up and answered before it. */
interface Move extends Spending {
  readonly event: number;
  readonly writes: readonly ArtifactWrite[];
  readonly answers: Answers;
}

/** The chosen answers to branches of a composition, by their ids. */
type Answers = ReadonlyMap<string, boolean>;

/** The walk through the composition of a state in one visit. */
export interface CompositionVisit {
  readonly state: string;
  /** Visits of the state so far, including this one. */
  readonly visit: number;
  readonly walk: ChosenWalk;
}

/** A walk takes as long as the composition is, and a random run can make a million. */
const maxWalks = 1_000;

/** A recorded run with its artifacts. */
export class Simulation {
  readonly transitions: TransitionRecord[] = [];
  private run: Run;
  private moves: Move[] = [];
  private values: ArtifactValues = new Map();
  private writes: ArtifactWrite[] = [];
  /** In the states that the run has left. */
  private spentBefore: Spending = nothingSpent;
  private spending: Spending = nothingSpent;
  private failure: Failure = {};
  private answers: Map<string, boolean> = new Map();
  /** In the states that the run has left. */
  private readonly walksBefore: CompositionVisit[] = [];

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
    const { maxTotalVisits } = this.options.budget;
    return maxTotalVisits === undefined ? undefined : maxTotalVisits - this.run.totalVisits;
  }

  /** In the whole run, including the current state. */
  get spent(): Spending {
    return addSpending(this.spentBefore, this.spending);
  }

  /** The limit of the budget that allows no further event. */
  get usedUpLimit(): keyof SimulatedBudget | undefined {
    const { maxToolCalls = Infinity, maxWallTimeSec = Infinity } = this.options.budget;
    const { toolCalls, seconds } = this.spent;
    if (toolCalls > maxToolCalls) return "maxToolCalls";
    if (seconds > maxWallTimeSec) return "maxWallTimeSec";
    return this.budgetLeft === 0 ? "maxTotalVisits" : undefined;
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

  /** The composition that the current state runs. */
  get composition(): Composition | undefined {
    return this.options.compositionOf(this.current.index);
  }

  /** Walks through the composition in this visit; a branch without an answer is answered yes. */
  get walk(): ChosenWalk | undefined {
    const { composition, answers } = this;
    return composition && chooseWalk(composition, ({ id }) => answers.get(id.text) ?? true);
  }

  /** The visits of states that run a composition, the current one included, without those after the first thousand. */
  get walks(): readonly CompositionVisit[] {
    return [...this.walksBefore, ...this.currentVisit()];
  }

  isAnswered(branch: string): boolean {
    return this.answers.has(branch);
  }

  answer(branch: string, isYes: boolean): void {
    this.answers.set(branch, isYes);
  }

  /** Answers the branches that are asked in this visit and have no answer yet. */
  answerOthers(choose: (branch: string) => boolean | undefined): void {
    if (this.composition === undefined || this.walksBefore.length >= maxWalks) return;
    chooseWalk(this.composition, ({ id: { text } }) => {
      const isYes = this.answers.get(text) ?? choose(text);
      if (isYes !== undefined) this.answers.set(text, isYes);
      return isYes ?? true;
    });
  }

  setArtifact(name: string, value: string): void {
    if (!this.declaredArtifacts.has(name))
      throw new RangeError(`"${this.current.name}" does not declare "${name}"`);
    this.writes.push({ name, value });
  }

  spend(spending: Spending): void {
    this.spending = addSpending(this.spending, spending);
  }

  fire(event: number): void {
    this.move({ event, writes: this.writes, answers: this.answers, ...this.spending });
  }

  /** Takes back the last event, and the answers, but not what else the state did before it; false at the start of the run. */
  undo(): boolean {
    const moves = this.moves;
    const last = moves.pop();
    if (last === undefined) return false;
    this.moves = [];
    this.transitions.length = 0;
    this.walksBefore.length = 0;
    this.values = new Map();
    this.spentBefore = nothingSpent;
    this.failure = {};
    this.run = this.newRun();
    for (const move of moves) {
      this.answers = new Map(move.answers);
      this.move(move);
    }
    this.answers = new Map();
    this.writes = [...last.writes];
    this.spending = { toolCalls: last.toolCalls, seconds: last.seconds };
    return true;
  }

  *records(): Generator<RunRecord> {
    yield this.start;
    yield* this.transitions;
    yield this.end;
  }

  get start(): StartRecord {
    const { budget, agent, pack, startState } = this.options;
    const { maxTotalVisits } = budget;
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
      artifacts: this.output,
    };
  }

  /** What a state that ends the run writes is the workflow's output (RFC 0009, completion). */
  private get output(): ArtifactValues {
    return this.status === "complete"
      ? applyWrites(this.values, this.writes, this.declaredArtifacts)
      : this.values;
  }

  private newRun(): Run {
    return new Run(this.options.machine, this.options.startState);
  }

  private currentVisit(): readonly CompositionVisit[] {
    const walk = this.walksBefore.length < maxWalks ? this.walk : undefined;
    const { name, index } = this.current;
    return walk === undefined ? [] : [{ state: name, visit: this.visits(index), walk }];
  }

  private move(move: Move): void {
    const { run } = this;
    const edge = run.current.edges[move.event];
    if (edge === undefined) throw new RangeError(`"${run.current.name}" has no such event`);
    const { forced } = run.peek(move.event);
    this.spentBefore = addSpending(this.spentBefore, move);
    this.spending = nothingSpent;
    this.moves.push(move);
    const { usedUpLimit } = this;
    const visited = this.currentVisit();
    this.values = applyWrites(this.values, move.writes, this.declaredArtifacts);
    this.writes = [];
    if (usedUpLimit !== undefined) run.status = "budget-exhausted";
    const step = usedUpLimit === undefined ? run.fire(move.event) : undefined;
    if (step === undefined) {
      const limit = usedUpLimit === undefined ? "max_visits" : budgetFields[usedUpLimit];
      this.failure = {
        ...failureOf(this.options.machine, edge, usedUpLimit === undefined ? forced : []),
        ...(run.status === "budget-exhausted" && { limit }),
      };
      return;
    }
    this.walksBefore.push(...visited);
    this.answers = new Map();
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

const nothingSpent: Spending = { toolCalls: 0, seconds: 0 };

function addSpending(a: Spending, b: Spending): Spending {
  return { toolCalls: a.toolCalls + b.toolCalls, seconds: a.seconds + b.seconds };
}

/** `engine.budget`; a limit is undefined if there is none, or it is ignored. */
export interface SimulatedBudget {
  /** Entries of all states, including the start. */
  readonly maxTotalVisits?: number | undefined;
  readonly maxToolCalls?: number | undefined;
  readonly maxWallTimeSec?: number | undefined;
}

const budgetFields = {
  maxTotalVisits: "max_total_visits",
  maxToolCalls: "max_tool_calls",
  maxWallTimeSec: "max_wall_time_sec",
} as const;

export interface SimulationOptions {
  readonly machine: Machine;
  readonly startState: number;
  readonly budget: SimulatedBudget;
  readonly declaredBy: (state: number) => ReadonlyMap<string, ArtifactMode>;
  readonly forcedExitTarget: (state: number) => string | undefined;
  /** The composition that a state runs, if it could be read. */
  readonly compositionOf: (state: number) => Composition | undefined;
  readonly pack: StartRecord["pack"];
  readonly agent?: string | undefined;
}

/** The event that entered no state. */
export type Failure = Pick<EndRecord, "event" | "target" | "forced" | "limit">;

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

/** The composition that a state runs; undefined if a part of it could not be read. */
export function readableComposition(state: State | undefined): Composition | undefined {
  return state?.composition?.isClear === true ? state.composition : undefined;
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
  /** The limit that ended the run, if it is budget-exhausted. */
  readonly limit?: "max_visits" | (typeof budgetFields)[keyof SimulatedBudget];
  readonly artifacts: ArtifactValues;
}

export function recordLine(record: RunRecord): string {
  return formatJson(recordJson(record), 0);
}

export function recordJson(record: RunRecord): object {
  return record.record === "start" ? record : { ...record, artifacts: Object.fromEntries(record.artifacts) };
}
