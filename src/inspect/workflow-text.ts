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
  const isGuessed = loops.some(({ unbounded }) => unbounded.some(({ certain }) => !certain));
  const guess = ', and a loop that "may never end" is judged by the shape of the workflow alone';
  return `There are too many runs to try them all: what is not exact says "at most" or "not known"${isGuessed ? guess : ""}.`;
}

export const unclearNote =
  "Part of the workflow is missing, could not be read or leads nowhere, so nothing that depends on it is known: " +
  'run "promptpack lint".';

/** A name where no quotes stand round it: an empty one would not be seen. */
export function visibleName(name: string): string {
  return name === "" ? '""' : escapeInvisible(name);
}

export function specText({ specVersion, unknownSpecVersion: named }: Inspection): string {
  return named === null || named.trim() === ""
    ? specVersion
    : `${specVersion} (the pack names ${clipText(escapeInvisible(named), maxSpecLength)})`;
}

function upperBoundText(most: UpperBound): string {
  return most === null ? unknownText : String(most);
}

/** An agent and where it starts: `triage (in intake, entry)`. */
export function agentText({ name, state, entry }: Inspection["agents"][number]): string {
  const notes = [...(state === null ? [] : [`in ${visibleName(state)}`]), ...(entry ? ["entry"] : [])];
  return notes.length === 0 ? name : `${visibleName(name)} (${notes.join(", ")})`;
}

/** Each state in which a run can start, with the agents that enter it there: `plan (also agent planner)`. */
export function startTexts({ entries }: WorkflowInspection): readonly string[] {
  const starts = new Map<string, (string | null)[]>();
  for (const { state, agent } of entries) appendTo(starts, state, agent);
  return [...starts].map(([state, agents]) => visibleName(state) + agentsText(agents));
}

/** The ends that runs come to: others have their line among the states. */
export function endTexts({ states }: WorkflowInspection): readonly string[] {
  return states.filter(({ ends, entered }) => ends && entered !== false).map(({ name }) => visibleName(name));
}

function agentsText(starts: readonly (string | null)[]): string {
  const agents = starts.flatMap((agent) => (agent === null ? [] : visibleName(agent)));
  if (agents.length === 0) return "";
  const also = agents.length < starts.length ? "also " : "";
  return ` (${also}${agents.length === 1 ? "agent" : "agents"} ${commaSeparated(agents, "").join(" ")})`;
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

function visitsText(most: UpperBound): string {
  return typeof most === "number" ? pluralize(most, "visit") : upperBoundText(most);
}

/** The budget, and what it means for the runs. */
export function budgetText({ budget, worstCaseVisits, shortestComplete }: WorkflowInspection): string {
  if (budget === null) return "none";
  const { maxTotalVisits, maxToolCalls, maxWallTimeSec, verdict } = budget;
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
      return `${limits}; a run can need ${visitsText(worstCaseVisits)}, and is then cut short`;
    case "holds":
      return `${limits}; it ends the loops that no guard ends`;
    case "never-reached":
      return `${limits}; no run needs more than ${visitsText(worstCaseVisits)}`;
    case null:
      return limits;
  }
}

/** Whether the budget may cut tool rounds off: visits are told without it. */
export function budgetLimitsRounds({ budget }: WorkflowInspection): boolean {
  if (budget === null) return false;
  const { maxTotalVisits, maxToolCalls, verdict } = budget;
  return maxToolCalls !== null || (maxTotalVisits !== null && verdict !== "never-reached");
}

