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
 * Whether the captures of artifacts match the last transitions, one each. Captures begin with the first artifact, and
 * from then on none is missing.
 */
export function checkCaptures(
  { captures, isHistoryTruncated }: ContextFields,
  moves: readonly RecordedMove[],
  report: ReportDeviation,
): boolean {
  if (captures === undefined) return true;
  const surplus = captures.length - moves.length;
  for (let index = captures.length - 1; index >= Math.max(0, surplus); index--) {
    const [capture, move] = [captures[index], moves[index - surplus]];
    if (capture === undefined || move === undefined || isSameTransition(capture, move)) continue;
    report({
      kind: "capture",
      at: capturePlace(capture),
      recorded: describeTransition(capture),
      actual: describeTransition(move),
    });
    return false;
  }
  const first = captures[0];
  if (surplus <= 0 || isHistoryTruncated || first === undefined) return true;
  report({ kind: "captures", at: capturePlace(first), captures: captures.length, moves: moves.length });
  return false;
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

/** The visits of each state before a truncated history; undefined where the visit counts contradict it. */
export function visitsBeforeHistory(
  replayer: Replayer,
  { visitCounts }: ContextFields,
  recording: Recording,
): ReadonlyMap<number, number> | undefined {
  if (visitCounts === undefined) return undefined;
  const { report } = replayer;
  const { moves } = recording;
  const first = moves[0]?.from?.text;
  const shown = new Map<string, number>();
  for (const name of [first, ...moves.map(({ to }) => to?.text)])
    if (name !== undefined) shown.set(name, (shown.get(name) ?? 0) + 1);
  const unseen: UnseenVisits[] = [];
  let isConsistent = true;
  for (const { key, value } of visitCounts.entries) {
    const count = readCount(value);
    const state = replayer.stateNamed(key.text);
    const actual = shown.get(key.text) ?? 0;
    shown.delete(key.text);
    if (state === undefined) report({ kind: "unknown-state", name: key });
    if (state === undefined || count === undefined) isConsistent = false;
    else if (count.value < actual) {
      isConsistent = false;
      reportCount(report, count, key.text, count.value, actual);
    } else {
      const entries = count.value - actual;
      // The history begins in this state, so it was entered once more before.
      const visits = key.text === first ? entries + 1 : entries;
      unseen.push({ at: count, state, entries, visits });
    }
  }
  for (const [name, actual] of shown) {
    isConsistent = false;
    if (replayer.stateNamed(name) !== undefined) reportMissingCount(report, visitCounts.at, name, actual);
  }
  if (!isConsistent) return undefined;
  for (const each of unseen)
    if (!replayer.hasUnclearPart(each.state.index)) checkUnseenVisits(each, recording, report);
  return new Map(unseen.map(({ state, visits }) => [state.index, visits]));
}

/** Entries of a state that are counted but not shown, and its visits before the history. */
interface UnseenVisits {
  readonly at: Place;
  readonly state: MachineState;
  readonly entries: number;
  readonly visits: number;
}

/** Reports what is wrong whenever the entries happened: too many visits, or going on after an end. */
function checkUnseenVisits(
  { at, state, entries, visits }: UnseenVisits,
  { moves, end }: Recording,
  report: ReportDeviation,
): void {
  if (state.maxVisits !== undefined && visits > state.maxVisits)
    report({ kind: "unseen", at, state, visits });
  if (!state.ends || moves.some(({ to }) => to === undefined)) return;
  const mayBeLast = end?.state?.text === state.name && moves.at(-1)?.to?.text !== state.name;
  if (entries > (mayBeLast ? 1 : 0)) report({ kind: "after-end", at, state });
}

export function checkVisitCounts(replayer: Replayer, { visitCounts }: ContextFields): void {
  if (visitCounts === undefined) return;
  const { visits, report, hasReliableCounts } = replayer;
  const counted = new Set<number>();
  for (const { key, value } of visitCounts.entries) {
    const state = replayer.stateNamed(key.text)?.index;
    const count = readCount(value);
    if (state === undefined) {
      report({ kind: "unknown-state", name: key });
      continue;
    }
    counted.add(state);
    const actual = visits.visits(state);
    if (hasReliableCounts && count !== undefined && !visits.mayBeCorrect(count.value, actual)) {
      reportCount(report, count, key.text, count.value, actual);
    }
  }
  if (!hasReliableCounts) return;
  for (const { index, name } of replayer.target.machine.states) {
    const actual = visits.visits(index);
    if (actual > 0 && !counted.has(index)) reportMissingCount(report, visitCounts.at, name, actual);
  }
}

function reportCount(
  report: ReportDeviation,
  at: Place,
  state: string,
  recorded: number,
  actual: number,
): void {
  report({ kind: "count", at, what: "visit_counts", recorded, actual, state });
}

function reportMissingCount(report: ReportDeviation, at: Place, state: string, actual: number): void {
  report({ kind: "count", at, what: "left-out", recorded: 0, actual, state });
}

/** Reports times that run backwards or exceed the budget. The schema reports those that are not times. */
export function checkTimes(
  target: ReplayTarget,
  context: ContextFields,
  moves: readonly RecordedMove[],
  report: ReportDeviation,
): void {
  const { startedAt, updatedAt, captures } = context;
  const reported = new Map<LocatedString | undefined, string>();
  const last = checkAscending([startedAt, ...moves.map(({ time }) => time)], (deviation) => {
    reported.set(deviation.time, instantPairKey(deviation));
    report(deviation);
  });
  // A start that is too late was reported with the moves.
  const isLate = moves.some(({ time }) => secondsOfTime(time) < secondsOfTime(startedAt));
  const captured = (captures ?? []).map(({ time }) => time);
  // Captures share the times of the last transitions, so the same deviation is not reported twice.
  const moveTimes = new Map(captured.map((time, index) => [time, moves.at(index - captured.length)?.time]));
  const lastCapture = checkAscending([isLate ? undefined : startedAt, ...captured], (deviation) => {
    if (reported.get(moveTimes.get(deviation.time)) !== instantPairKey(deviation)) report(deviation);
  });
  const isLater = last === undefined || secondsOfTime(lastCapture) > secondsOfTime(last);
  checkAscending([isLater ? lastCapture : last, updatedAt], report);
  if (target.checksBudget) checkWallTime(target, context, moves, report);
}

type TimeDeviation = DeviationOf<"time">;

/** Returns the last valid time. After a deviation it goes on from the recorded time. */
function checkAscending(
  times: readonly (LocatedString | undefined)[],
  report: (deviation: TimeDeviation) => void,
): LocatedString | undefined {
  let before: LocatedString | undefined;
  for (const time of times) {
    if (time === undefined || parseTimestamp(time.text) === undefined) continue;
    if (before !== undefined && secondsOfTime(time) < secondsOfTime(before))
      report({ kind: "time", time, before });
    before = time;
  }
  return before;
}

function instantPairKey({ before, time }: TimeDeviation): string {
  return `${secondsOfTime(before)} ${secondsOfTime(time)}`;
}

function checkWallTime(
  { workflow }: ReplayTarget,
  { startedAt }: ContextFields,
  moves: readonly RecordedMove[],
  report: ReportDeviation,
): void {
  const allowed = workflow.budget?.maxWallTimeSec;
  if (allowed === undefined || startedAt === undefined) return;
  const late = moves.find(({ time }) => secondsOfTime(time) - secondsOfTime(startedAt) > allowed.value);
  if (late?.time === undefined) return;
  const used = Math.floor(secondsOfTime(late.time) - secondsOfTime(startedAt));
  report({ kind: "budget", at: late.time, limit: "max_wall_time_sec", used, allowed });
}

/** NaN, which compares false with everything, where there is no valid time. */
function secondsOfTime(time: LocatedString | undefined): number {
  return (time && parseTimestamp(time.text)) ?? NaN;
}
