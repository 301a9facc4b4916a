import type { Place } from "../diagnostic.js";
import type { LocatedCount, LocatedString } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import { mostEntriesByGuards } from "../machine/structure.js";
import { countBy } from "../text/collections.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import { pluralize } from "../text/wording.js";
import { type ContextFields, readCount, type RecordedMove } from "./recording.js";
import type { Replay } from "./replay.js";

/** Whether the captures match the last transitions: from the first artifact on, there is one for each. */
export function checkCaptures(
  { recording: { moves }, report }: Replay,
  { captures = [], isHistoryTruncated }: ContextFields,
): boolean {
  const wrong = moves.findLast((move) => move.capture && !isSameTransition(move.capture, move));
  if (wrong?.capture !== undefined) {
    const message = `Artifacts were captured on the transition from ${describeTransition(wrong.capture)}, but the history shows the transition from ${describeTransition(wrong)}.`;
    report.add("run-artifact-history", wrong.capture.at, message);
    return false;
  }
  const [first] = captures;
  if (captures.length <= moves.length || isHistoryTruncated || first === undefined) return true;
  const message = `Artifacts were captured ${pluralize(captures.length, "time")}, but the history shows ${pluralize(moves.length, "transition")}.`;
  report.add("run-artifact-history", first.at, message);
  return false;
}

type Transition = Pick<RecordedMove, "from" | "event" | "to">;

function isSameTransition(capture: Transition, move: Transition): boolean {
  return (["from", "event", "to"] as const).every((part) => {
    const [a, b] = [capture[part]?.text, move[part]?.text];
    return a === undefined || b === undefined || a === b;
  });
}

function describeTransition({ from, event, to }: Transition): string {
  return `"${from?.text ?? ""}" to "${to?.text ?? ""}" by "${event?.text ?? ""}"`;
}

/** The visits of each state before a truncated history; undefined where the visit counts contradict it, or are missing. */
export function visitsBeforeHistory(replay: Replay, context: ContextFields) {
  const { report, recording } = replay;
  const first = recording.moves[0]?.from?.text;
  const shown = countBy([first, ...recording.moves.map(({ to }) => to?.text)], (name) => name);
  const shownOf = ({ name }: MachineState): number => shown.get(name) ?? 0;
  if (!checkVisitCounts(replay, context, shownOf, (count, visits) => count < visits)) return undefined;
  const mostEntries = mostEntriesByGuards(replay.target.machine);
  const before = new Map<number, number>();
  for (const { key, value } of context.visitCounts?.entries ?? []) {
    const [state, count] = [replay.stateNamed(key.text), readCount(value)];
    if (state === undefined || count === undefined) continue;
    // The history begins in the first state, so it was entered once more before.
    const visits = count.value - shownOf(state) + (state.name === first ? 1 : 0);
    before.set(state.index, visits);
    if (visits <= mostEntries(state.index) || replay.unclear.has(state.index)) continue;
    const message = `"${state.name}" was entered ${pluralize(visits, "time")} in addition to what the history shows, but ${report.guardText(state)}.`;
    report.add("run-guard", count, message);
  }
  return before;
}

/** Reports whether the counts agree with the visits; `isWrong` compares the two of one state. False without counts. */
export function checkVisitCounts(
  { report, target, stateNamed }: Replay,
  { visitCounts }: ContextFields,
  visitsOf: (state: MachineState) => number,
  isWrong: (count: number, visits: number) => boolean,
): boolean {
  if (visitCounts === undefined) return false;
  const counted = new Set<string>();
  let agrees = true;
  for (const { key, value } of visitCounts.entries) {
    const [state, count] = [stateNamed(key.text), readCount(value)];
    counted.add(key.text);
    if (state === undefined) report.unknownState(key);
    else if (count !== undefined && isWrong(count.value, visitsOf(state))) {
      const actual = pluralize(visitsOf(state), "time");
      const message = `The visit counts say ${count.value} for "${key.text}", but the history enters it ${actual}.`;
      report.add("run-counts", count, message);
    } else if (count !== undefined) continue;
    agrees = false;
  }
  for (const state of target.machine.states) {
    const visits = visitsOf(state);
    if (visits === 0 || counted.has(state.name)) continue;
    agrees = false;
    const message = `The visit counts leave out "${state.name}", which the history enters ${pluralize(visits, "time")}.`;
    report.add("run-counts", visitCounts.at, message);
  }
  return agrees;
}

/** The schema reports what is not a time. */
export function checkTimes(
  { recording: { moves }, report }: Replay,
  { startedAt, updatedAt, captures = [] }: ContextFields,
): void {
  const reportTime: ReportTime = (time, before) => {
    const message = `${time.text} is before ${before.text}, which comes earlier in the run.`;
    const related = [{ at: before, message: "the earlier part of the run" }];
    report.add("run-time-order", time, message, { related });
  };
  const last = checkAscending([startedAt, ...moves.map(({ time }) => time)], reportTime);
  // Captures have the times of the last transitions, which have been checked.
  const moveTimes = new Map(moves.map(({ capture, time }) => [capture?.time, time]));
  const lastCapture = checkAscending([startedAt, ...captures.map(({ time }) => time)], (time, before) => {
    if (secondsOfTime(time) !== secondsOfTime(moveTimes.get(time))) reportTime(time, before);
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

export function checkBudgets({ recording, target, report }: Replay): void {
  const { context, moves, at, measured } = recording;
  const { maxToolCalls, maxWallTimeSec } = (target.checksBudget ? target.workflow.budget : undefined) ?? {};
  const reportUnmeasured = (lack: string, limit: string, { value }: LocatedCount): void => {
    report.add("run-incomplete", at, `The record ${lack}, so ${limit} (${value}) is not checked.`);
  };
  const reportOverBudget = (at: Place, fact: string, limit: LocatedCount): void => {
    report.add("run-budget", at, `${fact}, but the budget allows ${limit.value}${report.inPack(limit)}.`);
  };
  const { toolCalls: calls, startedAt } = measured ?? context ?? {};
  if (maxToolCalls !== undefined && calls === undefined && measured === undefined)
    reportUnmeasured("counts no tool calls", "max_tool_calls", maxToolCalls);
  else if (maxToolCalls !== undefined && calls !== undefined && calls.value > maxToolCalls.value)
    reportOverBudget(calls, `The run made ${pluralize(calls.value, "tool call")}`, maxToolCalls);
  if (maxWallTimeSec === undefined) return;
  const start = secondsOfTime(startedAt);
  const secondsUntil = (time: LocatedString): number => secondsOfTime(time) - start;
  const times = measured?.times ?? moves.map(({ time }) => time);
  const lacksLast = times.length > 0 && times.at(-1) === undefined;
  const late = times.find((time) => time !== undefined && secondsUntil(time) > maxWallTimeSec.value);
  if (late !== undefined) {
    const used = pluralize(Math.floor(secondsUntil(late)), "second");
    reportOverBudget(late, `This happened ${used} after the start`, maxWallTimeSec);
  } else if (startedAt === undefined ? measured?.times.length !== 0 : lacksLast)
    reportUnmeasured("does not say how long the run took", "max_wall_time_sec", maxWallTimeSec);
}

/** NaN if there is no valid time, so that `<` and `>` are false. */
function secondsOfTime(time: LocatedString | undefined): number {
  return (time && parseTimestamp(time.text)) ?? NaN;
}
