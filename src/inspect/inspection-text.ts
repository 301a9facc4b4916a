import { lapOf } from "../diagnostic.js";
import { escapeInvisible } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import type { Paint } from "../text/paint.js";
import {
  alignColumns,
  clipCell,
  clipText,
  textWidth,
  wrapSegments,
  wrapText,
} from "../text/terminal-text.js";
import {
  type ArtifactInspection,
  excessiveReaderPairs,
  type Inspection,
  type LoopInspection,
  type StateInspection,
  type WorkflowInspection,
} from "./inspection.js";
import {
  agentText,
  artifactCells,
  boundText,
  budgetLimitsRounds,
  budgetText,
  commaSeparated,
  endTexts,
  guardText,
  maxVisitsText,
  notExactNote,
  roundsByState,
  shortestText,
  specText,
  startTexts,
  toolRoundsText,
  unclearNote,
  unknownText,
  visibleName,
} from "./workflow-text.js";

/** Longer lists do not fit on a screen; `--format json` has all of them. */
const maxRows = 25;
const maxUnboundedLoops = 12;
const maxCellWidth = 36;
const labelWidth = "most tool rounds".length + 2;

interface TableRow {
  readonly cells: readonly string[];
  /** Applied to the whole line. */
  readonly paint?: (text: string) => string;
}

