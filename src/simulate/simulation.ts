import { type ChosenWalk, chooseWalk } from "../composition/choose-walk.js";
import type { Composition } from "../composition/composition.js";
import type { TraceStep } from "../diagnostic.js";
import { stringOf } from "../document/node.js";
import {
  applyWrites,
  type ArtifactMode,
  type ArtifactModes,
  type ArtifactValues,
} from "../machine/artifact-values.js";
import { knownEventsOf, type Machine } from "../machine/machine.js";
import { type BudgetLimit, type Outcome, RunState } from "../machine/run.js";
import type { Pack } from "../pack/pack.js";
import type { Budget, State, Workflow } from "../pack/workflow.js";
import { stepJson } from "../text/format-trace.js";
import type { Assignment, Spending } from "./event-list.js";

/** The pack, and the flags of the command. */
export interface SimulationSetting {
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly modes: ArtifactModes;
  readonly startState: number;
  /** Undefined if there is none, or it is ignored. */
  readonly budget: Budget | undefined;
  readonly agent?: string | undefined;
  readonly variables: readonly Assignment[];
  readonly render: boolean;
}

/** What a state writes, uses up and answers before its event; answers by the ids of branches. */
interface Turn extends Spending {
  readonly artifacts: readonly Assignment[];
  readonly answers: Map<string, boolean>;
}

function newTurn(answers = new Map<string, boolean>()): Turn {
  return { artifacts: [], answers, toolCalls: 0, seconds: 0 };
}

export interface CompositionVisit {
  readonly state: string;
  /** Visits of the state so far, including this one. */
  readonly visit: number;
  readonly walk: ChosenWalk;
}

/** A walk takes as long as the composition is, and a random run can make a million. */
const maxWalks = 1_000;

/** A run with its record, and what the current state does before the next event. */
export class Simulation extends RunState {
  readonly transitions: TransitionRecord[] = [];
  private turn = newTurn();
  private readonly moves: { readonly event: number; readonly turn: Turn }[] = [];
  private readonly walksBefore: CompositionVisit[] = [];
  private failure: Failure = {};

  constructor(readonly setting: SimulationSetting) {
    super(setting.machine, setting);
    this.enter(setting.startState);
  }

  /** The visits left in the budget; undefined without one. */
  get budgetLeft(): number | undefined {
    const most = this.setting.budget?.maxTotalVisits?.value;
    return most === undefined ? undefined : most - this.totalVisits;
  }

  /** In the whole run, including the current state. */
  get spent(): Spending {
    return addSpending(this, this.turn);
  }

  get isBudgetSpent(): boolean {
    return this.usedUpLimit(this.turn) !== undefined;
  }

  /** Writes of the current state, which take effect when the run leaves it. */
  get pendingWrites(): readonly Assignment[] {
    return this.turn.artifacts;
  }

  get declaredArtifacts(): ReadonlyMap<string, ArtifactMode> {
    return this.setting.modes.of(this.current.index);
  }

  /** Indexes into the edges of the current state, without those that could not be read. */
  get events(): readonly number[] {
    return knownEventsOf(this.current).numbers;
  }

  /** The `on_max_visits` of the last spent state on the path of an event. */
  forcedExitTarget({ forced }: Outcome): string | undefined {
    return forcedExitTargetOf(this.setting.workflow.states[forced.at(-1) ?? -1]);
  }

  /** The `on_max_visits` at which the run failed, because it names no state or one that was tried before. */
  get lastForcedExitTarget(): string | undefined {
    const last = this.status === "lost" || this.status === "stuck" ? this.moves.at(-1) : undefined;
    return last && this.forcedExitTarget(this.peek(last.event));
  }

  /** The composition that the current state runs; undefined if a part of it could not be read. */
  private get composition(): Composition | undefined {
    const composition = this.setting.workflow.states[this.current.index]?.composition;
    return composition?.isClear === true ? composition : undefined;
  }

  /** Walks through the composition in this visit; a branch without an answer is answered yes. */
  get walk(): ChosenWalk | undefined {
    const { composition, turn } = this;
    return composition && chooseWalk(composition, ({ id }) => turn.answers.get(id.text) ?? true);
  }

  /** The visits of states that run a composition, the current one included, without those after the first thousand. */
  get walks(): readonly CompositionVisit[] {
    return [...this.walksBefore, ...this.currentVisit()];
  }

