import type { Finding } from "../diagnostic.js";
import { asMapping, type LocatedCount } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import type { Outcome } from "../machine/run.js";
import { lazy } from "../text/collections.js";
import { pluralize } from "../text/wording.js";
import {
  checkCaptures,
  checkTimes,
  checkVisitCounts,
  checkWallTime,
  visitsBeforeHistory,
} from "./check-context.js";
import { checkEnd, checkStart } from "./check-start-and-end.js";
import {
  type ContextFields,
  readTransitionRecords,
  readWorkflowContext,
  type RecordedMove,
  type RecordedRun,
  type Recording,
} from "./recording.js";
import { Replayer } from "./replayer.js";
import { RunReport } from "./run-report.js";

/** A recorded run, and its deviations from the workflow. */
export class RunReplay {
  readonly recording: Recording;
  private readonly isRoot: (name: string) => boolean;
  private readonly report: RunReport;
  private readonly replayer = lazy(() => this.replay());

  constructor(readonly target: RecordedRun) {
    const { workflow, machine, kind, document } = target;
    this.report = new RunReport(target);
    this.isRoot = (name) => {
      const state = workflow.stateNamed(name);
      return state !== undefined && machine.roots.includes(state.index);
    };
    const context = kind === "context" ? asMapping(document.root) : undefined;
    this.recording =
      context === undefined ? readTransitionRecords(document) : readWorkflowContext(context, this.isRoot);
  }

  /** The differences between the record and its workflow that a rule reports. */
  findings(rule: string): readonly Finding[] {
    this.replayer();
    return this.report.findingsOf(rule);
  }

  /** The spent states on the way of a move. A context does not record them, so they come from the machine. */
  forcedStatesOf(move: RecordedMove): readonly string[] {
    const { forced } = move;
    if (forced !== undefined) return forced.map(({ text }) => text);
    if (this.recording.context === undefined) return [];
    const passed = this.outcomeOf(move)?.forced ?? [];
    return passed.map((state) => this.target.machine.states[state]?.name ?? "");
  }

  /** What came of a move; undefined where it does not fit the workflow, or nobody knows whether it does. */
  outcomeOf({ node }: RecordedMove): Outcome | undefined {
    return this.replayer().outcomes.get(node);
  }

  /** The same for the event that ended the run without entering a state. */
  get endOutcome(): Outcome | undefined {
    return this.replayer().endOutcome;
  }

  private replay(): Replayer {
    const { target, report } = this;
    const { context, moves, start, end } = this.recording;
    const startsRight = checkStart(target, this.recording, report);
    const isCaptured = context === undefined || checkCaptures(context, moves, report);
    const recording = isCaptured ? this.recording : withoutArtifacts(this.recording);
    // A history that begins in the wrong state lacks its start, unless the counts show that it is complete.
    const mayLackStart = !startsRight && context?.mayHaveMoreVisits === true;
    const replayer = new Replayer(target, recording, report, startsWithoutArtifacts(recording, mayLackStart));
    const next = (moves.length > 0 ? moves[0]?.from : end?.state)?.text;
    const first = start?.state.text ?? next;
    const expected = !startsRight && next !== undefined && this.isRoot(next) ? next : undefined;
    if (context?.isHistoryTruncated === true) this.resume(replayer, context, first);
    else if (first !== undefined) replayer.begin(first, expected);
    if (mayLackStart) replayer.loseCounts();
    for (const move of recording.moves) replayer.replayTransition(move);
    checkEnd(replayer, recording);
    if (context?.visitCounts !== undefined && !context.isHistoryTruncated) {
      const { hasReliableCounts, visits } = replayer;
      const visitsOf = ({ index }: MachineState) => (hasReliableCounts ? visits.visits(index) : 0);
      const isWrong = (count: number, actual: number) => hasReliableCounts && count !== actual;
      checkVisitCounts(replayer, context.visitCounts, visitsOf, isWrong);
    }
    if (context !== undefined) checkTimes(context, moves, report);
    this.checkOtherBudgets();
    return replayer;
  }

  /** The history begins in the middle of the run: the visit counts show what happened before. */
  private resume(replayer: Replayer, context: ContextFields, first: string | undefined): void {
    const { moves } = this.recording;
    const { visitCounts } = context;
    const before = visitCounts && visitsBeforeHistory(replayer, visitCounts, moves);
    for (const [state, entries] of before ?? []) replayer.visits.add(state, entries);
    replayer.resume(first);
    if (before === undefined) replayer.loseCounts();
    const shown = moves.length;
    const guards =
      before === undefined ? " Without matching visit counts, guards are not checked either." : "";
    const message = `The history shows only the last ${shown} transitions: the start and what came before are not checked.${guards}`;
    this.report.add("run-incomplete", context.historyAt, message);
  }

  /** Checks tool calls and wall time, and reports where the record does not measure them. */
  private checkOtherBudgets(): void {
    const { context, moves } = this.recording;
    const { report } = this;
    const budget = this.target.checksBudget ? this.target.workflow.budget : undefined;
    const { maxToolCalls: allowed, maxWallTimeSec } = budget ?? {};
    const calls = context?.toolCalls;
    if (allowed !== undefined && calls === undefined)
      this.reportUnmeasured("counts no tool calls", "max_tool_calls", allowed);
    else if (allowed !== undefined && calls !== undefined && calls.value > allowed.value) {
      const message = `The run made ${pluralize(calls.value, "tool call")}, but the budget allows ${allowed.value}${report.inPack(allowed)}.`;
      report.add("run-budget", calls, message);
    }
    if (maxWallTimeSec !== undefined && !checkWallTime(context?.startedAt, moves, maxWallTimeSec, report))
      this.reportUnmeasured("does not say how long the run took", "max_wall_time_sec", maxWallTimeSec);
  }

  private reportUnmeasured(lack: string, limit: string, { value }: LocatedCount): void {
    const message = `The record ${lack}, so ${limit} (${value}) is not checked.`;
    this.report.add("run-incomplete", this.recording.at, message);
  }
}

/** Whether no artifact was written before the first recorded values. */
function startsWithoutArtifacts({ context, moves, start }: Recording, mayLackStart: boolean): boolean {
  if (context === undefined) return start !== undefined;
  const { captures, isHistoryTruncated } = context;
  if (captures === undefined) return false;
  return captures.length < moves.length || !(isHistoryTruncated || mayLackStart);
}

function withoutArtifacts(recording: Recording): Recording {
  const { moves, end } = recording;
  return {
    ...recording,
    moves: moves.map((move) => ({ ...move, artifacts: undefined })),
    end: end && { ...end, artifacts: undefined },
  };
}
