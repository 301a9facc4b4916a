import type { Diagnostic } from "../diagnostic.js";
import type { MappingNode } from "../document/node.js";
import type { RunStatus } from "../machine/run.js";
import { Text } from "../pack/text.js";
import { artifactModes } from "../simulate/artifact-modes.js";
import { transitionTable, type RowRemark, type ShownTransition } from "../simulate/transition-table.js";
import { count } from "../wording.js";
import type { RecordedEnd, RecordedMove, Recording } from "./recording.js";
import type { RunReplay } from "./run-replay.js";

/** More rows than this nobody reads; those around the first deviation are shown. */
const mostRows = 100;
const rowsAfter = 20;

/** The transition table as the record tells it, with the first deviation that is more than an info marked. */
export function replayText({ recording, ground }: RunReplay, diagnostics: readonly Diagnostic[]): string {
  const { moves, start, end } = recording;
  if (moves.length === 0 && start === undefined) return "";
  const remark = firstRemark(recording, diagnostics);
  const last = Math.min(moves.length, remark === undefined ? moves.length : remark.row + 1 + rowsAfter);
  const first = last > mostRows ? last - mostRows : 0;
  const { names } = artifactModes(ground.workflow);
  const table = transitionTable(
    {
      start: first > 0 || start === undefined ? undefined : { state: start.state.text },
      transitions: shownMoves(recording, first, last),
      end: last < moves.length || end === undefined ? undefined : shownEnd(end),
    },
    names,
    remark === undefined ? undefined : { ...remark, row: remark.row - first },
  );
  const notes = [
    ...(first > 0 ? [`(${count(first, "earlier transition")} not shown.)\n`] : []),
    ...(last < moves.length ? [`(${count(moves.length - last, "later transition")} not shown.)\n`] : []),
  ];
  return `${table}${notes.join("")}\n`;
}

/** The first finding that belongs to a row. Findings at the start belong to the first. */
function firstRemark(
  { moves, start, context }: Recording,
  diagnostics: readonly Diagnostic[],
): RowRemark | undefined {
  const rows = new Map<string, number>();
  for (const [row, { node }] of moves.entries()) rows.set(String(node.key), row);
  if (context === undefined && start !== undefined) rows.set("0", -1);
  const at = context === undefined ? /^\/(\d+)(?:\/|$)/u : /^\/history\/(\d+)(?:\/|$)/u;
  for (const { severity, pointer, message } of diagnostics) {
    const row = severity === "info" ? undefined : rows.get(at.exec(pointer)?.[1] ?? "");
    if (row !== undefined) return { row, text: message };
  }
  return undefined;
}

function shownMoves({ start, moves }: Recording, first: number, last: number): readonly ShownTransition[] {
  const visits = new Map<string, number>(start === undefined ? [] : [[start.state.text, 1]]);
  const shown: ShownTransition[] = [];
  for (const [row, move] of moves.slice(0, last).entries()) {
    const to = move.to?.text ?? "?";
    visits.set(to, (visits.get(to) ?? 0) + 1);
    if (row >= first) shown.push(shownMove(move, to, visits.get(to) ?? 1));
  }
  return shown;
}

function shownMove(
  { event, forced, visit, artifacts }: RecordedMove,
  to: string,
  visits: number,
): ShownTransition {
  const passed = (forced ?? []).map(({ text }) => text);
  return {
    event: event?.text ?? "?",
    to,
    visit: visit?.value ?? visits,
    artifacts: valuesOf(artifacts),
    ...(passed.length > 0 && { forced: passed }),
  };
}

function shownEnd({ status, event, target, forced, artifacts }: RecordedEnd) {
  const passed = (forced ?? []).map(({ text }) => text);
  return {
    status: (status?.text === "exhausted" ? "exhausted" : "running") satisfies RunStatus,
    artifacts: valuesOf(artifacts),
    ...(event !== undefined && { event: event.text }),
    ...(target !== undefined && { target: target.text }),
    ...(passed.length > 0 && { forced: passed }),
  } as const;
}

function valuesOf(node: MappingNode | undefined): ReadonlyMap<string, string> {
  return new Map(
    (node?.entries ?? []).map(({ key, value }) => [key.text, Text.of(value)?.text ?? ""] as const),
  );
}
