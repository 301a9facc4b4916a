import { lapOf } from "../diagnostic.js";
import { appendTo } from "../text/collections.js";
import { escapeInvisible } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import type { Paint } from "../text/paint.js";
import { hintText } from "../text/state-hints.js";
import {
  alignColumns,
  clipCell,
  clipText,
  textWidth,
  wrapSegments,
  wrapText,
} from "../text/terminal-text.js";
import { joinWords, listNames, pluralize } from "../text/wording.js";
import {
  type ArtifactInspection,
  type CompositionInspection,
  excessiveReaderPairs,
  type GuardInspection,
  type Inspection,
  type LoopInspection,
  type StateInspection,
  type StepInspection,
  type UpperBound,
  type WorkflowInspection,
} from "./inspect.js";

/** Longer lists do not fit on a screen; `--format json` has all of them. */
const maxRows = 25;
const maxUnboundedLoops = 12;
const maxNames = 12;
const maxCompositions = 12;
const maxTitleLength = 200;
const maxSpecLength = 100;
const maxCellWidth = 36;
const unknownText = "not known";
const labelWidth = "most tool rounds".length + 2;

type VisitCounts = Pick<WorkflowInspection, "shortestComplete" | "exact" | "clear">;

interface TableRow {
  readonly cells: readonly string[];
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
    ...writer.compositions(inspection.compositions),
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
    const { prompts, tools, fragments, evals, skills, providers, compositions } = inspection;
    const agents = inspection.agents.map(agentText);
    const states = inspection.workflow?.states.map(({ name }) => name) ?? [];
    // Packs before 1.5 cannot have these.
    const newer = {
      ...(providers.length > 0 && { providers: providers.map(providerText) }),
      ...(compositions.length > 0 && { compositions: compositions.map(({ name }) => name) }),
    };
    const lists = { prompts, tools, fragments, evals, skills, agents, ...newer, states };
    return [
      ...this.item("spec", [specText(inspection)]),
      ...Object.entries(lists).flatMap(([label, names]) => this.names(label, names)),
    ];
  }

  workflow(workflow: WorkflowInspection): readonly string[] {
    const shortest = workflow.shortestComplete?.run ?? undefined;
    const ends = workflow.states
      .filter((state) => state.ends && state.entered !== false)
      .map((state) => visibleName(state.name));
    return [
      this.paint.bold(workflow.version === null ? "Workflow" : `Workflow, version ${workflow.version}`),
      ...this.item("starts in", commaSeparated(startTexts(workflow), "no state")),
      ...this.item("ends in", commaSeparated(ends, workflow.clear ? "no state" : unknownText)),
      ...this.hints("orchestration", workflow),
      ...this.hints("persistence", workflow),
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

  /** The states with each value: `external (waits for a person or another system): await_approval`. */
  private hints(label: "orchestration" | "persistence", { states }: WorkflowInspection): readonly string[] {
    const byValue = new Map<string, string[]>();
    for (const state of states) {
      const value = state[label];
      if (value !== null) appendTo(byValue, value, visibleName(state.name));
    }
    return [...byValue]
      .slice(0, maxNames)
      .flatMap(([value, names], index) =>
        this.item(index === 0 ? label : "", [
          `${hintText(visibleName(value))}:`,
          ...commaSeparated(names, ""),
        ]),
      );
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
        runsText(state),
        guardText(state),
        state.entered === false ? "never entered" : boundText(state.worstCaseVisits, workflow),
        ...(rounds.size === 0 ? [] : [rounds.get(state.name) ?? "—"]),
      ];
      return state.entered === false ? { cells, paint: this.paint.dim } : { cells };
    };
    const roundsHead = budgetLimitsRounds(workflow) ? "Most rounds in budget" : "Most tool rounds";
    const runsHead = workflow.states.some(({ composition }) => composition !== null) ? "Runs" : "Prompt";
    const head = ["State", runsHead, "Guard", "Most visits", ...(rounds.size === 0 ? [] : [roundsHead])];
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

  compositions(compositions: readonly CompositionInspection[]): readonly string[] {
    return [
      ...compositions
        .slice(0, maxCompositions)
        .flatMap((composition) => ["", ...this.composition(composition)]),
      ...this.omittedLine(compositions.length - maxCompositions),
    ];
  }

  private composition(composition: CompositionInspection): readonly string[] {
    const { name, states, steps, clear } = composition;
    const rowOf = ({ step, depth }: StepRow): TableRow => {
      const id = `${"  ".repeat(depth)}${visibleName(step.id)}`;
      const after = commaSeparated(step.dependsOn.map(visibleName), "—").join(" ");
      const cells = [id, visibleName(step.kind), stepText(step), after];
      return step.runs === false ? { cells, paint: this.paint.dim } : { cells };
    };
    return [
      this.paint.bold(clipText(`Composition ${visibleName(name)}`, this.width)),
      ...this.item("run by", commaSeparated(states.map(visibleName), "no state")),
      ...this.item("result", [resultText(composition)]),
      ...(clear ? [] : this.item("note", ["Part of it could not be read."])),
      "",
      ...this.table(
        ["Step", "Kind", "Runs", "Depends on"],
        steps.flatMap((step) => stepRows(step, 0)),
        rowOf,
      ),
    ];
  }

  private artifacts(artifacts: readonly ArtifactInspection[]): readonly string[] {
    if (artifacts.length === 0) return ["", "There are no artifacts."];
    const head = ["Artifact", "Type", "Mode", "Declared by", "Read by"];
    return ["", ...this.table(head, artifacts, (artifact) => ({ cells: artifactCells(artifact) }))];
  }
}

