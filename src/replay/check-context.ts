import type { Place } from "../diagnostic.js";
import { type LocatedCount, type LocatedString, placeOf } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import { pluralize } from "../text/wording.js";
import {
  type Capture,
  type ContextFields,
  readCount,
  type RecordedMove,
  type Recording,
} from "./recording.js";
import type { Replayer } from "./replayer.js";
import type { RunReport } from "./run-report.js";

/**
 * Whether the captures of artifacts match the last transitions, one each. Captures begin with the first artifact, and
 * from then on none is missing.
 */
export function checkCaptures(
  { captures, isHistoryTruncated }: ContextFields,
  moves: readonly RecordedMove[],
  report: RunReport,
): boolean {
  if (captures === undefined) return true;
  const surplus = captures.length - moves.length;
  for (let index = captures.length - 1; index >= Math.max(0, surplus); index--) {
    const [capture, move] = [captures[index], moves[index - surplus]];
    if (capture === undefined || move === undefined || isSameTransition(capture, move)) continue;
    const message = `Artifacts were captured on the transition from ${describeTransition(capture)}, but the history shows the transition from ${describeTransition(move)}.`;
    report.add("run-artifact-history", capturePlace(capture), message);
    return false;
  }
  const first = captures[0];
  if (surplus <= 0 || isHistoryTruncated || first === undefined) return true;
  const message = `Artifacts were captured ${pluralize(captures.length, "time")}, but the history shows ${pluralize(moves.length, "transition")}.`;
  report.add("run-artifact-history", capturePlace(first), message);
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
    if (state === undefined) report.unknownState(key);
    if (state === undefined || count === undefined) isConsistent = false;
    else if (count.value < actual) {
      isConsistent = false;
      reportCount(report, count, key.text, actual);
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
  report: RunReport,
): void {
  if (state.maxVisits !== undefined && visits > state.maxVisits) {
    const message = `"${state.name}" was entered ${pluralize(visits, "time")} in addition to what the history shows, but ${report.guardText(state)}.`;
    report.add("run-guard", at, message);
  }
  if (!state.ends || moves.some(({ to }) => to === undefined)) return;
  const mayBeLast = end?.state?.text === state.name && moves.at(-1)?.to?.text !== state.name;
  if (entries > (mayBeLast ? 1 : 0)) report.eventAfterEnd(at, state);
}

export function checkVisitCounts(replayer: Replayer, { visitCounts }: ContextFields): void {
  if (visitCounts === undefined) return;
  const { visits, report, hasReliableCounts } = replayer;
  const counted = new Set<number>();
  for (const { key, value } of visitCounts.entries) {
    const state = replayer.stateNamed(key.text)?.index;
    const count = readCount(value);
    if (state === undefined) {
      report.unknownState(key);
      continue;
    }
    counted.add(state);
    const actual = visits.visits(state);
    if (hasReliableCounts && count !== undefined && !visits.mayBeCorrect(count.value, actual)) {
      reportCount(report, count, key.text, actual);
    }
  }
  if (!hasReliableCounts) return;
  for (const { index, name } of replayer.target.machine.states) {
    const actual = visits.visits(index);
    if (actual > 0 && !counted.has(index)) reportMissingCount(report, visitCounts.at, name, actual);
  }
}

function reportCount(report: RunReport, count: LocatedCount, state: string, actual: number): void {
  const message = `The visit counts say ${count.value} for "${state}", but the history enters it ${pluralize(actual, "time")}.`;
  report.wrongCount(count, message);
}

function reportMissingCount(report: RunReport, at: Place, state: string, actual: number): void {
  const message = `The visit counts leave out "${state}", which the history enters ${pluralize(actual, "time")}.`;
  report.wrongCount(at, message);
}

/** Reports times that run backwards. The schema reports those that are not times. */
export function checkTimes(
  { startedAt, updatedAt, captures }: ContextFields,
  moves: readonly RecordedMove[],
  report: RunReport,
): void {
  const reportTime: ReportTime = (time, before) => {
    const message = `${time.text} is before ${before.text}, which comes earlier in the run.`;
    const related = [{ at: before, message: "the earlier part of the run" }];
    report.add("run-time-order", time, message, { related });
  };
  const reported = new Map<LocatedString | undefined, string>();
  const last = checkAscending([startedAt, ...moves.map(({ time }) => time)], (time, before) => {
    reported.set(time, instantPairKey(time, before));
    reportTime(time, before);
  });
  // A start that is too late was reported with the moves.
  const isLate = moves.some(({ time }) => secondsOfTime(time) < secondsOfTime(startedAt));
  const captured = (captures ?? []).map(({ time }) => time);
  // Captures share the times of the last transitions, so the same deviation is not reported twice.
  const moveTimes = new Map(captured.map((time, index) => [time, moves.at(index - captured.length)?.time]));
  const lastCapture = checkAscending([isLate ? undefined : startedAt, ...captured], (time, before) => {
    if (reported.get(moveTimes.get(time)) !== instantPairKey(time, before)) reportTime(time, before);
  });
  const isLater = last === undefined || secondsOfTime(lastCapture) > secondsOfTime(last);
  checkAscending([isLater ? lastCapture : last, updatedAt], reportTime);
}

type ReportTime = (time: LocatedString, before: LocatedString) => void;

/** Returns the last valid time. After a deviation it goes on from the recorded time. */
function checkAscending(
  times: readonly (LocatedString | undefined)[],
  report: ReportTime,
): LocatedString | undefined {
  let before: LocatedString | undefined;
  for (const time of times) {
    if (time === undefined || parseTimestamp(time.text) === undefined) continue;
    if (before !== undefined && secondsOfTime(time) < secondsOfTime(before)) report(time, before);
    before = time;
  }
  return before;
}

function instantPairKey(time: LocatedString, before: LocatedString): string {
  return `${secondsOfTime(before)} ${secondsOfTime(time)}`;
}

/** Returns whether the record says how long the run took, unless it reports that it took too long. */
export function checkWallTime(
  startedAt: LocatedString | undefined,
  moves: readonly RecordedMove[],
  allowed: LocatedCount,
  report: RunReport,
): boolean {
  if (startedAt === undefined) return false;
  const secondsUntil = (time: LocatedString): number => secondsOfTime(time) - secondsOfTime(startedAt);
  const times = moves.map(({ time }) => time);
  const late = times.find((time) => time !== undefined && secondsUntil(time) > allowed.value);
  if (late === undefined) return moves.length === 0 || times.at(-1) !== undefined;
  const used = pluralize(Math.floor(secondsUntil(late)), "second");
  const message = `This happened ${used} after the start, but the budget allows ${allowed.value}${report.inPack(allowed)}.`;
  report.add("run-budget", late, message);
  return true;
}

/** NaN, which compares false with everything, where there is no valid time. */
function secondsOfTime(time: LocatedString | undefined): number {
  return (time && parseTimestamp(time.text)) ?? NaN;
}