/** A summary on one screen; if its width is unknown, tables have their natural width. */
export function inspectionText(inspection: Inspection, columns: number | undefined, paint: Paint): string {
  const { workflow } = inspection;
  const rest = excessiveReaderPairs(inspection) === undefined ? "; --format json has them all." : ".";
  const width = Math.min(Math.max(columns ?? 80, 40), 120);
  const writer = new InspectionWriter(width, columns ?? Infinity, paint, rest);
  const lines = [
    ...heading(inspection, paint),
    "",
    ...writer.contents(inspection),
    ...(workflow === null ? [] : ["", ...writer.workflow(workflow)]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

class InspectionWriter {
  constructor(
    private readonly width: number,
    private readonly tableWidth: number,
    private readonly paint: Paint,
    /** Says where to find the rest of a list. */
    private readonly omittedSuffix: string,
  ) {}

  contents(inspection: Inspection): readonly string[] {
    return [
      ...this.item("spec", [specText(inspection)]),
      ...this.names("prompts", inspection.prompts),
      ...this.names("tools", inspection.tools),
      ...this.names("fragments", inspection.fragments),
      ...this.names("evals", inspection.evals),
      ...this.names("skills", inspection.skills),
      ...this.names("agents", inspection.agents.map(agentText)),
      ...this.names("states", inspection.workflow?.states.map(({ name }) => name) ?? []),
    ];
  }

  workflow(workflow: WorkflowInspection): readonly string[] {
    const shortest = workflow.shortestComplete?.run ?? undefined;
    return [
      this.paint.bold(workflow.version === null ? "Workflow" : `Workflow, version ${workflow.version}`),
      ...this.item("starts in", commaSeparated(startTexts(workflow), "no state")),
      ...this.item("ends in", commaSeparated(endTexts(workflow), workflow.clear ? "no state" : unknownText)),
      ...this.item("shortest run", [shortestText(workflow)]),
      ...this.indented(shortest === undefined ? [] : traceLines(shortest, this.valueWidth)),
      ...this.item("most visits", [maxVisitsText(workflow)]),
      ...this.item("budget", [budgetText(workflow)]),
      ...this.item("most tool rounds", [toolRoundsText(workflow)]),
      "",
      ...this.states(workflow),
      ...this.loops(workflow),
      ...this.artifacts(workflow.artifacts),
      ...(workflow.exact ? [] : this.note(notExactNote(workflow))),
      ...(workflow.clear ? [] : this.note(unclearNote)),
    ];
  }

  private get valueWidth(): number {
    return this.width - labelWidth;
  }

  /** A label and its value, which is wrapped between pieces if possible. */
  private item(label: string, pieces: readonly string[]): readonly string[] {
    const whole = pieces.flatMap((piece) =>
      textWidth(piece) <= this.valueWidth ? [piece] : piece.split(" "),
    );
    const lead = this.paint.dim(label.padEnd(labelWidth));
    return wrapSegments(whole, this.valueWidth).map(
      (line, index) => (index === 0 ? lead : " ".repeat(labelWidth)) + line,
    );
  }

  private names(label: string, names: readonly string[]): readonly string[] {
    if (names.length === 0) return this.item(label, ["0"]);
    return this.item(label, [`${names.length}:`, ...commaSeparated(names.map(visibleName), "")]);
  }

  private note(text: string): readonly string[] {
    return ["", ...wrapText(text, this.width).map((line) => this.paint.severity.warning(line))];
  }

  private indented(lines: readonly string[]): readonly string[] {
    return lines.map((line) => " ".repeat(labelWidth) + line);
  }

  private table<Item>(
    head: readonly string[],
    items: readonly Item[],
    rowOf: (item: Item) => TableRow,
  ): readonly string[] {
    const rows = [{ cells: head, paint: this.paint.bold }, ...items.slice(0, maxRows).map(rowOf)];
    const cells = rows.map((row) => row.cells.map((cell) => clipCell(cell, maxCellWidth)));
    const lines = alignColumns(cells, this.tableWidth).map((line, row) => rows[row]?.paint?.(line) ?? line);
    return [...lines, ...this.omittedLine(items.length - maxRows)];
  }

  private omittedLine(count: number): readonly string[] {
    return count <= 0 ? [] : [this.paint.dim(`… and ${count} more${this.omittedSuffix}`)];
  }

  private states(workflow: WorkflowInspection): readonly string[] {
    const rounds = roundsByState(workflow);
    const rowOf = (state: StateInspection): TableRow => {
      const cells = [
        visibleName(state.name),
        state.prompt === null ? "—" : visibleName(state.prompt),
        guardText(state),
        state.entered === false ? "never entered" : boundText(state.worstCaseVisits, workflow),
        ...(rounds.size === 0 ? [] : [rounds.get(state.name) ?? "—"]),
      ];
      return state.entered === false ? { cells, paint: this.paint.dim } : { cells };
    };
    const roundsHead = budgetLimitsRounds(workflow) ? "Most rounds in budget" : "Most tool rounds";
    const head = ["State", "Prompt", "Guard", "Most visits", ...(rounds.size === 0 ? [] : [roundsHead])];
    return this.table(head, workflow.states, rowOf);
  }

  private loops({ loops, clear }: WorkflowInspection): readonly string[] {
    if (loops.length === 0) return ["", clear ? "There is no loop." : "No loop is known."];
    return [
      "",
      this.paint.bold(loops.length === 1 ? "Loop" : "Loops"),
      ...loops.slice(0, maxRows).flatMap((loop, index) => [...(index === 0 ? [] : [""]), ...this.loop(loop)]),
      ...this.omittedLine(loops.length - maxRows),
    ];
  }

  private loop({ states, guards, boundBy, unbounded }: LoopInspection): readonly string[] {
    const guarded = guards.map(
      (guard) => `${visibleName(guard.state)} (${guardText(guard, "the run stops")})`,
    );
    const endless = unbounded.slice(0, maxUnboundedLoops).flatMap((loop) => {
      const claim = loop.certain ? "no guard ends" : "may never end";
      const lap = lapOf(loop.run);
      if (lap === undefined) return this.item(claim, commaSeparated(loop.states.map(visibleName), ""));
      const lines = traceLines({ steps: lap, loopFrom: 0 }, this.valueWidth);
      return [...this.item(claim, [lines[0] ?? ""]), ...this.indented(lines.slice(1))];
    });
    const paint = boundBy === "nothing" ? this.paint.severity.warning : (text: string) => text;
    return [
      ...this.item("through", commaSeparated(states.map(visibleName), "")),
      ...this.item("guards", commaSeparated(guarded, "none")),
      ...endless.map((line) => paint(line)),
      ...this.item("bounded by", [boundBy === "budget" ? "the budget alone" : (boundBy ?? unknownText)]),
    ];
  }

  private artifacts(artifacts: readonly ArtifactInspection[]): readonly string[] {
    if (artifacts.length === 0) return ["", "There are no artifacts."];
    const head = ["Artifact", "Type", "Mode", "Declared by", "Read by"];
    return ["", ...this.table(head, artifacts, (artifact) => ({ cells: artifactCells(artifact) }))];
  }
}

const maxTitleLength = 200;

/** The file, then the id, version and name of the pack. */
function heading({ file, id, name, version }: Inspection, paint: Paint): readonly string[] {
  const idAndVersion = [id, version].filter((part) => part !== null).join(" ");
  const title = [idAndVersion, name ?? ""].filter((part) => part !== "").join(": ");
  const shownTitle = clipText(escapeInvisible(title), maxTitleLength);
  return [paint.path(escapeInvisible(file)), ...(title === "" ? [] : [shownTitle])];
}