export function toolRoundsText(workflow: WorkflowInspection): string {
  const { toolUse } = workflow;
  if (toolUse.states.length === 0) return "0: no prompt that runs offers tools";
  if (toolUse.worstCaseRounds !== "unbounded") {
    if (typeof toolUse.worstCaseRounds !== "number") return unknownText + unknownReason(workflow);
    const within = budgetLimitsRounds(workflow) ? ", within the budget" : "";
    // What the budget allows in all does not depend on the turns.
    const turns = toolUse.worstCaseRounds === workflow.budget?.maxToolCalls ? "" : ", one turn per visit";
    return `${boundText(toolUse.worstCaseRounds, workflow)}${within}${turns}`;
  }
  const endless = toolUse.states.filter(({ worstCaseRounds }) => worstCaseRounds === "unbounded");
  const open = statesWithoutRoundLimit(workflow);
  if (!endless.every(({ state }) => open.has(state))) return "unbounded, because the visits are";
  const prompts = [
    ...new Set(endless.flatMap(({ prompt }) => (prompt === null ? [] : escapeInvisible(prompt)))),
  ];
  return `not set: ${listNames(prompts, 4)} ${prompts.length === 1 ? "sets" : "set"} no tool_policy.max_rounds`;
}

function unknownReason({ toolUse }: WorkflowInspection): string {
  const open = toolUse.states.filter(({ worstCaseRounds }) => worstCaseRounds === null);
  if (open.length === 0 || open.some(({ prompt }) => prompt !== null)) return "";
  const states = open.map(({ state }) => escapeInvisible(state));
  const which = states.length === 1 ? "prompt" : "prompts";
  return `, because the ${which} of ${listNames(states, 4)} ${states.length === 1 ? "is" : "are"} not`;
}

/** What the table of states says of each that may call tools. */
export function roundsByState(workflow: WorkflowInspection): ReadonlyMap<string, string> {
  const open = statesWithoutRoundLimit(workflow);
  return new Map(
    workflow.toolUse.states.map(({ state, worstCaseRounds }) => [
      state,
      open.has(state) ? "not set" : boundText(worstCaseRounds, workflow),
    ]),
  );
}

/** States of which only the pack leaves the rounds open: a runtime has a limit of its own, but none for endless visits. */
function statesWithoutRoundLimit({ states, toolUse, budget }: WorkflowInspection): ReadonlySet<string> {
  const isLimited = typeof budget?.maxTotalVisits === "number";
  const endless = new Set(
    states.flatMap(({ name, worstCaseVisits }) =>
      worstCaseVisits === "unbounded" && !isLimited ? name : [],
    ),
  );
  return new Set(
    toolUse.states.flatMap(({ state, maxRounds, worstCaseRounds }) =>
      maxRounds === null && worstCaseRounds === "unbounded" && !endless.has(state) ? state : [],
    ),
  );
}

/** Where runs are not all known, guards and the budget still limit them; that one comes so far is not said then. */
export function boundText(most: UpperBound, { exact, clear }: WorkflowInspection): string {
  return typeof most === "number" && !(exact && clear) ? `at most ${most}` : upperBoundText(most);
}

/** The guard of a state, and what comes after it: `3 ⇒ close`. */
export function guardText({ maxVisits, onMaxVisits, guardClear }: GuardInspection, end = "stop"): string {
  if (!guardClear) return unknownText;
  if (maxVisits === null) return "—";
  return onMaxVisits === null ? `${maxVisits}, then ${end}` : `${maxVisits} ⇒ ${visibleName(onMaxVisits)}`;
}

/** An artifact: its name, types and modes, who declares and who reads it. */
export function artifactCells({
  name,
  types,
  modes,
  declaredBy,
  readBy,
}: ArtifactInspection): readonly string[] {
  const readers = readBy.flatMap(({ prompt, states }) => (states.length === 0 ? [prompt] : states));
  const words = [types, modes, declaredBy, [...new Set(readers)]];
  return [visibleName(name), ...words.map((names) => commaSeparated(names.map(visibleName), "—").join(" "))];
}

/** Names with a comma behind each but the last, few enough to read. */
export function commaSeparated(names: readonly string[], none: string): readonly string[] {
  if (names.length === 0) return [none];
  const shown = names.length > maxNames ? names.slice(0, maxNames - 1) : names;
  const more = names.length - shown.length;
  const all = more === 0 ? shown : [...shown, `${more} more`];
  return all.map((name, index) => (index < all.length - 1 ? `${name},` : name));
}