/** The file, then the id, version and name of the pack. */
function heading({ file, id, name, version }: Inspection, paint: Paint): readonly string[] {
  const idAndVersion = [id, version].filter((part) => part !== null).join(" ");
  const title = [idAndVersion, name ?? ""].filter((part) => part !== "").join(": ");
  const shownTitle = clipText(escapeInvisible(title), maxTitleLength);
  return [paint.path(escapeInvisible(file)), ...(title === "" ? [] : [shownTitle])];
}

function notExactNote({ loops }: WorkflowInspection): string {
  const hasInferredLoop = loops.some(({ unbounded }) => unbounded.some(({ certain }) => !certain));
  const inferred = ', and a loop that "may never end" is inferred from the shape of the workflow alone';
  return `There are too many runs to try them all: inexact values say "at most" or "not known"${hasInferredLoop ? inferred : ""}.`;
}

const unclearNote =
  "Part of the workflow is missing, could not be read or leads nowhere, so nothing that depends on it is known: " +
  'run "promptpack lint".';

/** For a name without quotes around it, where an empty one would be invisible. */
function visibleName(name: string): string {
  return name === "" ? '""' : escapeInvisible(name);
}

function specText({ specVersion, unknownSpecVersion }: Inspection): string {
  if (unknownSpecVersion === null || unknownSpecVersion.trim() === "") return specVersion;
  return `${specVersion} (the pack names ${clipText(escapeInvisible(unknownSpecVersion), maxSpecLength)})`;
}

/** An agent and where it starts: `triage (in intake, entry)`. */
function agentText({ name, state, entry }: Inspection["agents"][number]): string {
  const notes = [...(state === null ? [] : [`in ${visibleName(state)}`]), ...(entry ? ["entry"] : [])];
  return notes.length === 0 ? name : `${visibleName(name)} (${notes.join(", ")})`;
}

/** A required model: `judge (optional)`, `voice (tts)`. */
function providerText({ key, role, optional }: Inspection["providers"][number]): string {
  const notes = [...(role === "llm" ? [] : [role]), ...(optional ? ["optional"] : [])];
  return notes.length === 0 ? key : `${visibleName(key)} (${notes.map(visibleName).join(", ")})`;
}

function runsText({ prompt, composition }: StateInspection): string {
  if (composition !== null) return `composition ${visibleName(composition)}`;
  return prompt === null ? "—" : visibleName(prompt);
}

/** A row of the table of steps; those inside a `parallel` are indented. */
interface StepRow {
  readonly step: StepInspection;
  readonly depth: number;
}

function stepRows(step: StepInspection, depth: number): readonly StepRow[] {
  return [{ step, depth }, ...step.branches.flatMap((nested) => stepRows(nested, depth + 1))];
}

