import { type ChosenWalk, chooseWalk } from "../composition/choose-walk.js";
import type { Composition } from "../composition/composition.js";
import { stringOf } from "../document/node.js";
import {
  applyWrites,
  type ArtifactMode,
  type ArtifactModes,
  type ArtifactValues,
} from "../machine/artifact-values.js";
import { type Edge, knownEventsOf, type Machine } from "../machine/machine.js";
import { type Outcome, Run } from "../machine/run.js";
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
  readonly writes: Assignment[];
  readonly answers: Map<string, boolean>;
}

function newTurn(): Turn {
  return { writes: [], answers: new Map(), toolCalls: 0, seconds: 0 };
}

export interface CompositionVisit {
  readonly state: string;
  /** Visits of the state so far, including this one. */
  readonly visit: number;
  readonly walk: ChosenWalk;
}

/** A walk takes as long as the composition is, and a random run can make a million. */
const maxWalks = 1_000;

/** A recorded run with its artifacts. */
export class Simulation extends Run {
  readonly transitions: TransitionRecord[] = [];
  /** The values before the writes of the current state. */
  artifacts: ArtifactValues = new Map();
  private turn = newTurn();
  private readonly moves: { readonly event: number; readonly turn: Turn }[] = [];
  /** In the states that the run has left. */
  private spentBefore: Spending = newTurn();
  private readonly walksBefore: CompositionVisit[] = [];
  private failure: Failure = {};

  constructor(readonly setting: SimulationSetting) {
    super(setting.machine, setting.startState);
  }

  /** The visits left in the budget; undefined without one. */
  get budgetLeft(): number | undefined {
    const most = this.setting.budget?.maxTotalVisits?.value;
    return most === undefined ? undefined : most - this.totalVisits;
  }

  /** In the whole run, including the current state. */
  get spent(): Spending {
    return addSpending(this.spentBefore, this.turn);
  }

  /** The limit of the budget that allows no further event. */
  get usedUpLimit(): "max_tool_calls" | "max_wall_time_sec" | "max_total_visits" | undefined {
    const { maxToolCalls, maxWallTimeSec } = this.setting.budget ?? {};
    const { toolCalls, seconds } = this.spent;
    if (toolCalls > (maxToolCalls?.value ?? Infinity)) return "max_tool_calls";
    if (seconds > (maxWallTimeSec?.value ?? Infinity)) return "max_wall_time_sec";
    return this.budgetLeft === 0 ? "max_total_visits" : undefined;
  }

  /** Writes of the current state, which take effect when the run leaves it. */
  get pendingWrites(): readonly Assignment[] {
    return this.turn.writes;
  }

  get declaredArtifacts(): ReadonlyMap<string, ArtifactMode> {
    return this.setting.modes.of(this.current.index);
  }

  stateName(state: number): string {
    return this.machine.states[state]?.name ?? "";
  }

  /** Indexes into the edges of the current state, without those that could not be read. */
  get events(): readonly number[] {
    return knownEventsOf(this.current).numbers;
  }

  get eventsByName(): ReadonlyMap<string, number> {
    return knownEventsOf(this.current).byName;
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
    this.turn.writes.push({ name, value });
  }

  spend(spending: Spending): void {
    this.turn = { ...this.turn, ...addSpending(this.turn, spending) };
  }

  override fire(event: number): ReturnType<Run["fire"]> {
    const { turn, usedUpLimit } = this;
    const edge = this.current.edges[event];
    const { forced } = this.peek(event);
    const visited = this.currentVisit();
    this.moves.push({ event, turn });
    this.artifacts = applyWrites(this.artifacts, turn.writes, this.declaredArtifacts);
    if (usedUpLimit !== undefined) this.status = "budget-exhausted";
    const step = usedUpLimit === undefined ? super.fire(event) : undefined;
    if (step === undefined) {
      this.failure = {
        ...(edge && failureOf(this.machine, edge, usedUpLimit === undefined ? forced : [])),
        ...(this.status === "budget-exhausted" && { limit: usedUpLimit ?? "max_visits" }),
      };
      return undefined;
    }
    this.walksBefore.push(...visited);
    this.spentBefore = addSpending(this.spentBefore, turn);
    this.turn = newTurn();
    this.transitions.push({
      record: "transition",
      step: this.transitions.length + 1,
      ...stepJson(step),
      visit: this.visits(this.current.index),
      total: this.totalVisits,
      artifacts: this.artifacts,
    });
    return step;
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
    const { budget, agent, pack, startState } = this.setting;
    const [id, version] = ["id", "version"].map((name) => stringOf(pack.root.get(name)));
    const maxTotalVisits = budget?.maxTotalVisits?.value;
    return {
      record: "start" as const,
      schemaVersion: 1,
      pack: { ...(id !== undefined && { id }), ...(version !== undefined && { version }) },
      ...(agent !== undefined && { agent }),
      ...(maxTotalVisits !== undefined && { budget: { maxTotalVisits } }),
      state: this.stateName(startState),
    };
  }

  get end() {
    return {
      record: "end" as const,
      status: this.status,
      state: this.current.name,
      steps: this.transitions.length,
      total: this.totalVisits,
      ...this.failure,
      artifacts: this.output,
    };
  }

  /** What a state that ends the run writes is the workflow's output (RFC 0009, completion). */
  private get output(): ArtifactValues {
    return this.status === "complete"
      ? applyWrites(this.artifacts, this.turn.writes, this.declaredArtifacts)
      : this.artifacts;
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
  readonly limit?: "max_visits" | NonNullable<Simulation["usedUpLimit"]>;
}

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

/** A state was entered; `artifacts` are the values at that point (RFC 0009, capture). */
export interface TransitionRecord extends Omit<NonNullable<ReturnType<Run["fire"]>>, "at"> {
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
