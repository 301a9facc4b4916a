import type { Diagnostic } from "../diagnostic.js";
import { type MappingNode, stringOf } from "../document/node.js";
import { artifactModes } from "../machine/artifact-values.js";
import { runStatusOf } from "../machine/run.js";
import { type ShownRun, type ShownTransition, transitionTable } from "../simulate/transition-table.js";
import { escapeInvisible } from "../text/escape.js";
import { wrapText } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import type { ContextFields, RecordedEnd, Recording } from "./recording.js";
import type { RunReplay } from "./run-replay.js";

/** Of longer tables only the rows around the first deviation are shown. */
const maxRows = 100;
const rowsAfterDeviation = 20;
const minWidth = 20;
const maxWidth = 120;

/** The recorded transitions as a table, with the first deviation marked that is more than an info. */
export function replayText(replay: RunReplay, diagnostics: readonly Diagnostic[], columns: number): string {
  const { recording, target } = replay;
  const width = Math.min(Math.max(columns, minWidth), maxWidth);
  const { moves, start, end } = recording;
  if (moves.length === 0 && start === undefined) return "";
  const { row, message } = firstDeviation(replay, diagnostics);
  const last = Math.min(moves.length, row === undefined ? moves.length : row + 1 + rowsAfterDeviation);
  const first = Math.max(0, last - maxRows);
  const table = transitionTable(
    {
      start: first > 0 || start === undefined ? undefined : { state: start.state.text },
      transitions: shownMoves(replay, first, last),
      end: last < moves.length || end === undefined ? undefined : shownEnd(end),
    },
    artifactModes(target.workflow).names,
    row === undefined || message === undefined ? undefined : { row: row - first, text: message, width },
  );
  const notes = [
    ...(first > 0 ? [`(${pluralize(first, "earlier transition")} not shown.)`] : []),
    ...(last < moves.length ? [`(${pluralize(moves.length - last, "later transition")} not shown.)`] : []),
    ...(row === undefined && message !== undefined ? wrapText(`✗ ${escapeInvisible(message)}`, width) : []),
  ];
  return `${table}${notes.map((note) => `${note}\n`).join("")}\n`;
}

interface FirstDeviation {
  /** -1 for the start; absent where it concerns the whole record. */
  readonly row?: number;
  readonly message?: string;
}

/** The finding in the earliest row, or else the first one. */
function firstDeviation(replay: RunReplay, diagnostics: readonly Diagnostic[]): FirstDeviation {
  const findings = diagnostics.filter(({ severity }) => severity !== "info");
  const [first] = findings;
  if (first === undefined) return {};
  const { context } = replay.recording;
  const rowOf = context === undefined ? rowsByLine(replay.recording) : rowsByContextEntry(replay, context);
  let found: FirstDeviation = { message: first.message };
  for (const { pointer, message } of findings) {
    const row = rowOf(pointer);
    if (row !== undefined && row < (found.row ?? Infinity)) found = { row, message };
  }
  return found;
}

type RowLookup = (pointer: string) => number | undefined;

function rowsByLine({ moves, start }: Recording): RowLookup {
  const rows = new Map<unknown, number>(moves.map(({ node }, row) => [node.key, row]));
  if (start !== undefined) rows.set(0, -1);
  return (pointer) => rows.get(Number(/^\/(\d+)(?:\/|$)/u.exec(pointer)?.[1]));
}

/** Captures belong to the last transitions, one each, but before a gap in the history they cannot be matched. */
function rowsByContextEntry(replay: RunReplay, { captures }: ContextFields): RowLookup {
  const surplus = captures === undefined ? Infinity : captures.length - replay.recording.moves.length;
  const lastGap = replay.findings("run-gap").at(-1)?.at.pointer;
  const firstMatched = Number(lastGap === undefined ? 0 : contextEntryPointer.exec(lastGap)?.[2]);
  const startAt = replay.recording.start?.state.pointer;
  return (pointer) => {
    // The start is the state that the first transition leaves.
    if (pointer === startAt) return -1;
    const [, list, index] = contextEntryPointer.exec(pointer) ?? [];
    if (list === "history") return Number(index);
    const row = Number(index) - surplus;
    return row >= firstMatched ? row : undefined;
  };
}

const contextEntryPointer = /^\/(history|artifact_history)\/(\d+)(?:\/|$)/u;

function shownMoves(replay: RunReplay, first: number, last: number): readonly ShownTransition[] {
  const { start, moves } = replay.recording;
  const visits = new Map<string, number>(start === undefined ? [] : [[start.state.text, 1]]);
  const shown: ShownTransition[] = [];
  for (const [row, move] of moves.slice(0, last).entries()) {
    const to = move.to?.text ?? "?";
    visits.set(to, (visits.get(to) ?? 0) + 1);
    if (row < first) continue;
    shown.push({
      event: move.event?.text ?? "?",
      to,
      visit: move.visit?.value ?? visits.get(to) ?? 1,
      artifacts: valuesOf(move.artifacts),
      forced: shownExits(replay.forcedStatesOf(move)),
    });
  }
  return shown;
}

/** Limited, since a short record may pass thousands in each row without naming them. */
const maxShownExits = 20;

function shownExits(forced: readonly string[]): readonly string[] {
  if (forced.length <= maxShownExits) return forced;
  return [...forced.slice(0, maxShownExits / 2), "…", ...forced.slice(-maxShownExits / 2)];
}

/** The event that entered no state shows how the run ended. */
function shownEnd(end: RecordedEnd): ShownRun["end"] {
  const { state, status, isByBudget, event, target, artifacts, forced = [] } = end;
  return {
    state: state?.text ?? "",
    status: (status && runStatusOf(status.text)) ?? "running",
    ...(isByBudget && { limit: "max_total_visits" }),
    artifacts: valuesOf(artifacts),
    ...(event !== undefined && { event: event.text }),
    ...(target !== undefined && { target: target.text }),
    ...(forced.length > 0 && { forced: forced.map(({ text }) => text) }),
  };
}

function valuesOf(node: MappingNode | undefined): ReadonlyMap<string, string> {
  return new Map(node?.entries.map(({ key, value }) => [key.text, stringOf(value) ?? ""]));
}