/** The target of a step: `answer`, `then facts, else ask`, `barrier into all`. */
function stepText(step: StepInspection): string {
  const { prompt, tool, then, reduce, runs } = step;
  const otherwise = step.else === null ? "" : `, else ${visibleName(step.else)}`;
  const merged =
    reduce === null ? undefined : `${visibleName(reduce.strategy)} into ${visibleName(reduce.into)}`;
  const name = prompt ?? tool;
  const what =
    name === null
      ? then === null
        ? (merged ?? "—")
        : `then ${visibleName(then)}${otherwise}`
      : visibleName(name);
  return runs === false ? `${what} (never runs)` : what;
}

/** `reply; none, so it fails, when route is false`. */
function resultText({ results, withoutResult, output, clear }: CompositionInspection): string {
  if (!clear || results === null) return output === null ? unknownText : visibleName(output);
  if (results.length === 0) return "none: it always fails";
  const names = joinWords(results.slice(0, maxNames).map(visibleName), "or");
  const more = results.length > maxNames ? `, or ${results.length - maxNames} more` : "";
  if (withoutResult === null) return names + more;
  const when = withoutResult
    .slice(0, maxNames)
    .map(({ branch, answer }) => `${visibleName(branch)} is ${answer}`);
  return `${names}${more}; none, so that it fails, when ${joinWords(when, "and")}`;
}

/** Each state in which a run can start, with the agents that start there: `plan (also agent planner)`. */
function startTexts({ entries }: WorkflowInspection): readonly string[] {
  const starts = new Map<string, (string | null)[]>();
  for (const { state, agent } of entries) appendTo(starts, state, agent);
  return [...starts].map(([state, startsHere]) => {
    const agents = startsHere.flatMap((agent) => (agent === null ? [] : visibleName(agent)));
    if (agents.length === 0) return visibleName(state);
    const noun = `${agents.length < startsHere.length ? "also " : ""}${agents.length === 1 ? "agent" : "agents"}`;
    return `${visibleName(state)} (${noun} ${commaSeparated(agents, "").join(" ")})`;
  });
}

export function shortestText({ shortestComplete, exact, clear }: VisitCounts): string {
  if (shortestComplete !== null) return pluralize(shortestComplete.visits, "visit");
  return exact && clear ? "none: no run completes" : unknownText;
}

function maxVisitsText(workflow: WorkflowInspection): string {
  const { worstCaseVisits, loops } = workflow;
  if (worstCaseVisits !== "unbounded") return boundText(worstCaseVisits, workflow);
  const [first, ...others] = loops.flatMap(({ unbounded }) => unbounded.filter(({ certain }) => certain));
  const more = others.length === 0 ? "" : ` (and ${pluralize(others.length, "more loop")})`;
  return `unbounded: no guard ends the loop through ${listNames((first?.states ?? []).map(escapeInvisible), 4)}${more}`;
}

function budgetText({ budget, worstCaseVisits, shortestComplete }: WorkflowInspection): string {
  if (budget === null) return "none";
  const { maxTotalVisits, maxToolCalls, maxWallTimeSec, verdict } = budget;
  const most =
    typeof worstCaseVisits === "number"
      ? pluralize(worstCaseVisits, "visit")
      : (worstCaseVisits ?? unknownText);
  const parts = [
    ...(maxTotalVisits === null ? [] : [pluralize(maxTotalVisits, "visit")]),
    ...(maxToolCalls === null ? [] : [pluralize(maxToolCalls, "tool call")]),
    ...(maxWallTimeSec === null ? [] : [pluralize(maxWallTimeSec, "second")]),
  ];
  const limits = parts.length === 0 ? "without a limit" : parts.join(", ");
  switch (verdict) {
    case "too-small":
      return `${limits}; too small: the shortest complete run takes ${pluralize(shortestComplete?.visits ?? 0, "visit")}`;
    case "may-cut":
      return `${limits}; a run can need ${most}, and is then cut short`;
    case "holds":
      return `${limits}; it ends the loops that no guard ends`;
    case "never-reached":
      return `${limits}; no run needs more than ${most}`;
    case null:
      return limits;
  }
}

/** Whether tool rounds are counted within the budget, unlike visits. */
function budgetLimitsRounds({ budget }: WorkflowInspection): boolean {
  if (budget === null) return false;
  const { maxTotalVisits, maxToolCalls, verdict } = budget;
  return maxToolCalls !== null || (maxTotalVisits !== null && verdict !== "never-reached");
}

