import type { Place } from "../diagnostic.js";
import { type LocatedString, placeOf } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import type { DeviationOf, ReportDeviation } from "./deviation.js";
import {
  type Capture,
  type ContextFields,
  readCount,
  type RecordedMove,
  type Recording,
  type ReplayTarget,
} from "./recording.js";
import type { Replayer } from "./replayer.js";

/**
 * Whether the captures of artifacts belong to the last transitions, one each: they begin when there is something to
 * capture, and then miss none.
 */
export function checkCaptures(
  { captures, isHistoryTruncated }: ContextFields,
  moves: readonly RecordedMove[],
  note: ReportDeviation,
): boolean {
  if (captures === undefined) return true;
  const ahead = captures.length - moves.length;
  for (let index = captures.length - 1; index >= Math.max(0, ahead); index--) {
    const [capture, move] = [captures[index], moves[index - ahead]];
    if (capture === undefined || move === undefined || isSameTransition(capture, move)) continue;
    note({
      kind: "capture",
      at: capturePlace(capture),
      said: describeTransition(capture),
      is: describeTransition(move),
    });
    return false;
  }
  const first = captures[0];
  if (ahead <= 0 || isHistoryTruncated || first === undefined) return true;
  note({ kind: "captures", at: capturePlace(first), captures: captures.length, moves: moves.length });
  return false;
}

/** The entries that visit counts show beyond the history; nothing where they do not go together. */
export function visitsBeforeHistory(
  replaying: Replayer,
  { visitCounts }: ContextFields,
  recording: Recording,
): ReadonlyMap<number, number> | undefined {
  if (visitCounts === undefined) return undefined;
  const { report } = replaying;
  const { moves } = recording;
  const first = moves[0]?.from?.text;
  const shown = new Map<string, number>();
  for (const name of [first, ...moves.map(({ to }) => to?.text)])
    if (name !== undefined) shown.set(name, (shown.get(name) ?? 0) + 1);
  const unseen: UnseenVisits[] = [];
  let isSound = true;
  for (const { key, value } of visitCounts.entries) {
    const count = readCount(value);
    const state = replaying.stateNamed(key.text);
    const seen = shown.get(key.text) ?? 0;
    shown.delete(key.text);
    if (state === undefined) report({ kind: "unknown-state", name: key });
    if (state === undefined || count === undefined) isSound = false;
    else if (count.value < seen) {
      isSound = false;
      reportCount(report, count, key.text, count.value, seen);
    } else unseen.push({ at: count, state, entries: count.value - seen, isFirst: key.text === first });
  }
  for (const [name, seen] of shown) {
    isSound = false;
    if (replaying.stateNamed(name) !== undefined) reportMissingCount(report, visitCounts.at, name, seen);
  }
  if (!isSound) return undefined;
  for (const each of unseen)
    if (!replaying.hasUnclearPart(each.state.index)) checkUnseenVisits(each, recording, report);
  return new Map(unseen.map((each) => [each.state.index, visitsBefore(each)]));
}

/** Entries of a state that are counted and not shown. */
interface UnseenVisits {
  readonly at: Place;
  readonly state: MachineState;
  readonly entries: number;
  /** The history begins in it: one more entry came before. */
  readonly isFirst: boolean;
}

function visitsBefore({ entries, isFirst }: UnseenVisits): number {
  return isFirst ? entries + 1 : entries;
}

/** What is wrong with entries wherever they happened: too many of them, or that the run went on from an end. */
function checkUnseenVisits(unseen: UnseenVisits, { moves, end }: Recording, note: ReportDeviation): void {
  const { at, state, entries } = unseen;
  const visits = visitsBefore(unseen);
  if (state.maxVisits !== undefined && visits > state.maxVisits) note({ kind: "unseen", at, state, visits });
  if (!state.ends || moves.some(({ to }) => to === undefined)) return;
  const mayBeLast = end?.state?.text === state.name && moves.at(-1)?.to?.text !== state.name;
  if (entries > (mayBeLast ? 1 : 0)) note({ kind: "after-end", at, state });
}

