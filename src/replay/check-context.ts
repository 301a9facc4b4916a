import type { Place } from "../diagnostic.js";
import { placeOf } from "../document/node.js";
import type { Report } from "./deviation.js";
import { countOf, type Capture, type ContextParts, type RecordedMove } from "./recording.js";
import type { Replaying } from "./replaying.js";

/**
 * Whether the captures of artifacts belong to the last transitions, one each: they begin when there is something to
 * capture, and then miss none.
 */
export function checkCaptures(
  { captures, isCut }: ContextParts,
  moves: readonly RecordedMove[],
  report: Report,
): boolean {
  if (captures === undefined) return true;
  const ahead = captures.length - moves.length;
  for (let index = captures.length - 1; index >= Math.max(0, ahead); index--) {
    const [capture, move] = [captures[index], moves[index - ahead]];
    if (capture === undefined || move === undefined || areAlike(capture, move)) continue;
    report({ kind: "capture", at: captureAt(capture), said: wayOf(capture), is: wayOf(move) });
    return false;
  }
  const first = captures[0];
  if (ahead <= 0 || isCut || first === undefined) return true;
  report({ kind: "captures", at: captureAt(first), captures: captures.length, moves: moves.length });
  return false;
}

/** The entries that visit counts show beyond the history; nothing where they do not go together. */
export function entriesBefore(
  replaying: Replaying,
  { visitCounts }: ContextParts,
  moves: readonly RecordedMove[],
): ReadonlyMap<number, number> | undefined {
  if (visitCounts === undefined) return undefined;
  const shown = new Map<string, number>();
  for (const { to } of moves) if (to !== undefined) shown.set(to.text, (shown.get(to.text) ?? 0) + 1);
  const before = new Map<number, number>();
  let isSound = true;
  for (const { key, value } of visitCounts.entries) {
    const count = countOf(value);
    const state = replaying.stateNamed(key.text);
    const seen = shown.get(key.text) ?? 0;
    shown.delete(key.text);
    if (state === undefined) replaying.report({ kind: "unknown-state", name: key });
    if (state === undefined || count === undefined) isSound = false;
    else if (count.value < seen) {
      isSound = false;
      reportCount(replaying.report, count, key.text, count.value, seen);
    } else before.set(state.index, count.value - seen);
  }
  for (const [name, seen] of shown) {
    isSound = false;
    if (replaying.stateNamed(name) !== undefined) reportLeftOut(replaying.report, visitCounts.at, name, seen);
  }
  return isSound ? before : undefined;
}

/** Compares the visit counts of a whole history. */
export function checkVisitCounts(replaying: Replaying, { visitCounts }: ContextParts): void {
  if (visitCounts === undefined) return;
  const { visits } = replaying;
  const counted = new Set<number>();
  for (const { key, value } of visitCounts.entries) {
    const state = replaying.stateNamed(key.text)?.index;
    const count = countOf(value);
    if (state === undefined) {
      replaying.report({ kind: "unknown-state", name: key });
      continue;
    }
    counted.add(state);
    const is = visits.visits(state);
    if (replaying.isSure && count !== undefined && count.value !== is) {
      reportCount(replaying.report, count, key.text, count.value, is);
    }
  }
  if (!replaying.isSure) return;
  for (const { index, name } of replaying.ground.machine.states) {
    const is = visits.visits(index);
    if (is > 0 && !counted.has(index)) reportLeftOut(replaying.report, visitCounts.at, name, is);
  }
}

function reportCount(report: Report, at: Place, state: string, said: number, is: number): void {
  report({ kind: "count", at, what: "visit_counts", said, is, state });
}

function reportLeftOut(report: Report, at: Place, state: string, is: number): void {
  report({ kind: "count", at, what: "left-out", said: 0, is, state });
}

function areAlike(capture: Capture, move: RecordedMove): boolean {
  return (["from", "event", "to"] as const).every((part) => {
    const [a, b] = [capture[part]?.text, move[part]?.text];
    return a === undefined || b === undefined || a === b;
  });
}

function captureAt({ event, node }: Capture): Place {
  return event ?? placeOf(node);
}

function wayOf({ from, event, to }: Pick<Capture, "from" | "event" | "to">): string {
  return `"${from?.text ?? ""}" to "${to?.text ?? ""}" by "${event?.text ?? ""}"`;
}
