import type { ArtifactValues } from "../machine/artifact-values.js";
import { escapeInvisible } from "../text/escape.js";
import { besideLabel, clipText, ruledTable, wrapText } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import type { Simulation, TransitionRecord } from "./simulation.js";

const maxColumns = 8;
const maxCellWidth = 32;
const emptyCell = "—";

/** A run, or a part of a long one. */
export interface ShownRun {
  readonly start: Pick<Simulation["start"], "state"> | undefined;
  readonly transitions: readonly ShownTransition[];
  readonly end: Omit<Simulation["end"], "record" | "steps" | "total"> | undefined;
}

export type ShownTransition = Pick<TransitionRecord, "event" | "to" | "forced" | "visit" | "artifacts">;

/** A note below one row: -1 is the start, transitions count from 0, and the failed event comes last. */
interface RowNote {
  readonly row: number;
  readonly text: string;
  readonly width: number;
}

/** The table of RFC 0009: each state entered, the event, and the artifacts at that point. */
export function transitionTable(run: ShownRun, artifacts: readonly string[], note?: RowNote): string {
  const shown = chooseColumns(run, artifacts);
  const omitted = artifacts.length - shown.length;
  const rows = [
    ["Transition", "Event", ...shown.map((name) => clipText(escapeInvisible(name), maxCellWidth))],
    ...rowsOf(run, shown, note?.row),
  ];
  const lines = [...ruledTable(rows)];
  if (note !== undefined) {
    const noted = besideLabel("  └ ", wrapText(escapeInvisible(note.text), note.width - 4));
    lines.splice(note.row + (run.start === undefined ? 3 : 4), 0, ...noted);
  }
  const noun = shown.length === 0 ? "artifact" : "more artifact";
  if (omitted > 0) lines.push(`(${pluralize(omitted, noun)} not shown.)`);
  return lines.map((text) => `${text}\n`).join("");
}

function chooseColumns({ transitions, end }: ShownRun, artifacts: readonly string[]): readonly string[] {
  if (artifacts.length <= maxColumns) return artifacts;
  const last = end?.artifacts ?? transitions.at(-1)?.artifacts;
  return artifacts.filter((name) => last?.has(name) === true).slice(0, maxColumns);
}

function rowsOf(
  { start, transitions, end }: ShownRun,
  artifacts: readonly string[],
  notedRow: number | undefined,
): readonly (readonly string[])[] {
  const visits = new Map(start === undefined ? [] : [[start.state, 1]]);
  for (const { to, visit } of transitions)
    if (to !== null) visits.set(to, Math.max(visit, visits.get(to) ?? 0));
  const entered = (state: string, visit: number): string =>
    escapeInvisible(state) + ((visits.get(state) ?? 0) > 1 ? ` (${visit})` : "");
  const arrow = (row: number): string => (notedRow === row ? "✗" : "→");
  const rowOf = (left: string, event: string, current: ArtifactValues) => [
    left,
    event,
    ...artifacts.map((name) => clipText(escapeInvisible(current.get(name) || emptyCell), maxCellWidth)),
  ];
  const rows = transitions.map(({ forced = [], to, visit, event, artifacts: current }, row) => {
    const passed = forced.map(escapeInvisible);
    const path = (to === null ? passed : [...passed, entered(to, visit)]).join(" ⇒ ");
    return rowOf(
      to === null ? `✗ ${path} (refused)` : `${arrow(row)} ${path}`,
      escapeInvisible(event),
      current,
    );
  });
  if (start !== undefined)
    rows.unshift(rowOf(`${arrow(-1)} ${entered(start.state, 1)}`, "(entry)", new Map()));
  const before = transitions.at(-1)?.artifacts ?? new Map();
  if (end?.event !== undefined) rows.push(rowOf(failedText(end), escapeInvisible(end.event), end.artifacts));
  else if (end?.status === "complete" && !isSameMap(before, end.artifacts))
    rows.push(rowOf(`✓ ${escapeInvisible(end.state)}`, "(output)", end.artifacts));
  return rows;
}

function isSameMap(a: ArtifactValues, b: ArtifactValues): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

function failedText({ target, forced, limit = "max_visits" }: NonNullable<ShownRun["end"]>): string {
  const path = (forced ?? (target === undefined ? [] : [target])).map(escapeInvisible).join(" ⇒ ");
  return `✗ ${limit === "max_visits" ? path || "(unknown)" : "(budget spent)"}`;
}
