import { isReadable } from "../pack/workflow.js";
import type { LocatedCount, LocatedString, Node } from "../document/node.js";
import { type Edge, knownEventsOf, type Machine, type MachineState } from "../machine/machine.js";
import { AttemptCache, enteredOutcome, type Outcome } from "../machine/run.js";
import { pluralize } from "../text/wording.js";
import type { RecordedMove, RecordedRun, Recording } from "./recording.js";
import type { RunReport } from "./run-report.js";
import { ArtifactTracker, VisitTracker } from "./run-trackers.js";

/** Replays a record move by move on the machine. After a deviation it goes on from what was recorded. */
export class Replayer {
  readonly visits: VisitTracker;
  readonly artifacts: ArtifactTracker;
  /** The outcome of each correct move, as far as the counts are reliable. */
  readonly outcomes = new Map<Node, Outcome>();
  /** The outcome of the event that ended the run without entering a state, if it is correct. */
  endOutcome: Outcome | undefined;
  private position: RunPosition | undefined;
  private hasLostCounts: boolean;
  private isOverBudget = false;
  /** Valid because only the last entry is ever corrected, before the next attempt: no count goes down in between. */
  private readonly attempts: AttemptCache;
  private readonly unclear: ReadonlySet<number>;

  constructor(
    readonly target: RecordedRun,
    recording: Recording,
    readonly report: RunReport,
    artifactsStartEmpty: boolean,
  ) {
    this.visits = new VisitTracker(report);
    this.attempts = new AttemptCache(target.machine, (state) => this.visits.visits(state));
    const unclear = target.workflow.states.filter((state) => !isReadable(state));
    this.unclear = new Set(unclear.map(({ index }) => index));
    this.artifacts = new ArtifactTracker(target.pack, target.workflow, report, artifactsStartEmpty);
    this.hasLostCounts = recording.hasUnreadableStart;
  }

  stateNamed(name: string | undefined): MachineState | undefined {
    if (name === undefined) return undefined;
    const state = this.target.workflow.stateNamed(name);
    return state === undefined ? undefined : this.target.machine.states[state.index];
  }

  get current(): MachineState | undefined {
    return this.stateNamed(this.position?.name);
  }

  /** False once something is missing, or has an unknown name, so that the counts may be wrong. */
  get hasReliableCounts(): boolean {
    return !this.hasLostCounts && this.visits.ofUnknownStates === 0;
  }

  loseCounts(): void {
    this.hasLostCounts = true;
  }

  /** Starts the run; `expected` is the state in which it may really have started. */
  begin(name: string, expected: string | undefined): void {
    this.visits.add(this.stateNamed(name)?.index, 1);
    this.position = { name, expected };
  }

  /** Continues a run whose beginning is not recorded. */
  resume(name: string | undefined): void {
    this.position = name === undefined ? undefined : { name, expected: undefined };
  }

  replayTransition(move: RecordedMove): void {
    const { from, event, to } = move;
    if (from === undefined || event === undefined || to === undefined) return this.replayUnreadable(move);
    const compares = this.hasReliableCounts;
    if (this.visits.isOutOfStep(move)) this.loseCounts();
    if (!this.isIn(from.text)) return this.crossGap(move, from, to);
    const left = this.stateNamed(from.text);
    const check = left && this.checkTransition(left, event, to, move);
    this.enter(to, check?.expected);
    if (compares && check?.hasDeviation === false) this.visits.compare(move, this.current);
    this.artifacts.compareOnLeaving(move, left && this.target.workflow.states[left.index]);
  }

  /** Whether the run is in this state, which may be the expected one instead of the recorded one. */
  isIn(name: string): boolean {
    if (this.position === undefined || this.position.name === name) return true;
    const { name: entered, expected } = this.position;
    if (expected !== name) return false;
    const state = this.stateNamed(name);
    if (state !== undefined) this.visits.correct(this.stateNamed(entered)?.index, state.index);
    this.position = { name, expected: undefined };
    return true;
  }

  get stateName(): string | undefined {
    return this.position?.name;
  }

  edgeOf(state: MachineState, event: string): Edge | undefined {
    const number = knownEventsOf(state).byName.get(event);
    return number === undefined ? undefined : state.edges[number];
  }

  outcomeOf(edge: Edge): Outcome {
    return this.attempts.attempt(edge.target);
  }

  /** Whether the outcome depends on a part of the pack that could not be read. */
  isUnclear(edge: Edge, outcome: Outcome): boolean {
    if (edge.transition !== undefined && edge.transition.target === undefined) return true;
    return this.unclear.size > 0 && [edge.target, ...outcome.forced].some((state) => this.unclear.has(state));
  }

  private replayUnreadable(move: RecordedMove): void {
    this.loseCounts();
    this.resume(move.to?.text);
    this.artifacts.compareOnLeaving(move, undefined);
  }

  /** The move leaves a state that the run is not in. */
  private crossGap(move: RecordedMove, from: LocatedString, to: LocatedString): void {
    if (this.stateNamed(from.text) === undefined) this.report.unknownState(from);
    else {
      const message = `This transition leaves "${from.text}", but the run was in "${this.position?.name ?? ""}": transitions are missing or out of order.`;
      this.report.add("run-gap", from, message);
    }
    this.loseCounts();
    this.enter(to, undefined);
    this.artifacts.compareOnLeaving(move, undefined);
  }

