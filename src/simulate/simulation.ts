import { type ChosenWalk, chooseWalk } from "../composition/choose-walk.js";
import type { Composition } from "../composition/composition.js";
import type { TraceStep } from "../diagnostic.js";
import { stringOf } from "../document/node.js";
import { applyWrites, type ArtifactValues } from "../machine/artifact-values.js";
import { knownEventsOf, type Machine } from "../machine/machine.js";
import { type Failure, RunState } from "../machine/run.js";
import type { Pack } from "../pack/pack.js";
import { type Budget, isHandover, type State, type Workflow } from "../pack/workflow.js";
import type { Runtime } from "../runtimes/runtime.js";
import { stepJson } from "../text/format-trace.js";
import type { Assignment, Spending } from "./event-list.js";

export interface SimulationSetting {
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly startState: number;
  /** Undefined if there is none, or it is ignored. */
  readonly budget: Budget | undefined;
  readonly agent?: string | undefined;
  readonly variables: readonly Assignment[];
  /** The one whose reading the machine has; undefined for that of the RFCs. */
  readonly runtime?: Runtime | undefined;
  readonly render: boolean;
}

/** Everything that happens in a state before its event; `answers` are by the ids of branches. */
class Turn {
  readonly artifacts: Assignment[] = [];
  toolCalls = 0;
  seconds = 0;

  constructor(readonly answers = new Map<string, boolean>()) {}
}

export interface CompositionVisit {
  readonly state: string;
  readonly visit: number;
  readonly walk: ChosenWalk;
}

/** A walk takes as long as the composition is, and a random run can make a million. */
const maxWalks = 1_000;

export class Simulation extends RunState {
  readonly transitions: TransitionRecord[] = [];
  /** Takes effect when the run leaves the current state. */
  turn = new Turn();
  private readonly moves: { readonly event: number; readonly turn: Turn }[] = [];
  private readonly walksBefore: CompositionVisit[] = [];

  constructor(readonly setting: SimulationSetting) {
    super(setting.machine, setting.budget);
    this.enter(setting.startState);
  }

  get currentState(): State | undefined {
    return this.setting.workflow.states[this.current.index];
  }

  /** The visits left in the budget; undefined without one. */
  get budgetLeft(): number | undefined {
    const most = this.setting.budget?.maxTotalVisits?.value;
    return most === undefined ? undefined : most - this.totalVisits;
  }

  /** In the whole run, including the current state. */
  get spent(): Spending {
    const { toolCalls, seconds } = this.turn;
    return { toolCalls: this.toolCalls + toolCalls, seconds: this.seconds + seconds };
  }

  /** Whether a conversation is opened in the current state, rather than a turn handed over to it. */
  get isOpened(): boolean {
    const from = this.transitions.filter(({ to }) => to !== null).at(-1)?.from;
    if (from === undefined || this.currentState === undefined) return true;
    return !isHandover(this.setting.workflow.stateNamed(from), this.currentState);
  }

  get isBudgetSpent(): boolean {
    return this.usedUpLimit(this.turn) !== undefined;
  }

  /** Whether the current state still runs its prompt: the run goes on, or it is complete. */
  get isAlive(): boolean {
    return this.status === "running" || this.status === "complete";
  }

  /** Indexes into the edges of the current state, without those that could not be read. */
  get events(): readonly number[] {
    return knownEventsOf(this.current).numbers;
  }

  /** The composition that the current state runs; undefined if a part of it could not be read. */
  private get composition(): Composition | undefined {
    const composition = this.currentState?.composition;
    return composition?.isClear === true ? composition : undefined;
  }

  /** Walks through the composition in this visit; a branch without an answer is answered yes. */
  get walk(): ChosenWalk | undefined {
    const { composition, turn } = this;
    return composition && chooseWalk(composition, ({ id }) => turn.answers.get(id.text) ?? true);
  }

