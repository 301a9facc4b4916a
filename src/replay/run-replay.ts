import { asMapping, type LocatedCount } from "../document/node.js";
import { appendTo } from "../text/collections.js";
import { checkCaptures, checkTimes, checkVisitCounts, visitsBeforeHistory } from "./check-context.js";
import { checkEnd, checkStart } from "./check-start-and-end.js";
import type { BudgetLimit, Deviation, DeviationKind, DeviationOf } from "./deviation.js";
import { readTransitionRecords, readWorkflowContext } from "./read-recording.js";
import type { ContextFields, RecordedMove, RecordedRun, Recording } from "./recording.js";
import { Replayer } from "./replayer.js";

/** A recorded run, and its deviations from the workflow. */
export class RunReplay {
  readonly recording: Recording;
  private readonly isRoot: (name: string) => boolean;
  private readonly byKind = new Map<DeviationKind, Deviation[]>();
  private replayer: Replayer | undefined;

  constructor(readonly target: RecordedRun) {
    const { workflow, machine, kind, document } = target;
    this.isRoot = (name) => {
      const state = workflow.stateNamed(name);
      return state !== undefined && machine.roots.includes(state.index);
    };
    const context = kind === "context" ? asMapping(document.root) : undefined;
    this.recording =
      context === undefined ? readTransitionRecords(document) : readWorkflowContext(context, this.isRoot);
  }

  deviations<K extends DeviationKind>(kind: K): readonly DeviationOf<K>[] {
    this.replayer ??= this.replay();
    return (this.byKind.get(kind) ?? []).filter((each): each is DeviationOf<K> => each.kind === kind);
  }

  /** The spent states on the way of a move. A context does not record them, so they come from the machine. */
  forcedStatesOf({ forced, node }: RecordedMove): readonly string[] {
    if (forced !== undefined) return forced.map(({ text }) => text);
    if (this.recording.context === undefined) return [];
    this.replayer ??= this.replay();
    const passed = this.replayer.outcomes.get(node)?.forced ?? [];
    return passed.map((state) => this.target.machine.states[state]?.name ?? "");
  }

  private replay(): Replayer {
    const { target } = this;
    const { context, moves, start, end } = this.recording;
    const report = (deviation: Deviation): void => this.add(deviation);
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
    if (mayLackStart) replayer.hasReliableCounts = false;
    for (const move of recording.moves) replayer.replayTransition(move);
    checkEnd(replayer, recording);
    if (context?.isHistoryTruncated === false) checkVisitCounts(replayer, context);
    if (context !== undefined) checkTimes(target, context, moves, report);
    this.checkOtherBudgets();
    return replayer;
  }

  /** The history begins in the middle of the run: the visit counts show what happened before. */
  private resume(replayer: Replayer, context: ContextFields, first: string | undefined): void {
    const before = visitsBeforeHistory(replayer, context, this.recording);
    for (const [state, entries] of before ?? []) replayer.visits.begin(state, entries);
    replayer.resume(first);
    if (before === undefined) replayer.hasReliableCounts = false;
    const shown = this.recording.moves.length;
    this.add({ kind: "cut", at: context.historyAt, shown, hasCounts: before !== undefined });
  }

  /** Checks tool calls and wall time, and reports where the record does not measure them. */
  private checkOtherBudgets(): void {
    const { at, context, moves } = this.recording;
    const budget = this.target.checksBudget ? this.target.workflow.budget : undefined;
    const reportUnmeasured = (limit: BudgetLimit, count: LocatedCount | undefined): void => {
      if (count !== undefined) this.add({ kind: "unmeasured", at, limit, allowed: count });
    };
    const calls = context?.toolCalls;
    const allowed = budget?.maxToolCalls;
    if (calls === undefined) reportUnmeasured("max_tool_calls", allowed);
    else if (allowed !== undefined && calls.value > allowed.value)
      this.add({ kind: "budget", at: calls, limit: "max_tool_calls", used: calls.value, allowed });
    const isTimed = moves.length === 0 || moves.at(-1)?.time !== undefined;
    const isOver = this.byKind
      .get("budget")
      ?.some((each) => each.kind === "budget" && each.limit === "max_wall_time_sec");
    if (context?.startedAt === undefined || (!isTimed && isOver !== true))
      reportUnmeasured("max_wall_time_sec", budget?.maxWallTimeSec);
  }

  private add(deviation: Deviation): void {
    appendTo(this.byKind, deviation.kind, deviation);
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
