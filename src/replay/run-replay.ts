import { addTo } from "../maps/add-to.js";
import { asMapping, type Whole } from "../document/spelled-values.js";
import { checkCaptures, checkVisitCounts, entriesBefore } from "./check-context.js";
import { checkEnd } from "./check-end.js";
import { checkStart } from "./check-start.js";
import { checkTimes } from "./check-times.js";
import type { BudgetLimit, Deviation, DeviationKind, DeviationOf } from "./deviation.js";
import { readContext } from "./read-context.js";
import { readTransitions } from "./read-transitions.js";
import type { ContextParts, RecordedMove, Recording } from "./recording.js";
import type { RecordedRun } from "./recorded-run.js";
import { Replaying } from "./replaying.js";

/** A record, and where it parts from what its workflow does. */
export class RunReplay {
  readonly recording: Recording;
  private readonly isRoot: (name: string) => boolean;
  private readonly byKind = new Map<DeviationKind, Deviation[]>();
  private walked: Replaying | undefined;

  constructor(readonly ground: RecordedRun) {
    const { workflow, machine, kind, document } = ground;
    this.isRoot = (name) => {
      const state = workflow.stateNamed(name);
      return state !== undefined && machine.roots.includes(state.index);
    };
    const context = kind === "context" ? asMapping(document.root) : undefined;
    this.recording = context === undefined ? readTransitions(document) : readContext(context, this.isRoot);
  }

  deviations<K extends DeviationKind>(kind: K): readonly DeviationOf<K>[] {
    this.walked ??= this.walk();
    return (this.byKind.get(kind) ?? []).filter((each): each is DeviationOf<K> => each.kind === kind);
  }

  /** The spent states on the way of a move, as the record tells; a context never does, but the machine. */
  forcedOn({ forced, node }: RecordedMove): readonly string[] {
    if (forced !== undefined) return forced.map(({ text }) => text);
    if (this.recording.context === undefined) return [];
    this.walked ??= this.walk();
    const passed = this.walked.arrivals.get(node)?.forced ?? [];
    return passed.map((state) => this.ground.machine.states[state]?.name ?? "");
  }

  private walk(): Replaying {
    const { ground } = this;
    const { context, moves, start, end } = this.recording;
    const note = (deviation: Deviation): void => this.add(deviation);
    const startsRight = checkStart(ground, this.recording, note);
    const isCaptured = context === undefined || checkCaptures(context, moves, note);
    const recording = isCaptured ? this.recording : withoutArtifacts(this.recording);
    // A history that begins in the wrong state has lost what came before, unless the counts say that it is whole.
    const mayLackStart = !startsRight && context?.mayHaveMore === true;
    const replaying = new Replaying(ground, recording, note, startsEmpty(recording, mayLackStart));
    const next = (moves.length > 0 ? moves[0]?.from : end?.state)?.text;
    const first = start?.state.text ?? next;
    const meant = !startsRight && next !== undefined && this.isRoot(next) ? next : undefined;
    if (context?.isCut === true) this.resume(replaying, context, first);
    else if (first !== undefined) replaying.begin(first, meant);
    if (mayLackStart) replaying.isSure = false;
    for (const move of recording.moves) replaying.meet(move);
    checkEnd(replaying, recording);
    if (context?.isCut === false) checkVisitCounts(replaying, context);
    if (context !== undefined) checkTimes(ground, context, moves, note);
    this.measure();
    return replaying;
  }

  /** The history begins in the middle: what visit counts show beyond it happened before. */
  private resume(replaying: Replaying, context: ContextParts, first: string | undefined): void {
    const before = entriesBefore(replaying, context, this.recording);
    for (const [state, entries] of before ?? []) replaying.visits.begin(state, entries);
    replaying.resume(first);
    if (before === undefined) replaying.isSure = false;
    const shown = this.recording.moves.length;
    this.add({ kind: "cut", at: context.historyAt, shown, hasCounts: before !== undefined });
  }

  /** Budgets that the record cannot be held to, or is not within. */
  private measure(): void {
    const { at, context, moves } = this.recording;
    const budget = this.ground.budget ? this.ground.workflow.budget : undefined;
    const unmeasured = (limit: BudgetLimit, allowed: Whole | undefined): void => {
      if (allowed !== undefined) this.add({ kind: "unmeasured", at, limit, allowed });
    };
    const calls = context?.toolCalls;
    if (calls === undefined) unmeasured("max_tool_calls", budget?.maxToolCalls);
    else if (budget?.maxToolCalls !== undefined && calls.value > budget.maxToolCalls.value) {
      const { maxToolCalls: allowed } = budget;
      this.add({ kind: "budget", at: calls, limit: "max_tool_calls", used: calls.value, allowed });
    }
    const isTimed = moves.length === 0 || moves.at(-1)?.time !== undefined;
    const isOver = this.byKind.get("budget")?.some(isOverTime) === true;
    if (context?.startedAt === undefined || (!isTimed && !isOver))
      unmeasured("max_wall_time_sec", budget?.maxWallTimeSec);
  }

  private add(deviation: Deviation): void {
    addTo(this.byKind, deviation.kind, deviation);
  }
}

/** Whether no artifact was filled before the first one that is shown. */
function startsEmpty({ context, moves, start }: Recording, mayLackStart: boolean): boolean {
  if (context === undefined) return start !== undefined;
  const { captures, isCut } = context;
  if (captures === undefined) return false;
  return captures.length < moves.length || !(isCut || mayLackStart);
}

function withoutArtifacts(recording: Recording): Recording {
  const { moves, end } = recording;
  return {
    ...recording,
    moves: moves.map((move) => ({ ...move, artifacts: undefined })),
    end: end && { ...end, artifacts: undefined },
  };
}

function isOverTime(deviation: Deviation): boolean {
  return deviation.kind === "budget" && deviation.limit === "max_wall_time_sec";
}