/** Compares the visit counts of a whole history. */
export function checkVisitCounts(replaying: Replayer, { visitCounts }: ContextFields): void {
  if (visitCounts === undefined) return;
  const { visits } = replaying;
  const counted = new Set<number>();
  for (const { key, value } of visitCounts.entries) {
    const state = replaying.stateNamed(key.text)?.index;
    const count = readCount(value);
    if (state === undefined) {
      replaying.report({ kind: "unknown-state", name: key });
      continue;
    }
    counted.add(state);
    const is = visits.visits(state);
    if (replaying.hasReliableCounts && count !== undefined && !visits.mayBeCorrect(count.value, is)) {
      reportCount(replaying.report, count, key.text, count.value, is);
    }
  }
  if (!replaying.hasReliableCounts) return;
  for (const { index, name } of replaying.target.machine.states) {
    const is = visits.visits(index);
    if (is > 0 && !counted.has(index)) reportMissingCount(replaying.report, visitCounts.at, name, is);
  }
}

function reportCount(note: ReportDeviation, at: Place, state: string, said: number, is: number): void {
  note({ kind: "count", at, what: "visit_counts", said, is, state });
}

function reportMissingCount(note: ReportDeviation, at: Place, state: string, is: number): void {
  note({ kind: "count", at, what: "left-out", said: 0, is, state });
}

function isSameTransition(capture: Capture, move: RecordedMove): boolean {
  return (["from", "event", "to"] as const).every((part) => {
    const [a, b] = [capture[part]?.text, move[part]?.text];
    return a === undefined || b === undefined || a === b;
  });
}

function capturePlace({ event, node }: Capture): Place {
  return event ?? placeOf(node);
}

function describeTransition({ from, event, to }: Pick<RecordedMove, "from" | "event" | "to">): string {
  return `"${from?.text ?? ""}" to "${to?.text ?? ""}" by "${event?.text ?? ""}"`;
}

/** Times of a context that run backwards, or past the budget. A time that is none is left out: the schema reports it. */
export function checkTimes(
  ground: ReplayTarget,
  context: ContextFields,
  moves: readonly RecordedMove[],
  note: ReportDeviation,
): void {
  const { startedAt, updatedAt, captures } = context;
  const told = new Map<LocatedString | undefined, string>();
  const last = checkAscending([startedAt, ...moves.map(({ time }) => time)], (slip) => {
    told.set(slip.time, instantPairKey(slip));
    note(slip);
  });
  // A start that is said too late was reported beside the moves.
  const isLate = moves.some(({ time }) => secondsOfTime(time) < secondsOfTime(startedAt));
  const start = isLate ? undefined : startedAt;
  const captured = (captures ?? []).map(({ time }) => time);
  // Captures are of the last transitions, and have their times: their slip is one.
  const moveOf = new Map(captured.map((time, index) => [time, moves.at(index - captured.length)?.time]));
  const lastCapture = checkAscending([start, ...captured], (slip) => {
    if (told.get(moveOf.get(slip.time)) !== instantPairKey(slip)) note(slip);
  });
  checkAscending([laterOf(last, lastCapture), updatedAt], note);
  if (ground.checksBudget) checkWallTime(ground, context, moves, note);
}

/** Returns the last of the times. After a slip it goes on from what is said. */
function checkAscending(
  times: readonly (LocatedString | undefined)[],
  note: (slip: TimeDeviation) => void,
): LocatedString | undefined {
  let before: LocatedString | undefined;
  for (const time of times) {
    if (time === undefined || parseTimestamp(time.text) === undefined) continue;
    if (before !== undefined && secondsOfTime(time) < secondsOfTime(before))
      note({ kind: "time", time, before });
    before = time;
  }
  return before;
}

type TimeDeviation = DeviationOf<"time">;

function instantPairKey({ before, time }: TimeDeviation): string {
  return `${secondsOfTime(before)} ${secondsOfTime(time)}`;
}

function laterOf(a: LocatedString | undefined, b: LocatedString | undefined): LocatedString | undefined {
  return a === undefined || secondsOfTime(b) > secondsOfTime(a) ? b : a;
}

function checkWallTime(
  { workflow }: ReplayTarget,
  { startedAt }: ContextFields,
  moves: readonly RecordedMove[],
  note: ReportDeviation,
): void {
  const allowed = workflow.budget?.maxWallTimeSec;
  if (allowed === undefined || startedAt === undefined) return;
  const late = moves.find(({ time }) => secondsOfTime(time) - secondsOfTime(startedAt) > allowed.value);
  if (late?.time === undefined) return;
  const used = Math.floor(secondsOfTime(late.time) - secondsOfTime(startedAt));
  note({ kind: "budget", at: late.time, limit: "max_wall_time_sec", used, allowed });
}

/** Nothing is later or earlier than what is no time. */
function secondsOfTime(time: LocatedString | undefined): number {
  return (time && parseTimestamp(time.text)) ?? NaN;
}
