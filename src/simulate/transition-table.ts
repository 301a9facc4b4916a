import type { ArtifactValues } from "../machine/artifact-values.js";
import { escapeInvisible } from "../text/escape.js";
import { clipText, ruledTable, wrapText } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import type { EndRecord, StartRecord, TransitionRecord } from "./simulation.js";

const maxColumns = 8;
const maxCellWidth = 32;
const emptyCell = "—";

type Row = readonly string[];

/** What the table shows of a run; of a long one it may be a part. */
export interface ShownRun {
  readonly start: Pick<StartRecord, "state"> | undefined;
  readonly transitions: readonly ShownTransition[];
  readonly end: Pick<EndRecord, "status" | "event" | "target" | "forced" | "artifacts"> | undefined;
}

export type ShownTransition = Pick<TransitionRecord, "event" | "to" | "forced" | "visit" | "artifacts">;

/** A remark on one row: the start is -1, transitions count from 0, and what ended the run comes after them. */
interface RowNote {
  readonly row: number;
  readonly text: string;
  /** The columns it may take. */
  readonly width: number;
}

/** The table of RFC 0009: what was entered, by which event, and each artifact's value then. */
export function transitionTable(run: ShownRun, artifacts: readonly string[], remark?: RowNote): string {
  const { shown, left } = chooseColumns(run, artifacts);
  const rows = [
    ["Transition", "Event", ...shown.map((name) => clipText(escapeInvisible(name), maxCellWidth))],
    ...rowsOf(run, shown, remark),
  ];
  const lines = [...ruledTable(rows)];
  const hidden = pluralize(left, shown.length === 0 ? "artifact" : "more artifact");
  const note = left === 0 ? [] : [`(${hidden} not shown.)`];
  if (remark !== undefined) {
    lines.splice(remark.row + (run.start === undefined ? 3 : 4), 0, ...noteLines(remark));
  }
  return [...lines, ...note].map((text) => `${text}\n`).join("");
}

function noteLines({ text, width }: RowNote): readonly string[] {
  const lead = "  └ ";
  const lines = wrapText(escapeInvisible(text), width - lead.length);
  return lines.map((line, index) => `${index === 0 ? lead : " ".repeat(lead.length)}${line}`);
}

/** All artifacts if they are few; else those that were filled, as many as there is room for. */
function chooseColumns(
  { transitions, end }: ShownRun,
  artifacts: readonly string[],
): { readonly shown: readonly string[]; readonly left: number } {
  if (artifacts.length <= maxColumns) return { shown: artifacts, left: 0 };
  const last = end?.artifacts ?? transitions.at(-1)?.artifacts;
  const shown = artifacts.filter((name) => last?.has(name) === true).slice(0, maxColumns);
  return { shown, left: artifacts.length - shown.length };
}

function rowsOf(run: ShownRun, artifacts: readonly string[], remark: RowNote | undefined): readonly Row[] {
  const { start, transitions, end } = run;
  const entries = new Map(start === undefined ? [] : [[start.state, 1]]);
  for (const { to, visit } of transitions) entries.set(to, Math.max(visit, entries.get(to) ?? 0));
  const entered = (state: string, visit: number): string =>
    (entries.get(state) ?? 0) > 1 ? `${escapeInvisible(state)} (${visit})` : escapeInvisible(state);
  const values = (held: ArtifactValues): readonly string[] =>
    artifacts.map((name) => cellText(held.get(name)));
  const arrow = (row: number): string => (remark?.row === row ? "✗" : "→");

  const first =
    start === undefined ? [] : [[`${arrow(-1)} ${entered(start.state, 1)}`, "(entry)", ...values(new Map())]];
  const rows = transitions.map((step, row) => [
    `${arrow(row)} ${[...(step.forced ?? []).map(escapeInvisible), entered(step.to, step.visit)].join(" ⇒ ")}`,
    escapeInvisible(step.event),
    ...values(step.artifacts),
  ]);
  const last =
    end?.event === undefined ? [] : [[failedText(end), escapeInvisible(end.event), ...values(end.artifacts)]];
  return [...first, ...rows, ...last].map((row) =>
    row.map((cell, column) => (column < 2 ? cell : clipText(cell, maxCellWidth))),
  );
}

/** The event that ended the run without entering a state. */
function failedText({ target, forced, status }: NonNullable<ShownRun["end"]>): string {
  const tried = (forced ?? (target === undefined ? [] : [target])).map(escapeInvisible).join(" ⇒ ");
  return `✗ ${status === "exhausted" ? "(budget spent)" : tried || "(unknown)"}`;
}

function cellText(value: string | undefined): string {
  return value === undefined || value === "" ? emptyCell : escapeInvisible(value);
}
