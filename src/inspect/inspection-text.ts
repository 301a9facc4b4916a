import { lapOf } from "../diagnostic.js";
import { appendTo } from "../text/collections.js";
import { escapeInvisible } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import type { Paint } from "../text/paint.js";
import { alignColumns, besideLabel, clipText, wrapSegments, wrapText } from "../text/terminal-text.js";
import { commaSeparated, hintText, joinWords, listNames, pluralize } from "../text/wording.js";
import {
  type CompositionInspection,
  excessiveReaderPairs,
  type Inspection,
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

type StateInspection = WorkflowInspection["states"][number];
type ToolUse = WorkflowInspection["toolUse"]["states"][number];
type VisitCounts = Pick<WorkflowInspection, "shortestComplete" | "exact" | "clear">;
type Lines = readonly string[];

interface TableRow {
  readonly cells: Lines;
  readonly isDimmed?: boolean;
}

/** A summary on one screen; if its width is unknown, tables have their natural width. */
export function inspectionText(inspection: Inspection, columns: number | undefined, paint: Paint): string {
  const rest = excessiveReaderPairs(inspection) === undefined ? "; --format json has them all." : ".";
  const width = Math.min(Math.max(columns ?? 80, 40), 120);
  const lines = new InspectionWriter(width, columns ?? Infinity, paint, rest).lines(inspection);
  return lines.map((line) => `${line}\n`).join("");
}

class InspectionWriter {
  private readonly valueWidth: number;

  constructor(
    private readonly width: number,
    private readonly tableWidth: number,
    private readonly paint: Paint,
    private readonly omittedSuffix: string,
  ) {
    this.valueWidth = width - labelWidth;
  }

  lines(inspection: Inspection): Lines {
    const { file, id, version, name, workflow, compositions } = inspection;
    const idAndVersion = [id, version].filter((part) => part !== null).join(" ");
    const title = [idAndVersion, name ?? ""].filter((part) => part !== "").join(": ");
    return [
      this.paint.path(escapeInvisible(file)),
      ...(title === "" ? [] : [clipText(escapeInvisible(title), maxTitleLength)]),
      "",
      ...this.item("spec", [specText(inspection)]),
      ...this.contents(inspection),
      ...(workflow === null ? [] : ["", ...this.workflow(workflow)]),
      ...this.list(compositions, maxCompositions, (composition) => ["", ...this.composition(composition)]),
    ];
  }

  private contents(inspection: Inspection): Lines {
    const { prompts, tools, fragments, evals, skills, workflow } = inspection;
    const lists = {
      ...{ prompts, tools, fragments, evals, skills },
      agents: inspection.agents.map(agentText),
      providers: inspection.providers.map(providerText),
      compositions: inspection.compositions.map(({ name }) => name),
      states: workflow?.states.map(({ name }) => name) ?? [],
    };
    return Object.entries(lists).flatMap(([label, names]) => {
      if (names.length > 0) return this.item(label, [`${names.length}:`, ...nameList(names, "")]);
      // Packs before 1.5 cannot have these.
      return label === "providers" || label === "compositions" ? [] : this.item(label, ["0"]);
    });
  }

  private workflow(workflow: WorkflowInspection): Lines {
    const { version, states, shortestComplete, clear, exact, artifacts } = workflow;
    const ends = states.filter((state) => state.ends && state.entered !== false).map(({ name }) => name);
    const shortest = shortestComplete?.run ? traceLines(shortestComplete.run, this.valueWidth) : [];
    const artifactTable = this.table(
      ["Artifact", "Type", "Mode", "Declared by", "Read by"],
      artifacts,
      artifactRow,
    );
    return [
      this.paint.bold(version === null ? "Workflow" : `Workflow, version ${version}`),
      ...this.item("starts in", commas(startTexts(workflow), "no state")),
      ...this.item("ends in", nameList(ends, clear ? "no state" : unknownText)),
      ...this.hints("orchestration", workflow),
      ...this.hints("persistence", workflow),
      ...this.item("shortest run", [shortestText(workflow)]),
      ...shortest.map(indented),
      ...this.item("most visits", mostVisitsPieces(workflow)),
      ...this.item("budget", [budgetText(workflow)]),
      ...this.item("most tool rounds", [toolRoundsText(workflow)]),
      "",
      ...this.states(workflow),
      "",
      ...this.loops(workflow),
      "",
      ...(artifacts.length === 0 ? ["There are no artifacts."] : artifactTable),
      ...this.readings(workflow),
      ...(exact ? [] : this.note(notExactNote(workflow))),
      ...(clear ? [] : this.note(unclearNote)),
    ];
  }

  private item(label: string, pieces: Lines): Lines {
    const lead = this.paint.dim(label.padEnd(labelWidth));
    return besideLabel(lead, wrapSegments(pieces, this.valueWidth), indented(""));
  }

  /** The states with each value: `external (waits for a person or another system): await_approval`. */
  private hints(label: "orchestration" | "persistence", { states }: WorkflowInspection): Lines {
    const byValue = new Map<string, string[]>();
    for (const { [label]: value, name } of states) if (value !== null) appendTo(byValue, value, name);
    return [...byValue]
      .slice(0, maxNames)
      .flatMap(([value, names], index) =>
        this.item(index === 0 ? label : "", [`${hintText(visibleName(value))}:`, ...nameList(names, "")]),
      );
  }

  private note(text: string): Lines {
    return ["", ...wrapText(text, this.width).map((line) => this.paint.severity.warning(line))];
  }

  private table<Item>(head: Lines, items: readonly Item[], rowOf: (item: Item) => TableRow): Lines {
    const rows = items.slice(0, maxRows).map(rowOf);
    const cells = [head, ...rows.map((row) => row.cells)];
    const [first = "", ...lines] = alignColumns(cells, this.tableWidth, { maxCellWidth });
    const painted = lines.map((line, row) => (rows[row]?.isDimmed === true ? this.paint.dim(line) : line));
    return [this.paint.bold(first), ...painted, ...this.omitted(items.length - maxRows)];
  }

  private list<Item>(
    items: readonly Item[],
    most: number,
    linesOf: (item: Item, index: number) => Lines,
  ): Lines {
    return [...items.slice(0, most).flatMap(linesOf), ...this.omitted(items.length - most)];
  }

  private omitted(count: number): Lines {
    return count <= 0 ? [] : [this.paint.dim(`… and ${count} more${this.omittedSuffix}`)];
  }

  private states(workflow: WorkflowInspection): Lines {
    const rounds = roundsByState(workflow);
    const ifRounds = (cell: string): Lines => (rounds.size > 0 ? [cell] : []);
    const rowOf = (state: StateInspection): TableRow => {
      const { name, entered, worstCaseVisits } = state;
      const bound = entered === false ? "never entered" : boundText(worstCaseVisits, workflow);
      const others = workflow.runtimes.flatMap(({ title, exact, states }) => {
        const other = states.find((each) => each.name === name);
        return other === undefined
          ? []
          : `${boundText(other.worstCaseVisits, { ...workflow, exact })} (${title})`;
      });
      const visits = [bound, ...others].join(", ");
      const cells = [visibleName(name), runsText(state), guardText(state), visits];
      return { cells: [...cells, ...ifRounds(rounds.get(name) ?? "—")], isDimmed: entered === false };
    };
    const roundsHead = budgetLimitsRounds(workflow) ? "Most rounds in budget" : "Most tool rounds";
    const runsHead = workflow.states.some(({ composition }) => composition !== null) ? "Runs" : "Prompt";
    const head = ["State", runsHead, "Guard", "Most visits", ...ifRounds(roundsHead)];
    return this.table(head, workflow.states, rowOf);
  }

  /** Only what may be missing. */
  private readings({ readings, readingsOf }: WorkflowInspection): Lines {
    const missing = readings.filter(({ set }) => set !== "always");
    if (readings.length === 0) return [];
    const where = readingsOf === null ? "" : ` (${readingsOf})`;
    if (missing.length === 0) return ["", `All that prompts read is always set${where}.`];
    return ["", ...this.table(["State", `Reads${where}`, "Set", "Run without it"], missing, readingRow)];
  }

  private loops({ loops, clear }: WorkflowInspection): Lines {
    if (loops.length === 0) return [clear ? "There is no loop." : "No loop is known."];
    return [
      this.paint.bold(loops.length === 1 ? "Loop" : "Loops"),
      ...this.list(loops, maxRows, (loop, index) => [...(index === 0 ? [] : [""]), ...this.loop(loop)]),
    ];
  }

  private loop({ states, guards, boundBy, unbounded }: WorkflowInspection["loops"][number]): Lines {
    const guarded = guards.map(
      (guard) => `${visibleName(guard.state)} (${guardText(guard, "the run stops")})`,
    );
    const endless = unbounded.slice(0, maxUnboundedLoops).flatMap((loop) => {
      const claim = loop.certain ? "no guard ends" : "may never end";
      const lap = lapOf(loop.run);
      if (lap === undefined) return this.item(claim, nameList(loop.states, ""));
      const [first = "", ...more] = traceLines({ steps: lap, loopFrom: 0 }, this.valueWidth);
      return [...this.item(claim, [first]), ...more.map(indented)];
    });
    return [
      ...this.item("through", nameList(states, "")),
      ...this.item("guards", commas(guarded, "none")),
      ...(boundBy === "nothing" ? endless.map((line) => this.paint.severity.warning(line)) : endless),
      ...this.item("bounded by", [boundBy === "budget" ? "the budget alone" : (boundBy ?? unknownText)]),
    ];
  }

  private composition(composition: CompositionInspection): Lines {
    const { name, states, steps, clear } = composition;
    const rows = steps.flatMap((step) => stepRows(step, ""));
    return [
      this.paint.bold(clipText(`Composition ${visibleName(name)}`, this.width)),
      ...this.item("run by", nameList(states, "no state")),
      ...this.item("result", [resultText(composition)]),
      ...(clear ? [] : this.item("note", ["Part of it could not be read."])),
      "",
      ...this.table(["Step", "Kind", "Runs", "Depends on"], rows, (row) => row),
    ];
  }
}

function indented(line: string): string {
  return " ".repeat(labelWidth) + line;
}

function commas(texts: Lines, none: string): Lines {
  return texts.length === 0 ? [none] : commaSeparated(texts, maxNames);
}

function nameList(names: Lines, none: string): Lines {
  return commas(names.map(visibleName), none);
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
  return withNotes(name, [state !== null && `in ${visibleName(state)}`, entry && "entry"]);
}

/** A required model: `judge (optional)`, `voice (tts)`. */
function providerText({ key, role, optional }: Inspection["providers"][number]): string {
  return withNotes(key, [role !== "llm" && visibleName(role), optional && "optional"]);
}

function withNotes(name: string, notes: readonly (string | false)[]): string {
  const shown = notes.filter((note) => note !== false).join(", ");
  return shown === "" ? name : `${visibleName(name)} (${shown})`;
}

function runsText({ prompt, composition }: StateInspection): string {
  if (composition !== null) return `composition ${visibleName(composition)}`;
  return prompt === null ? "—" : visibleName(prompt);
}

function stepRows(step: StepInspection, indent: string): readonly TableRow[] {
  const after = nameList(step.dependsOn, "—").join(" ");
  const cells = [indent + visibleName(step.id), visibleName(step.kind), stepText(step), after];
  const inner = step.branches.flatMap((nested) => stepRows(nested, `${indent}  `));
  return [{ cells, isDimmed: step.runs === false }, ...inner];
}

/** The target of a step: `answer`, `then facts, else ask`, `barrier into all`. */
function stepText({ prompt, tool, then, else: otherwise, reduce, runs }: StepInspection): string {
  const name = prompt ?? tool;
  let what = "—";
  if (name !== null) what = visibleName(name);
  else if (then !== null)
    what = `then ${visibleName(then)}${otherwise === null ? "" : `, else ${visibleName(otherwise)}`}`;
  else if (reduce !== null) what = `${visibleName(reduce.strategy)} into ${visibleName(reduce.into)}`;
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
function startTexts({ entries }: WorkflowInspection): Lines {
  const starts = new Map<string, (string | null)[]>();
  for (const { state, agent } of entries) appendTo(starts, state, agent);
  return [...starts].map(([state, startsHere]) => {
    const agents = startsHere.filter((agent) => agent !== null);
    if (agents.length === 0) return visibleName(state);
    const noun = `${agents.length < startsHere.length ? "also " : ""}${agents.length === 1 ? "agent" : "agents"}`;
    return withNotes(state, [`${noun} ${nameList(agents, "").join(" ")}`]);
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

/** `6 (RFC 0009), unbounded (PromptKit)`. */
function mostVisitsPieces(workflow: WorkflowInspection): Lines {
  const own = maxVisitsText(workflow);
  const others = workflow.runtimes.map(
    ({ title, exact, worstCaseVisits }) => `${boundText(worstCaseVisits, { ...workflow, exact })} (${title})`,
  );
  return others.length === 0 ? [own] : commaSeparated([`${own} (RFC 0009)`, ...others]);
}

function budgetText({ budget, worstCaseVisits, shortestComplete }: WorkflowInspection): string {
  if (budget === null) return "none";
  const { maxTotalVisits: visits, maxToolCalls: calls, maxWallTimeSec: seconds, verdict } = budget;
  const limits = [
    visits !== null && pluralize(visits, "visit"),
    calls !== null && pluralize(calls, "tool call"),
    seconds !== null && pluralize(seconds, "second"),
  ].filter((limit) => limit !== false);
  const isCounted = typeof worstCaseVisits === "number";
  const most = isCounted ? pluralize(worstCaseVisits, "visit") : (worstCaseVisits ?? unknownText);
  const verdicts = {
    "too-small": `; too small: the shortest complete run takes ${pluralize(shortestComplete?.visits ?? 0, "visit")}`,
    "may-cut": `; a run can need ${most}, and is then cut short`,
    holds: "; it ends the loops that no guard ends",
    "never-reached": `; no run needs more than ${most}`,
  };
  return (limits.join(", ") || "without a limit") + (verdict === null ? "" : verdicts[verdict]);
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
  if (!endless.every(lacksRoundLimit(workflow))) return "unbounded, because the visits are";
  const prompts = endless.flatMap(({ prompt }) => prompt ?? []);
  const compositions = endless.flatMap(({ composition }) => composition ?? []);
  const parts = [
    ...missingLimit(prompts, "tool_policy.max_rounds"),
    ...missingLimit(compositions, "max_steps for an agent step"),
  ];
  return `not set: ${parts.join(", and ")}`;
}

/** `"coder" and "tester" set no tool_policy.max_rounds` */
function missingLimit(names: Lines, limit: string): Lines {
  const known = [...new Set(names.map(escapeInvisible))];
  return known.length === 0
    ? []
    : [`${listNames(known, 4)} ${known.length === 1 ? "sets" : "set"} no ${limit}`];
}

function roundsByState(workflow: WorkflowInspection): ReadonlyMap<string, string> {
  const isNotSet = lacksRoundLimit(workflow);
  const textOf = (use: ToolUse) => (isNotSet(use) ? "not set" : boundText(use.worstCaseRounds, workflow));
  return new Map(workflow.toolUse.states.map((use) => [use.state, textOf(use)]));
}

/** Whether a state has bounded visits but no `max_rounds`, which leaves the limit to the runtime. */
function lacksRoundLimit({ states, budget }: WorkflowInspection): (use: ToolUse) => boolean {
  const hasBudget = typeof budget?.maxTotalVisits === "number";
  const isEndless = ({ worstCaseVisits }: StateInspection) => worstCaseVisits === "unbounded" && !hasBudget;
  const endless = new Set(states.filter(isEndless).map(({ name }) => name));
  return ({ state, maxRounds, worstCaseRounds }) =>
    maxRounds === null && worstCaseRounds === "unbounded" && !endless.has(state);
}

/** If not all runs are known, guards and the budget still give an upper bound. */
export function boundText(bound: UpperBound, { exact, clear }: VisitCounts): string {
  const isReached = exact && clear;
  return typeof bound === "number" && !isReached ? `at most ${bound}` : String(bound ?? unknownText);
}

/** `3 ⇒ close`, or `3, then stop`. */
function guardText(
  { maxVisits, onMaxVisits, guardClear }: Pick<StateInspection, "maxVisits" | "onMaxVisits" | "guardClear">,
  end = "stop",
): string {
  if (!guardClear) return unknownText;
  if (maxVisits === null) return "—";
  return onMaxVisits === null ? `${maxVisits}, then ${end}` : `${maxVisits} ⇒ ${visibleName(onMaxVisits)}`;
}

function readingRow(reading: WorkflowInspection["readings"][number]): TableRow {
  const { state, kind, name, set, without } = reading;
  const run = without === null ? "—" : traceLines(without).join(" ");
  return { cells: [visibleName(state), `${kind} ${visibleName(name)}`, set ?? unknownText, run] };
}

function artifactRow(artifact: WorkflowInspection["artifacts"][number]): TableRow {
  const { name, types, modes, declaredBy, readBy } = artifact;
  const readers = new Set(readBy.flatMap(({ prompt, states }) => (states.length === 0 ? [prompt] : states)));
  const lists = [types, modes, declaredBy, [...readers]];
  return { cells: [visibleName(name), ...lists.map((names) => nameList(names, "—").join(" "))] };
}