  private checkTransition(
    left: MachineState,
    event: LocatedString,
    to: LocatedString,
    move: RecordedMove,
  ): TransitionCheck {
    if (left.ends) {
      this.report.eventAfterEnd(event, left);
      return { hasDeviation: true };
    }
    const edge = this.edgeOf(left, event.text);
    if (edge === undefined) {
      if (!this.hasUnclearPart(left.index)) this.report.unknownEvent(event, left);
      return { hasDeviation: true };
    }
    this.checkBudget(event, move);
    const outcome = this.outcomeOf(edge);
    const entered = this.stateNamed(to.text);
    if (entered === undefined) {
      this.report.unknownState(to);
      return { hasDeviation: true, expected: this.nameOf(outcome) };
    }
    if (this.isUnclear(edge, outcome)) return { hasDeviation: false };
    const arrival = { left, edge, to, entered, move };
    const isCounted = this.hasReliableCounts;
    const isRight = isCounted ? this.checkArrival(arrival, outcome) : this.checkArrivalWithoutCounts(arrival);
    if (!isRight) return { hasDeviation: true, expected: this.nameOf(outcome) };
    if (isCounted) this.outcomes.set(move.node, outcome);
    return { hasDeviation: false };
  }

  /** Compares a transition with that of the machine. */
  private checkArrival({ left, edge, to, entered, move }: Arrival, outcome: Outcome): boolean {
    if (outcome.kind === "entered" && outcome.state === entered.index)
      return this.checkForcedStates(move, outcome);
    const { states } = this.target.machine;
    const place = outcome.forced.indexOf(entered.index);
    if (place >= 0) {
      const by = states[outcome.forced[place - 1] ?? -1]?.name;
      this.report.spentState(to, entered, this.visits.visits(entered.index) + 1, by, outcome);
      return false;
    }
    this.report.wrongState(to, left, edge, outcome);
    return false;
  }

  /** The same without visits: any guard on the way may be spent or not. */
  private checkArrivalWithoutCounts({ left, edge, to, entered, move }: Arrival): boolean {
    const { states } = this.target.machine;
    const target = states[edge.target];
    const passed = new Set<number>();
    for (let state = target; state !== undefined && !passed.has(state.index);) {
      if (state === entered)
        return this.checkForcedStates(move, enteredOutcome(states, edge.target, entered.index));
      if (state.maxVisits === undefined || state.forcedExit === undefined) break;
      passed.add(state.index);
      state = states[state.forcedExit];
    }
    const outcome: Outcome =
      target === undefined
        ? { kind: "dangling", forced: [] }
        : { kind: "entered", state: target.index, forced: [] };
    this.report.wrongState(to, left, edge, outcome);
    return false;
  }

  private checkForcedStates({ forced, forcedAt }: RecordedMove, outcome: Outcome): boolean {
    const recorded = forced?.map(({ text }) => text);
    if (recorded === undefined || matchesForcedStates(this.target.machine, outcome.forced, recorded))
      return true;
    this.report.wrongForcedStates(forcedAt, recorded, outcome);
    return false;
  }

  get isBudgetSpent(): boolean {
    return this.spentBudget(undefined) !== undefined;
  }

  /** Reports only the first visit past the budget. */
  private checkBudget(event: LocatedString, move: RecordedMove): void {
    const allowed = this.spentBudget(move);
    if (allowed === undefined || this.isOverBudget) return;
    this.isOverBudget = true;
    const limit = `${pluralize(allowed.value, "visit")}${this.report.inPack(allowed)}`;
    this.report.add("run-budget", event, `The budget allows ${limit}, but this event would need another.`);
  }

  private spentBudget(move: RecordedMove | undefined): LocatedCount | undefined {
    const { checksBudget, workflow } = this.target;
    const allowed = checksBudget ? workflow.budget?.maxTotalVisits : undefined;
    return allowed !== undefined && this.totalAfter(move) > allowed.value ? allowed : undefined;
  }

  /** The visits after a move. Without reliable counts it uses the recorded number. */
  private totalAfter(move: RecordedMove | undefined): number {
    return this.hasReliableCounts ? this.visits.total + 1 : (move?.total?.value ?? 0);
  }

  private enter(to: LocatedString, expected: string | undefined): void {
    this.visits.enter(this.stateNamed(to.text)?.index);
    this.position = { name: to.text, expected };
  }

  private nameOf(outcome: Outcome): string | undefined {
    return outcome.kind === "entered" ? this.target.machine.states[outcome.state]?.name : undefined;
  }

  hasUnclearPart(state: number): boolean {
    return this.unclear.has(state);
  }
}

/** The state that was entered last according to the record and to the machine. */
interface RunPosition {
  readonly name: string;
  readonly expected: string | undefined;
}

/** `expected` is the state that should have been entered. */
interface TransitionCheck {
  readonly hasDeviation: boolean;
  readonly expected?: string | undefined;
}

interface Arrival {
  readonly left: MachineState;
  readonly edge: Edge;
  readonly to: LocatedString;
  readonly entered: MachineState;
  readonly move: RecordedMove;
}

export function matchesForcedStates(
  { states }: Machine,
  passed: readonly number[],
  names: readonly string[],
): boolean {
  return (
    passed.length === names.length && passed.every((state, index) => states[state]?.name === names[index])
  );
}
