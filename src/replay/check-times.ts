import { parseTimestamp } from "../words/instant.js";
import type { LocatedString } from "../document/spelled-values.js";
import type { DeviationOf, ReportDeviation } from "./deviation.js";
import type { ContextFields, RecordedMove } from "./recording.js";
import type { ReplayTarget } from "./recorded-run.js";

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
function checkAscending(times: readonly (LocatedString | undefined)[], note: (slip: TimeDeviation) => void): LocatedString | undefined {
  let before: LocatedString | undefined;
  for (const time of times) {
    if (time === undefined || parseTimestamp(time.text) === undefined) continue;
    if (before !== undefined && secondsOfTime(time) < secondsOfTime(before)) note({ kind: "time", time, before });
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