  /** The visits of states that run a composition, the current one included, without those after the first thousand. */
  get walks(): readonly CompositionVisit[] {
    const walk = this.walksBefore.length < maxWalks ? this.walk : undefined;
    if (walk === undefined) return this.walksBefore;
    const { name, index } = this.current;
    return [...this.walksBefore, { state: name, visit: this.visits(index), walk }];
  }

  /** Answers the branches that are asked in this visit and have no answer yet. */
  answerOthers(choose: (branch: string) => boolean | undefined): void {
    const { composition } = this;
    const { answers } = this.turn;
    if (composition === undefined || this.walksBefore.length >= maxWalks) return;
    chooseWalk(composition, ({ id: { text } }) => {
      const isYes = answers.get(text) ?? choose(text);
      if (isYes !== undefined) answers.set(text, isYes);
      return isYes ?? true;
    });
  }

  setArtifact(name: string, value: string): void {
    if (!this.declaredArtifacts.has(name))
      throw new RangeError(`"${this.current.name}" does not declare "${name}"`);
    this.turn.artifacts.push({ name, value });
  }

  spend({ toolCalls, seconds }: Spending): void {
    this.turn.toolCalls += toolCalls;
    this.turn.seconds += seconds;
  }

  fire(event: number): void {
    const { turn, walks } = this;
    this.moves.push({ event, turn });
    const step = this.advance(event, turn);
    const { to } = step;
    this.turn = new Turn(to === null ? turn.answers : undefined);
    if (to === null && step.end !== "refused") return;
    if (to !== null) this.walksBefore.push(...walks.slice(this.walksBefore.length));
    this.transitions.push({
      record: "transition",
      step: this.transitions.length + 1,
      ...stepJson(step),
      visit: this.visits(this.current.index),
      total: this.totalVisits,
      artifacts: this.artifacts,
    });
  }

  /** The run without its last event, and what its state did before it, except for the answers; undefined at the start. */
  undone(): Simulation | undefined {
    const last = this.moves.at(-1);
    if (last === undefined) return undefined;
    const earlier = new Simulation(this.setting);
    for (const { event, turn } of this.moves.slice(0, -1)) {
      earlier.turn = turn;
      earlier.fire(event);
    }
    earlier.turn = { ...last.turn, answers: new Map() };
    return earlier;
  }

  get start() {
    const { budget, agent, pack } = this.setting;
    const [id, version] = ["id", "version"].map((name) => stringOf(pack.root.get(name)));
    const maxTotalVisits = budget?.maxTotalVisits?.value;
    return {
      record: "start" as const,
      schemaVersion: 1,
      pack: { id, version },
      agent,
      budget: maxTotalVisits === undefined ? undefined : { maxTotalVisits },
      state: this.machine.states[this.setting.startState]?.name ?? "",
    };
  }

  get end() {
    const { status, limit = "max_visits" } = this;
    const { exit: _, ...failed }: Partial<Failure> = this.failure ?? {};
    const output = status === "complete" ? this.turn.artifacts : [];
    return {
      record: "end" as const,
      status,
      state: this.current.name,
      steps: this.transitions.length,
      total: this.totalVisits,
      ...failed,
      ...(status === "budget-exhausted" && { limit }),
      // The writes of a state that ends the run are the workflow's output (RFC 0009, completion).
      artifacts: applyWrites(this.artifacts, output, this.declaredArtifacts),
    };
  }
}

/** A state was entered, or the runtime refused the event; `artifacts` are the values at that point (RFC 0009, capture). */
export interface TransitionRecord extends Omit<TraceStep, "at"> {
  readonly record: "transition";
  readonly step: number;
  /** Visits of the current state so far, including this one. */
  readonly visit: number;
  readonly total: number;
  readonly artifacts: ArtifactValues;
}

/** A line of `--format jsonl`, described by `schema/run-record.schema.json`. */
export function recordJson(record: Simulation["start"] | TransitionRecord | Simulation["end"]): object {
  return record.record === "start" ? record : { ...record, artifacts: Object.fromEntries(record.artifacts) };
}
