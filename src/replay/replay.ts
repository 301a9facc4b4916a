import type { Finding } from "../diagnostic.js";
import { asMapping, type LocatedCount, type LocatedString } from "../document/node.js";
import { type Edge, knownEventsOf, type MachineState } from "../machine/machine.js";
import { isRefused, type Outcome, RunState } from "../machine/run.js";
import { isReadable, type Workflow } from "../pack/workflow.js";
import { cached } from "../text/collections.js";
import { pluralize } from "../text/wording.js";
import { ArtifactTracker } from "./artifact-tracker.js";
import {
  readTransitionRecords,
  readWorkflowContext,
  type RecordedMove,
  type RecordedRun,
  type Recording,
} from "./recording.js";
import { RunReport } from "./run-report.js";

/** Thousands of runs of a log share a workflow. */
const unreadableStates = cached(
  ({ states }: Workflow): ReadonlySet<number> =>
    new Set(states.flatMap((state) => (isReadable(state) ? [] : state.index))),
);

/** Replays a record move by move on the machine. After a deviation it goes on from what was recorded. */
export class Replay {
  readonly recording: Recording;
  readonly report: RunReport;
  /** Counts the visits that the record shows. */
  readonly run: RunState;
  readonly artifacts: ArtifactTracker;
  steps = 0;
  /** The outcome of the event that ended the run without entering a state, if it is correct. */
  endOutcome: Outcome | undefined;
  /** The outcome of each correct move, as far as the counts are reliable. */
  readonly outcomes = new Map<RecordedMove, Outcome>();
  /** The state that was entered last according to the record and, if it differs, to the machine. */
  position: { readonly name: string; readonly expected?: string | undefined } | undefined;
  /** Whether something is missing, so that the counts may be wrong. */
  hasLostCounts: boolean;
  /** The states with a part that could not be read. */
  readonly unclear: ReadonlySet<number>;
  /** Undefined if there is no limit, or it is not checked. */
  private readonly allowedVisits: LocatedCount | undefined;
  private hasWrongCount = false;
  private isOverBudget = false;
  private entriesOfUnknownStates = 0;

  /** The runs of a log have their recordings already, and one report. */
  constructor(
    readonly target: RecordedRun,
    logged?: { readonly recording: Recording; readonly report: RunReport },
  ) {
    const { workflow, machine, kind, document, checksBudget } = target;
    const context = kind === "context" ? asMapping(document.root) : undefined;
    this.report = logged?.report ?? new RunReport(target);
    this.recording =
      logged?.recording ??
      (context === undefined ? readTransitionRecords(document) : readWorkflowContext(context, this.isRoot));
    this.allowedVisits = checksBudget ? workflow.budget?.maxTotalVisits : undefined;
    this.run = new RunState(machine, { maxTotalVisits: this.allowedVisits });
    this.artifacts = new ArtifactTracker(target, this.report);
    this.unclear = unreadableStates(workflow);
    this.hasLostCounts = this.recording.hasUnreadableStart;
  }

  findings(rule: string): readonly Finding[] {
    return this.report.findings.get(rule) ?? [];
  }

  readonly stateNamed = (name: string | undefined): MachineState | undefined => {
    const state = name === undefined ? undefined : this.target.workflow.stateNamed(name);
    return state && this.target.machine.states[state.index];
  };

  get hasReliableCounts(): boolean {
    return !this.hasLostCounts && this.entriesOfUnknownStates === 0;
  }

  /** Whether the run is in this state, which may be the expected one instead of the recorded one. */
  isIn(name: string): boolean {
    if (this.position === undefined || this.position.name === name) return true;
    const { name: entered, expected } = this.position;
    if (expected !== name) return false;
    // Counts may go down: no attempt has been made since the entry that is corrected.
    this.count(entered, -1);
    this.count(name, 1);
    this.position = { name };
    return true;
  }

  edgeOf(state: MachineState, event: string): Edge | undefined {
    return state.edges[knownEventsOf(state).byName.get(event) ?? -1];
  }

  /** Whether the outcome depends on a part of the pack that could not be read. */
  isUnclear(edge: Edge, outcome: Outcome): boolean {
    if (edge.transition !== undefined && edge.transition.target === undefined) return true;
    return this.unclear.size > 0 && [edge.target, ...outcome.forced].some((state) => this.unclear.has(state));
  }

  /** The budget that allows no further visit. Without reliable counts, the recorded number of visits decides. */
  spentBudget(recordedTotal = 0): LocatedCount | undefined {
    const isSpent = this.hasReliableCounts
      ? this.run.usedUpLimit() !== undefined
      : recordedTotal > (this.allowedVisits?.value ?? Infinity);
    return isSpent ? this.allowedVisits : undefined;
  }

  readonly isRoot = (name: string): boolean =>
    this.target.machine.roots.includes(this.stateNamed(name)?.index ?? -1);

  count(name: string, entries: number): void {
    const state = this.stateNamed(name)?.index;
    this.run.count(state, entries);
    if (state === undefined) this.entriesOfUnknownStates += entries;
  }

  private enter({ text: name }: LocatedString, expected?: string): void {
    this.steps++;
    this.count(name, 1);
    this.position = { name, expected };
  }