function toolRoundsText(workflow: WorkflowInspection): string {
  const { states, worstCaseRounds } = workflow.toolUse;
  if (states.length === 0) return "0: no prompt that runs offers tools";
  if (worstCaseRounds === null) return unknownText;
  if (worstCaseRounds !== "unbounded") {
    const within = budgetLimitsRounds(workflow) ? ", within the budget" : "";
    // `max_tool_calls` limits a run regardless of its turns.
    const turns = worstCaseRounds === workflow.budget?.maxToolCalls ? "" : ", one turn per visit";
    return `${boundText(worstCaseRounds, workflow)}${within}${turns}`;
  }
  const endless = states.filter((state) => state.worstCaseRounds === "unbounded");
  const withoutLimit = statesWithoutRoundLimit(workflow);
  if (!endless.every(({ state }) => withoutLimit.has(state))) return "unbounded, because the visits are";
  const parts = [
    missingLimit(
      endless.map(({ prompt }) => prompt),
      "tool_policy.max_rounds",
    ),
    missingLimit(
      endless.map(({ composition }) => composition),
      "max_steps for an agent step",
    ),
  ];
  return `not set: ${parts.filter((part) => part !== "").join(", and ")}`;
}

/** `"coder" and "tester" set no tool_policy.max_rounds`; empty for no names. */
function missingLimit(names: readonly (string | null)[], limit: string): string {
  const known = [...new Set(names.flatMap((name) => (name === null ? [] : escapeInvisible(name))))];
  return known.length === 0
    ? ""
    : `${listNames(known, 4)} ${known.length === 1 ? "sets" : "set"} no ${limit}`;
}

function roundsByState(workflow: WorkflowInspection): ReadonlyMap<string, string> {
  const withoutLimit = statesWithoutRoundLimit(workflow);
  return new Map(
    workflow.toolUse.states.map(({ state, worstCaseRounds }) => [
      state,
      withoutLimit.has(state) ? "not set" : boundText(worstCaseRounds, workflow),
    ]),
  );
}

/** States with bounded visits but no `max_rounds`, which leaves the limit to the runtime. */
function statesWithoutRoundLimit({ states, toolUse, budget }: WorkflowInspection): ReadonlySet<string> {
  const hasBudget = typeof budget?.maxTotalVisits === "number";
  const endless = new Set(
    states.flatMap(({ name, worstCaseVisits }) =>
      worstCaseVisits === "unbounded" && !hasBudget ? name : [],
    ),
  );
  return new Set(
    toolUse.states.flatMap(({ state, maxRounds, worstCaseRounds }) =>
      maxRounds === null && worstCaseRounds === "unbounded" && !endless.has(state) ? state : [],
    ),
  );
}

/** If not all runs are known, guards and the budget still give an upper bound. */
export function boundText(bound: UpperBound, { exact, clear }: VisitCounts): string {
  const isReached = exact && clear;
  return typeof bound === "number" && !isReached ? `at most ${bound}` : String(bound ?? unknownText);
}

/** `3 ⇒ close`, or `3, then stop`. */
function guardText({ maxVisits, onMaxVisits, guardClear }: GuardInspection, end = "stop"): string {
  if (!guardClear) return unknownText;
  if (maxVisits === null) return "—";
  return onMaxVisits === null ? `${maxVisits}, then ${end}` : `${maxVisits} ⇒ ${visibleName(onMaxVisits)}`;
}

function artifactCells(artifact: ArtifactInspection): readonly string[] {
  const { name, types, modes, declaredBy, readBy } = artifact;
  const readers = new Set(readBy.flatMap(({ prompt, states }) => (states.length === 0 ? [prompt] : states)));
  const lists = [types, modes, declaredBy, [...readers]];
  return [visibleName(name), ...lists.map((names) => commaSeparated(names.map(visibleName), "—").join(" "))];
}

/** The first names, with a comma after each but the last. */
function commaSeparated(names: readonly string[], none: string): readonly string[] {
  if (names.length === 0) return [none];
  const shown = names.length > maxNames ? names.slice(0, maxNames - 1) : names;
  const more = names.length - shown.length;
  const all = more === 0 ? shown : [...shown, `${more} more`];
  return all.map((name, index) => (index < all.length - 1 ? `${name},` : name));
}
