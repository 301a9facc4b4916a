import { asMapping, type LocatedCount } from "../document/node.js";
import { appendTo } from "../text/collections.js";
import { checkCaptures, checkTimes, checkVisitCounts, visitsBeforeHistory } from "./check-context.js";
import { checkEnd, checkStart } from "./check-start-and-end.js";
import type { BudgetLimit, Deviation, DeviationKind, DeviationOf } from "./deviation.js";
import { readTransitionRecords, readWorkflowContext } from "./read-recording.js";
import type { ContextFields, RecordedMove, RecordedRun, Recording } from "./recording.js";
import { Replayer } from "./replayer.js";

/** A record, and where it parts from what its workflow does. */
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

  /** The spent states on the way of a move, as the record tells; a context never does, but the machine. */
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
    const note = (deviation: Deviation): void => this.add(deviation);
    const startsRight = checkStart(target, this.recording, note);
    const isCaptured = context === undefined || checkCaptures(context, moves, note);
    const recording = isCaptured ? this.recording : withoutArtifacts(this.recording);
    // A history that begins in the wrong state has lost what came before, unless the counts say that it is whole.
    const mayLackStart = !startsRight && context?.mayHaveMoreVisits === true;
    const replaying = new Replayer(target, recording, note, startsWithoutArtifacts(recording, mayLackStart));
    const next = (moves.length > 0 ? moves[0]?.from : end?.state)?.text;
    const first = start?.state.text ?? next;
    const meant = !startsRight && next !== undefined && this.isRoot(next) ? next : undefined;
    if (context?.isHistoryTruncated === true) this.resume(replaying, context, first);
    else if (first !== undefined) replaying.begin(first, meant);
    if (mayLackStart) replaying.hasReliableCounts = false;
    for (const move of recording.moves) replaying.replayTransition(move);
    checkEnd(replaying, recording);
    if (context?.isHistoryTruncated === false) checkVisitCounts(replaying, context);
    if (context !== undefined) checkTimes(target, context, moves, note);
    this.checkOtherBudgets();
    return replaying;
  }

  /** The history begins in the middle: what visit counts show beyond it happened before. */
  private resume(replaying: Replayer, context: ContextFields, first: string | undefined): void {
    const before = visitsBeforeHistory(replaying, context, this.recording);
    for (const [state, entries] of before ?? []) replaying.visits.begin(state, entries);
    replaying.resume(first);
    if (before === undefined) replaying.hasReliableCounts = false;
    const shown = this.recording.moves.length;
    this.add({ kind: "cut", at: context.historyAt, shown, hasCounts: before !== undefined });
  }

  /** Budgets that the record cannot be held to, or is not within. */
  private checkOtherBudgets(): void {
    const { at, context, moves } = this.recording;
    const budget = this.target.checksBudget ? this.target.workflow.budget : undefined;
    const unmeasured = (limit: BudgetLimit, allowed: LocatedCount | undefined): void => {
      if (allowed !== undefined) this.add({ kind: "unmeasured", at, limit, allowed });
    };
    const calls = context?.toolCalls;
    if (calls === undefined) unmeasured("max_tool_calls", budget?.maxToolCalls);
    else if (budget?.maxToolCalls !== undefined && calls.value > budget.maxToolCalls.value) {
      const { maxToolCalls: allowed } = budget;
      this.add({ kind: "budget", at: calls, limit: "max_tool_calls", used: calls.value, allowed });
    }
    const isTimed = moves.length === 0 || moves.at(-1)?.time !== undefined;
    const isOver = this.byKind.get("budget")?.some(isWallTimeExceeded) === true;
    if (context?.startedAt === undefined || (!isTimed && !isOver))
      unmeasured("max_wall_time_sec", budget?.maxWallTimeSec);
  }

  private add(deviation: Deviation): void {
    appendTo(this.byKind, deviation.kind, deviation);
  }
}

/** Whether no artifact was filled before the first one that is shown. */
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

function isWallTimeExceeded(deviation: Deviation): boolean {
  return deviation.kind === "budget" && deviation.limit === "max_wall_time_sec";
}
