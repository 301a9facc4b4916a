import type { Place } from "../diagnostic.js";
import { placeOf } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import type { ReportDeviation } from "./deviation.js";
import { readCount, type Capture, type ContextFields, type RecordedMove, type Recording } from "./recording.js";
import type { Replayer } from "./replaying.js";

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
    note({ kind: "capture", at: capturePlace(capture), said: describeTransition(capture), is: describeTransition(move) });
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
