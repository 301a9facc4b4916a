import { clipText } from "../text/clip-text.js";
import type { Paint } from "../text/paint.js";
import { alignedLines } from "../text/table.js";
import { traceLines } from "../text/trace-text.js";
import { textWidth } from "../text/text-width.js";
import { visible } from "../text/visible-text.js";
import { wrapPieces, wrapText } from "../text/wrap-text.js";
import type { ArtifactInspection, Inspection, LoopInspection, WorkflowInspection } from "./inspection.js";
import {
  budgetText,
  guardText,
  listed,
  mostText,
  mostVisitsText,
  shortestText,
  shown,
  startTexts,
  toolRoundsText,
  unknown,
} from "./workflow-words.js";

/** A list longer than this no longer fits a screen; `--format json` has all of it. */
const mostRows = 25;
const mostWays = 12;
const mostCell = 36;
const labelWidth = "most tool rounds".length + 2;

/** One screen about a pack. */
export function inspectionText(inspection: Inspection, width: number, paint: Paint): string {
  const { workflow } = inspection;
  const writer = new Writer(Math.min(Math.max(width, 40), 120), paint);
  const lines = [
    ...heading(inspection, paint),
    "",
    ...writer.contents(inspection),
    "",
    ...(workflow === null ? ["There is no workflow."] : writer.workflow(workflow)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A title that long is no title. */
const mostTitle = 200;

function heading({ file, id, name, version }: Inspection, paint: Paint): readonly string[] {
  const title = [id, version].flatMap((part) => (part === null ? [] : visible(part))).join(" ");
  const full = [title, ...(name === null ? [] : [visible(name)])].filter((part) => part !== "").join(": ");
  return [paint.path(visible(file)), ...(full === "" ? [] : [clipText(full, mostTitle)])];
}

/** Cells of one row, and how the row is painted once its columns are known. */
interface Row {
  readonly cells: readonly string[];
  readonly paint?: (text: string) => string;
}

class Writer {
  constructor(
    private readonly width: number,
    private readonly paint: Paint,
  ) {}

  contents(inspection: Inspection): readonly string[] {
    const agents = inspection.agents.map(({ name, state, entry }) => {
      const notes = [...(state === null ? [] : [`in ${shown(state)}`]), ...(entry ? ["entry"] : [])];
      return notes.length === 0 ? name : `${shown(name)} (${notes.join(", ")})`;
    });
    return [
      ...this.item("spec", [inspection.specVersion]),
      ...this.names("prompts", inspection.prompts),
      ...this.names("tools", inspection.tools),
      ...this.names("fragments", inspection.fragments),
      ...this.names("evals", inspection.evals),
      ...this.names("agents", agents),
      ...this.names("states", inspection.workflow?.states.map(({ name }) => name) ?? []),
    ];
  }

  workflow(workflow: WorkflowInspection): readonly string[] {
    const shortest = workflow.shortestComplete?.run;
    return [
      ...this.title(workflow.version === null ? "Workflow" : `Workflow, version ${workflow.version}`),
      ...this.item("starts in", listed(startTexts(workflow), "no state")),
      ...this.item("ends in", listed(workflow.ends.map(shown), workflow.clear ? "no state" : unknown)),
      ...this.item("shortest run", [shortestText(workflow)]),
      ...(shortest === null || shortest === undefined ? [] : this.indented(traceLines(shortest, this.room))),
      ...this.item("most visits", [mostVisitsText(workflow)]),
      ...this.item("budget", [budgetText(workflow)]),
      ...this.item("most tool rounds", [toolRoundsText(workflow)]),
      "",
      ...this.states(workflow),
      ...this.loops(workflow),
      ...this.artifacts(workflow.artifacts),
      ...(workflow.exact ? [] : this.note(notExact)),
      ...(workflow.clear ? [] : this.note(notClear)),
    ];
  }

  private get room(): number {
    return this.width - labelWidth;
  }

  private title(text: string): readonly string[] {
    return [this.paint.strong(text)];
  }

  /** A label, and words behind it that are broken between pieces. */
  private item(label: string, pieces: readonly string[]): readonly string[] {
    const whole = pieces.flatMap((piece) => (textWidth(piece) <= this.room ? [piece] : piece.split(" ")));
    const lead = this.paint.faint(label.padEnd(labelWidth));
    return wrapPieces(whole, this.room).map(
      (line, index) => (index === 0 ? lead : " ".repeat(labelWidth)) + line,
    );
  }

  private names(label: string, names: readonly string[]): readonly string[] {
    if (names.length === 0) return this.item(label, ["0"]);
    return this.item(label, [`${names.length}:`, ...listed(names.map(shown), "")]);
  }

  private note(text: string): readonly string[] {
    return ["", ...wrapText(text, this.width).map((line) => this.paint.severity.warning(line))];
  }

  private indented(lines: readonly string[]): readonly string[] {
    return lines.map((line) => " ".repeat(labelWidth) + line);
  }

  private table(head: readonly string[], rows: readonly Row[]): readonly string[] {
    const few = rows.slice(0, mostRows);
    const all = [{ cells: head, paint: this.paint.strong }, ...few];
    const lines = alignedLines(all.map(({ cells }) => cells.map((cell) => clipText(cell, mostCell))));
    const more = rows.length - few.length;
    return [
      ...lines.map((line, row) => all[row]?.paint?.(line) ?? line),
      ...(more === 0 ? [] : [this.paint.faint(`… and ${more} more; --format json has them all.`)]),
    ];
  }

  private states({ states, toolUse }: WorkflowInspection): readonly string[] {
    const rounds = new Map(toolUse.states.map((use) => [use.state, use.worstCaseRounds]));
    const rows = states.map((state): Row => {
      const cells = [
        shown(state.name),
        state.prompt === null ? "—" : shown(state.prompt),
        guardText(state),
        state.entered === false ? "never entered" : mostText(state.worstCaseVisits),
        rounds.has(state.name) ? mostText(rounds.get(state.name) ?? null) : "—",
      ];
      return state.entered === false ? { cells, paint: this.paint.faint } : { cells };
    });
    return this.table(["State", "Prompt", "Guard", "Most visits", "Most tool rounds"], rows);
  }

  private loops({ loops, clear }: WorkflowInspection): readonly string[] {
    if (loops.length === 0) return ["", clear ? "There is no loop." : "No loop is known."];
    const few = loops.slice(0, mostRows);
    const more = loops.length - few.length;
    return [
      "",
      ...this.title(loops.length === 1 ? "Loop" : "Loops"),
      ...few.flatMap((loop, index) => (index === 0 ? this.loop(loop) : ["", ...this.loop(loop)])),
      ...(more === 0 ? [] : [this.paint.faint(`… and ${more} more; --format json has them all.`)]),
    ];
  }

  private loop({ states, guards, boundBy, unbounded }: LoopInspection): readonly string[] {
    const guarded = guards.map((guard) => `${shown(guard.state)} (${guardText(guard, "the run stops")})`);
    const ways = unbounded.slice(0, mostWays).flatMap((way) => {
      const claim = way.certain ? "no guard ends" : "perhaps no guard ends";
      const lap = way.run?.loopFrom === undefined ? undefined : way.run.steps.slice(way.run.loopFrom);
      const lines =
        lap === undefined
          ? listed(way.states.map(shown), "")
          : traceLines({ steps: lap, loopFrom: 0 }, this.room);
      return [...this.item(claim, [lines[0] ?? ""]), ...this.indented(lines.slice(1))];
    });
    const paint = boundBy === "nothing" ? this.paint.severity.warning : (text: string) => text;
    return [
      ...this.item("round", listed(states.map(shown), "")),
      ...this.item("guards", listed(guarded, "none")),
      ...ways.map((line) => paint(line)),
      ...this.item("bounded by", [boundBy === "budget" ? "the budget alone" : (boundBy ?? unknown)]),
    ];
  }

  private artifacts(artifacts: readonly ArtifactInspection[]): readonly string[] {
    if (artifacts.length === 0) return ["", "There are no artifacts."];
    const rows = artifacts.map(({ name, types, modes, declaredBy, readBy }): Row => {
      const readers = readBy.flatMap(({ prompt, states }) => (states.length === 0 ? [prompt] : states));
      const words = [types, modes, declaredBy, [...new Set(readers)]];
      return { cells: [shown(name), ...words.map((names) => listed(names.map(shown), "—").join(" "))] };
    });
    return ["", ...this.table(["Artifact", "Type", "Mode", "Declared by", "Read by"], rows)];
  }
}

const notExact =
  "There are too many runs to try them all: what is marked as not known could not be found out, and a loop that " +
  "perhaps no guard ends is one by the shape of the workflow alone.";

const notClear =
  "A part of the workflow is missing, could not be read or leads nowhere, and nothing that depends on it is known: " +
  "see promptpack lint.";
