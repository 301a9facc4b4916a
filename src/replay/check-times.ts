import { instantOf } from "../words/instant.js";
import type { Text } from "../document/spelled-values.js";
import type { DeviationOf, Note } from "./deviation.js";
import type { ContextParts, RecordedMove } from "./recording.js";
import type { Ground } from "./recorded-run.js";

/** Times of a context that run backwards, or past the budget. A time that is none is left out: the schema reports it. */
export function checkTimes(
  ground: Ground,
  context: ContextParts,
  moves: readonly RecordedMove[],
  note: Note,
): void {
  const { startedAt, updatedAt, captures } = context;
  const told = new Map<Text | undefined, string>();
  const last = inOrder([startedAt, ...moves.map(({ time }) => time)], (slip) => {
    told.set(slip.time, instantsOf(slip));
    note(slip);
  });
  // A start that is said too late was reported beside the moves.
  const isLate = moves.some(({ time }) => secondsOf(time) < secondsOf(startedAt));
  const start = isLate ? undefined : startedAt;
  const captured = (captures ?? []).map(({ time }) => time);
  // Captures are of the last transitions, and have their times: their slip is one.
  const moveOf = new Map(captured.map((time, index) => [time, moves.at(index - captured.length)?.time]));
  const lastCapture = inOrder([start, ...captured], (slip) => {
    if (told.get(moveOf.get(slip.time)) !== instantsOf(slip)) note(slip);
  });
  inOrder([later(last, lastCapture), updatedAt], note);
  if (ground.budget) checkWallTime(ground, context, moves, note);
}

/** Returns the last of the times. After a slip it goes on from what is said. */
function inOrder(times: readonly (Text | undefined)[], note: (slip: Slip) => void): Text | undefined {
  let before: Text | undefined;
  for (const time of times) {
    if (time === undefined || instantOf(time.text) === undefined) continue;
    if (before !== undefined && secondsOf(time) < secondsOf(before)) note({ kind: "time", time, before });
    before = time;
  }
  return before;
}

type Slip = DeviationOf<"time">;

function instantsOf({ before, time }: Slip): string {
  return `${secondsOf(before)} ${secondsOf(time)}`;
}

function later(a: Text | undefined, b: Text | undefined): Text | undefined {
  return a === undefined || secondsOf(b) > secondsOf(a) ? b : a;
}

function checkWallTime(
  { workflow }: Ground,
  { startedAt }: ContextParts,
  moves: readonly RecordedMove[],
  note: Note,
): void {
  const allowed = workflow.budget?.maxWallTimeSec;
  if (allowed === undefined || startedAt === undefined) return;
  const late = moves.find(({ time }) => secondsOf(time) - secondsOf(startedAt) > allowed.value);
  if (late?.time === undefined) return;
  const used = Math.floor(secondsOf(late.time) - secondsOf(startedAt));
  note({ kind: "budget", at: late.time, limit: "max_wall_time_sec", used, allowed });
}

/** Nothing is later or earlier than what is no time. */
function secondsOf(time: Text | undefined): number {
  return (time && instantOf(time.text)) ?? NaN;
}