  replayMove(move: RecordedMove): void {
    const { from, event, to, step, refusal } = move;
    if (from !== undefined && event !== undefined && refusal !== undefined)
      return this.replayRefusal(from, event, refusal, move);
    if (from === undefined || event === undefined || to === undefined) {
      this.hasLostCounts = true;
      this.position = to && { name: to.text };
      return this.artifacts.compareOnLeaving(move, undefined);
    }
    const compares = this.hasReliableCounts;
    // Moves are missing or repeated.
    if (step !== undefined && step.value !== this.steps + 1) this.hasLostCounts = true;
    const left = this.stateNamed(from.text);
    if (!this.isIn(from.text)) {
      const message = `This transition leaves "${from.text}", but the run was in "${this.position?.name ?? ""}": transitions are missing or out of order.`;
      if (left === undefined) this.report.unknownState(from);
      else this.report.add("run-gap", from, message);
      this.hasLostCounts = true;
      this.enter(to);
      return this.artifacts.compareOnLeaving(move, undefined);
    }
    const outcome = left && this.checkMove(left, event, to, move);
    this.enter(to, outcome?.kind === "entered" ? this.report.nameOf(outcome.state) : undefined);
    if (compares && left !== undefined && outcome === undefined) this.compareCounts(move);
    this.artifacts.compareOnLeaving(move, left && this.target.workflow.states[left.index]);
  }

  /** An event that the runtime refused is a line of the record, but no state is entered. */
  private replayRefusal(
    from: LocatedString,
    event: LocatedString,
    refusal: LocatedString,
    move: RecordedMove,
  ): void {
    const left = this.stateNamed(from.text);
    const edge = left && this.edgeOf(left, event.text);
    this.steps++;
    if (left === undefined) return this.report.unknownState(from);
    if (!this.isIn(from.text)) {
      const message = `This event happens in "${from.text}", but the run was in "${this.position?.name ?? ""}": transitions are missing or out of order.`;
      this.hasLostCounts = true;
      return this.report.add("run-gap", from, message);
    }
    if (left.ends) return this.report.eventAfterEnd(event, left);
    if (edge === undefined) return this.report.unknownEvent(event, left);
    const outcome = this.run.attempt(edge.target);
    if (this.isUnclear(edge, outcome) || !this.hasReliableCounts) return;
    if (isRefused(this.target.machine, outcome, left, (target) => this.run.attempt(target))) {
      this.outcomes.set(move, outcome);
      return this.compareCounts(move);
    }
    this.report.wrongRefusal(refusal, left, edge, outcome);
  }

  /** Reports how a move deviates, and returns what should have come of it, undefined if it is right. */
  private checkMove(
    left: MachineState,
    event: LocatedString,
    to: LocatedString,
    move: RecordedMove,
  ): Outcome | undefined {
    const { report, hasReliableCounts } = this;
    const edge = left.ends ? undefined : this.edgeOf(left, event.text);
    if (edge === undefined) {
      if (left.ends) report.eventAfterEnd(event, left);
      else if (!this.unclear.has(left.index)) report.unknownEvent(event, left);
      return noOutcome;
    }
    this.checkBudget(event, move);
    const outcome = this.run.attempt(edge.target);
    const entered = this.stateNamed(to.text);
    if (entered === undefined) {
      report.unknownState(to);
      return outcome;
    }
    if (this.isUnclear(edge, outcome)) return undefined;
    const possible = hasReliableCounts ? outcome : this.outcomeWithoutCounts(edge, entered);
    if (possible.kind === "entered" && possible.state === entered.index) {
      if (!report.checkForcedStates(move.forced, move.forcedAt, possible)) return outcome;
      if (hasReliableCounts) this.outcomes.set(move, outcome);
      return undefined;
    }
    const place = hasReliableCounts ? outcome.forced.indexOf(entered.index) : -1;
    if (place < 0) report.wrongState(to, left, edge, possible);
    else
      report.spentState(to, entered, this.run.visits(entered.index) + 1, outcome.forced[place - 1], outcome);
    return outcome;
  }

  /** The outcome if visits are unknown: any guard on the way may be spent or not. */
  private outcomeWithoutCounts({ target }: Edge, entered: MachineState): Outcome {
    const { states, reading } = this.target.machine;
    const forced = new Set<number>();
    for (let state = states[target]; state !== undefined && !forced.has(state.index);) {
      if (state === entered) return { kind: "entered", state: state.index, forced: [...forced] };
      if (state.maxVisits === undefined || state.forcedExit === undefined) break;
      if (forced.size > 0 && reading.forcedExits === "entered") break;
      forced.add(state.index);
      state = states[state.forcedExit];
    }
    return states[target] === undefined ? noOutcome : { kind: "entered", state: target, forced: [] };
  }

  private checkBudget(event: LocatedString, { total }: RecordedMove): void {
    const allowed = this.spentBudget(total?.value);
    if (allowed === undefined || this.isOverBudget) return;
    this.isOverBudget = true;
    const limit = `${pluralize(allowed.value, "visit")}${this.report.inPack(allowed)}`;
    this.report.add("run-budget", event, `The budget allows ${limit}, but this event would need another.`);
  }

  private compareCounts({ step, visit, total }: RecordedMove): void {
    const entered = this.stateNamed(this.position?.name);
    if (this.hasWrongCount || entered === undefined) return;
    const { report, steps, run } = this;
    const visits = run.visits(entered.index);
    const stepText = (step: number) => `The record calls this step ${step}, but it is step ${steps}.`;
    const visitText = (visit: number) =>
      `The record calls this visit ${visit} of "${entered.name}", but it is visit ${visits}.`;
    this.hasWrongCount =
      report.compare("run-counts", step, steps, stepText) ||
      report.compareTotal(total, run.totalVisits) ||
      report.compare("run-counts", visit, visits, visitText);
  }
}

const noOutcome: Outcome = { kind: "dangling", forced: [] };
