import type { Finding } from "../diagnostic.js";
import type { MachineState } from "../machine/machine.js";
import {
  checkBudgets,
  checkCaptures,
  checkTimes,
  checkVisitCounts,
  visitsBeforeHistory,
} from "./check-context.js";
import { checkEnd, checkStart } from "./check-start-and-end.js";
import type { RecordedMove, RecordedRun, Recording } from "./recording.js";
import { Replayer } from "./replayer.js";

/** A recorded run, and its deviations from the workflow. */
export class RunReplay extends Replayer {
  constructor(target: RecordedRun) {
    super(target);
    this.replay();
  }

  /** The differences between the record and its workflow that a rule reports. */
  findings(rule: string): readonly Finding[] {
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

  private replay(): void {
    const { recording, report, target, artifacts } = this;
    const { context, moves, start, end } = recording;
    const startsRight = checkStart(target, recording, report);
    // A history that begins in the wrong state lacks its start, unless the counts show that it is complete.
    const mayLackStart = !startsRight && context?.mayHaveMoreVisits === true;
    artifacts.isIgnored = context !== undefined && !checkCaptures(context, moves, report);
    artifacts.isKnown = startsWithoutArtifacts(recording, mayLackStart);
    const next = (moves.length > 0 ? moves[0]?.from : end?.state)?.text;
    const first = start?.state.text ?? next;
    if (context?.isHistoryTruncated === true) this.resume(first);
    else if (first !== undefined) {
      this.count(first, 1);
      const isOtherRoot = !startsRight && next !== undefined && this.isRoot(next);
      this.position = { name: first, expected: isOtherRoot ? next : undefined };
    }
    if (mayLackStart) this.loseCounts();
    for (const move of moves) this.replayMove(move);
    checkEnd(this);
    if (context !== undefined) {
      const { hasReliableCounts, run } = this;
      const visitsOf = ({ index }: MachineState) => (hasReliableCounts ? run.visits(index) : 0);
      if (!context.isHistoryTruncated)
        checkVisitCounts(this, context, visitsOf, (count, visits) => hasReliableCounts && count !== visits);
      checkTimes(context, moves, report);
    }
    checkBudgets(this);
  }

  /** The history begins in the middle of the run: the visit counts show what happened before. */
  private resume(name: string | undefined): void {
    const { context, moves } = this.recording;
    const before = context && visitsBeforeHistory(this, context, moves);
    for (const [state, entries] of before ?? []) this.run.count(state, entries);
    this.position = name === undefined ? undefined : { name };
    if (before === undefined) this.loseCounts();
    const guards =
      before === undefined ? " Without matching visit counts, guards are not checked either." : "";
    const message = `The history shows only the last ${moves.length} transitions: the start and what came before are not checked.${guards}`;
    if (context !== undefined) this.report.add("run-incomplete", context.historyAt, message);
  }
}

/** Whether no artifact was written before the first recorded values. */
function startsWithoutArtifacts({ context, moves, start }: Recording, mayLackStart: boolean): boolean {
  if (context === undefined) return start !== undefined;
  const { captures, isHistoryTruncated } = context;
  if (captures === undefined) return false;
  return captures.length < moves.length || !(isHistoryTruncated || mayLackStart);
}
