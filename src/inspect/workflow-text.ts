import { appendTo } from "../text/collections.js";
import { escapeInvisible } from "../text/escape.js";
import { clipText } from "../text/terminal-text.js";
import { listNames, pluralize } from "../text/wording.js";
import type {
  ArtifactInspection,
  GuardInspection,
  Inspection,
  UpperBound,
  WorkflowInspection,
} from "./inspection.js";

const maxNames = 12;
const maxSpecLength = 100;
export const unknownText = "not known";

export function notExactNote({ loops }: WorkflowInspection): string {
  const hasInferredLoop = loops.some(({ unbounded }) => unbounded.some(({ certain }) => !certain));
  const inferred = ', and a loop that "may never end" is inferred from the shape of the workflow alone';
  return `There are too many runs to try them all: inexact values say "at most" or "not known"${hasInferredLoop ? inferred : ""}.`;
}

export const unclearNote =
  "Part of the workflow is missing, could not be read or leads nowhere, so nothing that depends on it is known: " +
  'run "promptpack lint".';

/** For a name without quotes around it, where an empty one would be invisible. */
export function visibleName(name: string): string {
  return name === "" ? '""' : escapeInvisible(name);
}

export function specText({ specVersion, unknownSpecVersion }: Inspection): string {
  if (unknownSpecVersion === null || unknownSpecVersion.trim() === "") return specVersion;
  return `${specVersion} (the pack names ${clipText(escapeInvisible(unknownSpecVersion), maxSpecLength)})`;
}

/** An agent and where it starts: `triage (in intake, entry)`. */
export function agentText({ name, state, entry }: Inspection["agents"][number]): string {
  const notes = [...(state === null ? [] : [`in ${visibleName(state)}`]), ...(entry ? ["entry"] : [])];
  return notes.length === 0 ? name : `${visibleName(name)} (${notes.join(", ")})`;
}

/** Each state in which a run can start, with the agents that start there: `plan (also agent planner)`. */
export function startTexts({ entries }: WorkflowInspection): readonly string[] {
  const starts = new Map<string, (string | null)[]>();
  for (const { state, agent } of entries) appendTo(starts, state, agent);
  return [...starts].map(([state, startsHere]) => {
    const agents = startsHere.flatMap((agent) => (agent === null ? [] : visibleName(agent)));
    if (agents.length === 0) return visibleName(state);
    const noun = `${agents.length < startsHere.length ? "also " : ""}${agents.length === 1 ? "agent" : "agents"}`;
    return `${visibleName(state)} (${noun} ${commaSeparated(agents, "").join(" ")})`;
  });
}

/** The ends that some run reaches. */
export function endTexts({ states }: WorkflowInspection): readonly string[] {
  return states.filter(({ ends, entered }) => ends && entered !== false).map(({ name }) => visibleName(name));
}

export function shortestText({ shortestComplete, exact, clear }: WorkflowInspection): string {
  if (shortestComplete !== null) return pluralize(shortestComplete.visits, "visit");
  return exact && clear ? "none: no run completes" : unknownText;
}

export function maxVisitsText(workflow: WorkflowInspection): string {
  const { worstCaseVisits, loops } = workflow;
  if (worstCaseVisits !== "unbounded") return boundText(worstCaseVisits, workflow);
  const [first, ...others] = loops.flatMap(({ unbounded }) => unbounded.filter(({ certain }) => certain));
  const more = others.length === 0 ? "" : ` (and ${pluralize(others.length, "more loop")})`;
  return `unbounded: no guard ends the loop through ${listNames((first?.states ?? []).map(escapeInvisible), 4)}${more}`;
}

export function budgetText({ budget, worstCaseVisits, shortestComplete }: WorkflowInspection): string {
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
export function budgetLimitsRounds({ budget }: WorkflowInspection): boolean {
  if (budget === null) return false;
  const { maxTotalVisits, maxToolCalls, verdict } = budget;
  return maxToolCalls !== null || (maxTotalVisits !== null && verdict !== "never-reached");
}

export function toolRoundsText(workflow: WorkflowInspection): string {
  const { states, worstCaseRounds } = workflow.toolUse;
  if (states.length === 0) return "0: no prompt that runs offers tools";
  if (worstCaseRounds === null) return unknownText + unknownReason(workflow);
  if (worstCaseRounds !== "unbounded") {
    const within = budgetLimitsRounds(workflow) ? ", within the budget" : "";
    // `max_tool_calls` limits a run regardless of its turns.
    const turns = worstCaseRounds === workflow.budget?.maxToolCalls ? "" : ", one turn per visit";
    return `${boundText(worstCaseRounds, workflow)}${within}${turns}`;
  }
  const endless = states.filter((state) => state.worstCaseRounds === "unbounded");
  const withoutLimit = statesWithoutRoundLimit(workflow);
  if (!endless.every(({ state }) => withoutLimit.has(state))) return "unbounded, because the visits are";
  const prompts = [
    ...new Set(endless.flatMap(({ prompt }) => (prompt === null ? [] : escapeInvisible(prompt)))),
  ];
  return `not set: ${listNames(prompts, 4)} ${prompts.length === 1 ? "sets" : "set"} no tool_policy.max_rounds`;
}

function unknownReason({ toolUse }: WorkflowInspection): string {
  const unknown = toolUse.states.filter(({ worstCaseRounds }) => worstCaseRounds === null);
  if (unknown.length === 0 || unknown.some(({ prompt }) => prompt !== null)) return "";
  const names = listNames(
    unknown.map(({ state }) => escapeInvisible(state)),
    4,
  );
  return `, because the ${unknown.length === 1 ? `prompt of ${names} is` : `prompts of ${names} are`} not`;
}

/** The column of tool rounds in the table of states. */
export function roundsByState(workflow: WorkflowInspection): ReadonlyMap<string, string> {
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
export function boundText(bound: UpperBound, { exact, clear }: WorkflowInspection): string {
  const isReached = exact && clear;
  return typeof bound === "number" && !isReached ? `at most ${bound}` : String(bound ?? unknownText);
}

/** `3 ⇒ close`, or `3, then stop`. */
export function guardText({ maxVisits, onMaxVisits, guardClear }: GuardInspection, end = "stop"): string {
  if (!guardClear) return unknownText;
  if (maxVisits === null) return "—";
  return onMaxVisits === null ? `${maxVisits}, then ${end}` : `${maxVisits} ⇒ ${visibleName(onMaxVisits)}`;
}

/** The name, types and modes of an artifact, the states that declare it, and those that read it. */
export function artifactCells(artifact: ArtifactInspection): readonly string[] {
  const { name, types, modes, declaredBy, readBy } = artifact;
  const readers = new Set(readBy.flatMap(({ prompt, states }) => (states.length === 0 ? [prompt] : states)));
  const lists = [types, modes, declaredBy, [...readers]];
  return [visibleName(name), ...lists.map((names) => commaSeparated(names.map(visibleName), "—").join(" "))];
}

/** The first names, with a comma after each but the last. */
export function commaSeparated(names: readonly string[], none: string): readonly string[] {
  if (names.length === 0) return [none];
  const shown = names.length > maxNames ? names.slice(0, maxNames - 1) : names;
  const more = names.length - shown.length;
  const all = more === 0 ? shown : [...shown, `${more} more`];
  return all.map((name, index) => (index < all.length - 1 ? `${name},` : name));
}
