import type { AgenticLog } from "../agentic/agentic-log.js";
import type { LoggedRun, LoggedStep } from "../agentic/logged-run.js";
import type { Diagnostic } from "../diagnostic.js";
import { type MappingNode, stringOf } from "../document/node.js";
import { artifactNames } from "../machine/machine.js";
import { runStatusOf } from "../machine/run.js";
import { type ShownRun, type ShownTransition, transitionTable } from "../simulate/transition-table.js";
import { numberRepeats } from "../text/collections.js";
import { escapeInvisible } from "../text/escape.js";
import { ruledTable, wrapText } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import type { RecordedEnd, RecordedMove } from "./recording.js";
import type { ReplayedLog } from "./replay-run.js";
import type { Replay } from "./replay.js";

/** Longer tables show only the rows around the first deviation. */
const maxRows = 100;
const rowsAfterDeviation = 20;
const minWidth = 20;
const maxWidth = 120;

export function shownWidth(columns: number): number {
  return Math.min(Math.max(columns, minWidth), maxWidth);
}

export function replayText(replay: Replay, diagnostics: readonly Diagnostic[], columns: number): string {
  const { recording, target } = replay;
  const width = shownWidth(columns);
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
    artifactNames(target.machine),
    row === undefined || message === undefined ? undefined : { row: row - first, text: message, width },
  );
  const notes = [
    ...(first > 0 ? [`(${pluralize(first, "earlier transition")} not shown.)`] : []),
    ...(last < moves.length ? [`(${pluralize(moves.length - last, "later transition")} not shown.)`] : []),
    ...(row === undefined && message !== undefined ? wrapText(`✗ ${escapeInvisible(message)}`, width) : []),
  ];
  return `${table}${notes.map((note) => `${note}\n`).join("")}\n`;
}

/** The finding in the earliest row, or else the first one. The row is absent where it concerns the whole record. */
function firstDeviation(replay: Replay, diagnostics: readonly Diagnostic[]) {
  const findings = diagnostics.filter(({ severity }) => severity !== "info");
  let found: { row?: number; message: string | undefined } = { message: findings[0]?.message };
  if (findings.length === 0) return found;
  const rowOf = rowsByPointer(replay);
  for (const { pointer, message } of findings) {
    const row = rowOf(pointer);
    if (row !== undefined && row < (found.row ?? Infinity)) found = { row, message };
  }
  return found;
}

/** The row of a finding; -1 for the start. Before a gap in the history, captures cannot be matched with transitions. */
function rowsByPointer(replay: Replay): (pointer: string) => number | undefined {
  const { context, moves, start } = replay.recording;
  const entry = context === undefined ? /^\/\d+/u : /^\/(?:artifact_)?history\/\d+/u;
  const entryOf = (pointer: string): string => entry.exec(pointer)?.[0] ?? "";
  const rows = new Map(moves.map(({ node }, row) => [node.pointer, row]));
  const lastGap = replay.findings("run-gap").at(-1)?.at.pointer ?? "";
  const firstMatched = rows.get(entryOf(lastGap)) ?? 0;
  for (const [row, { capture }] of moves.entries())
    if (capture !== undefined && row >= firstMatched) rows.set(capture.node.pointer, row);
  // The start of a context is the state that its first transition leaves.
  if (start !== undefined) rows.set(context === undefined ? "/0" : start.state.pointer, -1);
  return (pointer) => rows.get(pointer) ?? rows.get(entryOf(pointer));
}

function shownMoves(replay: Replay, first: number, last: number): readonly ShownTransition[] {
  const { start, moves } = replay.recording;
  const entries = numberRepeats(
    moves.map(({ to }) => to?.text ?? "?"),
    (_, visit) => visit,
  );
  return moves.slice(first, last).map((move, index) => {
    const to = move.to?.text ?? "?";
    const visit = (entries[first + index] ?? 0) + (to === start?.state.text ? 1 : 0);
    return {
      event: move.event?.text ?? "?",
      to,
      visit: move.visit?.value ?? visit,
      artifacts: valuesOf(move.artifacts),
      forced: shownExits(replay, move),
    };
  });
}

/** Limited, since a short record may pass thousands in each row without naming them. */
const maxShownExits = 20;

/** The spent states on the way of a move. A context does not record them, so they come from the machine. */
function shownExits({ recording, report, outcomes }: Replay, move: RecordedMove): readonly string[] {
  const recorded = move.forced?.map(({ text }) => text) ?? [];
  const isContext = recording.context !== undefined;
  const forced = isContext ? (outcomes.get(move)?.forced ?? []).map(report.nameOf) : recorded;
  if (forced.length <= maxShownExits) return forced;
  return [...forced.slice(0, maxShownExits / 2), "…", ...forced.slice(-maxShownExits / 2)];
}

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

const maxRuns = 20;
const maxTableSteps = 200;

/** A table of the steps of each run; with `replays`, only its state, for a timeline has the steps. */
export function logText(log: AgenticLog, replays?: ReplayedLog): string {
  const shown = log.runs.slice(0, maxRuns).map((run) => {
    if (replays === undefined) return `${runTable(run, log.isTruncated)}\n`;
    const state = replays.get(run)?.position?.name;
    const where = state === undefined ? "" : `, in state "${escapeInvisible(state)}"`;
    return `Run ${escapeInvisible(run.id)}: ${statusText(run, log.isTruncated)}${where}\n${outcomeText(run)}\n`;
  });
  const hidden = log.runs.length - shown.length;
  return `${shown.join("")}${hidden > 0 ? `(${pluralize(hidden, "more run")} not shown.)\n\n` : ""}`;
}

function runTable(run: LoggedRun, isCutOff: boolean): string {
  const rows = run.steps.slice(0, maxTableSteps).map(stepRow);
  const hidden = run.steps.length - rows.length;
  const table = ruledTable([["Step", "Tool", "Plugin", "Tries", "Status"], ...rows]);
  const more = hidden > 0 ? `(${pluralize(hidden, "more step")} not shown.)\n` : "";
  return `Run ${escapeInvisible(run.id)}: ${statusText(run, isCutOff)}\n${rows.length === 0 ? "" : `${table.join("\n")}\n`}${more}${outcomeText(run)}`;
}

function stepRow({ step, requests, results }: LoggedStep): readonly string[] {
  const last = requests.at(-1);
  const result = results.at(-1);
  const isAnswered = results.length >= requests.length;
  const status = result === undefined || !isAnswered ? "pending" : result.isOk ? "ok" : "error";
  return [
    String(step),
    escapeInvisible(last?.tool.text ?? ""),
    escapeInvisible(last?.plugin ?? ""),
    String(requests.length),
    status,
  ];
}

function statusText({ end, steps }: LoggedRun, isCutOff: boolean): string {
  const open = isCutOff ? "cut off" : "running";
  const status = end === undefined ? open : end.kind === "completed" ? "done" : "escalated";
  return `${status}, ${pluralize(steps.length, "step")}`;
}

function outcomeText({ end }: LoggedRun): string {
  const reason = end?.field("reason");
  const text = end?.text("outcome")?.text ?? (reason?.kind === "scalar" ? String(reason.value ?? "") : "");
  return text === "" ? "" : `Outcome: ${escapeInvisible(text)}\n`;
}