  isAnswered(branch: string): boolean {
    return this.turn.answers.has(branch);
  }

  answer(branch: string, isYes: boolean): void {
    this.turn.answers.set(branch, isYes);
  }

  /** Answers the branches that are asked in this visit and have no answer yet. */
  answerOthers(choose: (branch: string) => boolean | undefined): void {
    const { composition } = this;
    if (composition === undefined || this.walksBefore.length >= maxWalks) return;
    chooseWalk(composition, ({ id: { text } }) => {
      const isYes = this.turn.answers.get(text) ?? choose(text);
      if (isYes !== undefined) this.answer(text, isYes);
      return isYes ?? true;
    });
  }

  setArtifact(name: string, value: string): void {
    if (!this.declaredArtifacts.has(name))
      throw new RangeError(`"${this.current.name}" does not declare "${name}"`);
    this.turn = { ...this.turn, artifacts: [...this.turn.artifacts, { name, value }] };
  }

  spend(spending: Spending): void {
    this.turn = { ...this.turn, ...addSpending(this.turn, spending) };
  }

  fire(event: number): void {
    const { turn } = this;
    const visited = this.currentVisit();
    const target = this.current.edges[event]?.transition?.target?.text;
    this.moves.push({ event, turn });
    const step = this.advance(event, turn);
    if (!isEntering(step)) {
      const { status, limit = "max_visits" } = this;
      this.turn = newTurn(turn.answers);
      this.failure = { ...failureOf(step, target), ...(status === "budget-exhausted" && { limit }) };
      return;
    }
    this.turn = newTurn();
    this.walksBefore.push(...visited);
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
      pack: { ...(id !== undefined && { id }), ...(version !== undefined && { version }) },
      ...(agent !== undefined && { agent }),
      ...(maxTotalVisits !== undefined && { budget: { maxTotalVisits } }),
      state: this.machine.states[this.setting.startState]?.name ?? "",
    };
  }

  get end() {
    const { status, artifacts } = this;
    const output = status === "complete" ? this.turn.artifacts : [];
    return {
      record: "end" as const,
      status,
      state: this.current.name,
      steps: this.transitions.length,
      total: this.totalVisits,
      ...this.failure,
      // What a state that ends the run writes is the workflow's output (RFC 0009, completion).
      artifacts: applyWrites(artifacts, output, this.declaredArtifacts),
    };
  }

  private currentVisit(): readonly CompositionVisit[] {
    const walk = this.walksBefore.length < maxWalks ? this.walk : undefined;
    const { name, index } = this.current;
    return walk === undefined ? [] : [{ state: name, visit: this.visits(index), walk }];
  }
}

function addSpending(a: Spending, b: Spending): Spending {
  return { toolCalls: a.toolCalls + b.toolCalls, seconds: a.seconds + b.seconds };
}

/** The event that entered no state and ended the run, and the limit if it is budget-exhausted. */
export interface Failure {
  readonly event?: string;
  readonly target?: string;
  readonly forced?: readonly string[];
  readonly limit?: "max_visits" | BudgetLimit;
}

/** `target` is the one in the pack; undefined if it could not be read. */
export function failureOf({ event, forced }: TraceStep, target: string | undefined): Failure {
  return { event, ...(target !== undefined && { target }), ...(forced !== undefined && { forced }) };
}

/** The `on_max_visits` of a state; undefined if its guard could not be read. */
export function forcedExitTargetOf(state: State | undefined): string | undefined {
  return state?.hasUnreadableGuard === true ? undefined : state?.onMaxVisits?.text;
}

interface EnteringStep extends TraceStep {
  readonly to: string;
}

function isEntering(step: TraceStep): step is EnteringStep {
  return step.to !== null;
}

/** A state was entered; `artifacts` are the values at that point (RFC 0009, capture). */
export interface TransitionRecord extends Omit<EnteringStep, "at"> {
  readonly record: "transition";
  readonly step: number;
  /** Visits of `to` so far, including this one. */
  readonly visit: number;
  readonly total: number;
  readonly artifacts: ArtifactValues;
}

/** A line of `--format jsonl`, described by `schema/run-record.schema.json`. */
export function recordJson(record: Simulation["start"] | TransitionRecord | Simulation["end"]): object {
  return record.record === "start" ? record : { ...record, artifacts: Object.fromEntries(record.artifacts) };
}
