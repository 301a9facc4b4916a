import type { Outcome, RunStatus } from "../machine/run.js";
import type { State } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { escapeInvisible } from "../text/escape.js";
import type { Paint } from "../text/paint.js";
import { hintText } from "../text/state-hints.js";
import { clipText, textWidth, wrapText } from "../text/terminal-text.js";
import { listNames, pluralize } from "../text/wording.js";
import { promptVariables, type RenderedPrompt, renderPrompt } from "./render-prompt.js";
import type { Failure, Simulation } from "./simulation.js";
import { transitionTable } from "./transition-table.js";
import { walkTexts } from "./walk-text.js";

function runStatusText(simulation: Simulation): string {
  const { status, current, totalVisits, end } = simulation;
  const visits = pluralize(totalVisits, "visit");
  const where = `in "${current.name}"`;
  const event = `"${end.event ?? ""}"`;
  switch (status) {
    case "complete":
      return `Complete ${where} after ${visits}.`;
    case "running":
      return `Still running ${where} after ${visits}.${budgetText(simulation.budgetLeft)}`;
    case "budget-exhausted":
      return `Budget exhausted ${where}${exhaustedText(simulation, visits, event)}`;
    case "stuck":
      return `Stuck ${where} after ${visits}: ${event} leads to ${forcedPathText(end)}, and forced exits lead back to "${simulation.lastForcedExitTarget ?? ""}".`;
    case "lost":
      return `Broken off ${where} after ${visits}: ${lostRunText(end, simulation.lastForcedExitTarget)}`;
  }
}

function exhaustedText({ end, spent, setting }: Simulation, visits: string, event: string): string {
  const { maxToolCalls, maxWallTimeSec } = setting.budget ?? {};
  switch (end.limit) {
    case "max_tool_calls":
      return `: it allows ${pluralize(maxToolCalls?.value ?? 0, "tool call")}, and ${spent.toolCalls} were made before ${event}.`;
    case "max_wall_time_sec":
      return `: it allows ${pluralize(maxWallTimeSec?.value ?? 0, "second")}, and ${spent.seconds} passed before ${event}.`;
    case "max_total_visits":
      return `: it allows ${visits}, and ${event} would need another.`;
    default:
      return ` after ${visits}: ${event} leads to ${forcedPathText(end)}, which is spent and has no on_max_visits.`;
  }
}

/** Names the limits of the budget that nothing was counted against. */
function notSimulatedNote({ setting, spent }: Simulation): string | undefined {
  const { maxToolCalls, maxWallTimeSec } = setting.budget ?? {};
  const limits = [
    { name: "max_tool_calls", limit: maxToolCalls, used: spent.toolCalls, reason: "no tool is called" },
    { name: "max_wall_time_sec", limit: maxWallTimeSec, used: spent.seconds, reason: "no time passes" },
  ].filter(({ limit, used }) => limit !== undefined && used === 0);
  if (limits.length === 0) return undefined;
  const names = limits.map(({ name, limit }) => `${name} (${limit?.value})`).join(" and ");
  return `Not simulated: ${names} of the budget, since ${limits.map(({ reason }) => reason).join(" and ")}.`;
}

function budgetText(left: number | undefined): string {
  if (left === undefined) return "";
  return left === 0 ? " The budget allows no more." : ` The budget allows ${left} more.`;
}

function forcedPathText({ target, forced }: Failure): string {
  const path = forced ?? (target === undefined ? [] : [target]);
  return path.map((name) => `"${name}"`).join(" ⇒ ");
}

/** Why an event leads nowhere; `exit` is the `on_max_visits` of the last spent state, if it could be read. */
export function lostRunText(failure: Failure, exit: string | undefined): string {
  const { event = "", target, forced = [] } = failure;
  if (forced.length === 0 && target === undefined) return `the target of "${event}" could not be read.`;
  const path = `"${event}" leads to ${forcedPathText(failure)}`;
  if (forced.length === 0) return `${path}, which is not a state.`;
  if (exit === undefined) return `${path}, whose guard could not be read.`;
  return `${path}, which is spent and whose on_max_visits "${exit}" is not a state.`;
}

const maxListed = 50;

/** The current state, the first lines of its prompt, its artifacts, and where each event leads. */
export function stateScreen(
  simulation: Simulation,
  state: State | undefined,
  promptLines: number | undefined,
  width: number,
  paint: Paint,
): string {
  const prompt = promptLines === undefined ? [] : firstLines(state, promptLines, width - 4);
  const lines = [
    "",
    `${paint.bold(escapeInvisible(simulation.current.name))}  ${paint.dim(countsText(simulation))}`,
    ...[...compositionHint(state), ...hintsOf(state)].map((hint) =>
      paint.dim(`  ${clipText(escapeInvisible(hint), width - 2)}`),
    ),
    ...prompt.map((line) => paint.dim(`  │ ${line}`.trimEnd())),
    ...artifactLines(simulation, width).map((line) => `  ${line}`),
    ...eventLines(simulation, width, paint).map((line) => `  ${line}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function compositionHint(state: State | undefined): readonly string[] {
  return state?.runsComposition === true
    ? [`runs the composition "${state.compositionName?.text ?? ""}"`]
    : [];
}

/** What `orchestration` and `persistence` say; what a composition does is shown by itself. */
export function hintsOf(state: State | undefined): readonly string[] {
  const orchestration = state?.runsComposition === true ? undefined : state?.orchestration;
  return [orchestration, state?.persistence].flatMap((value) =>
    value === undefined ? [] : hintText(value.text),
  );
}

/** The hints of the states that the run entered, each with its states. */
function hintNotes(simulation: Simulation): readonly string[] {
  const byHint = new Map<string, string[]>();
  for (const state of enteredStates(simulation))
    for (const hint of hintsOf(state)) appendTo(byHint, hint, state.name.text);
  return [...byHint].slice(0, maxListed).map(([hint, names]) => `${hint}: ${listNames(names, 12)}.`);
}

/** Each state once, in the order of the first visits. */
function enteredStates({ start, transitions, setting }: Simulation): readonly State[] {
  const names = new Set([start.state, ...transitions.map(({ to }) => to)]);
  return [...names].flatMap((name) => setting.workflow.stateNamed(name) ?? []);
}

/** Names the states that the run entered and whose composition it could not walk through. */
function unreadCompositionNote(simulation: Simulation): string | undefined {
  const names = enteredStates(simulation)
    .filter(({ runsComposition, composition }) => runsComposition && composition?.isClear !== true)
    .map(({ name }) => name.text);
  if (names.length === 0) return undefined;
  const many = names.length > 1;
  return `Not simulated: the composition${many ? "s" : ""} of ${listNames(names)}, since ${many ? "they" : "it"} could not be read.`;
}

export function countsText(simulation: Simulation): string {
  const { current, totalVisits, budgetLeft } = simulation;
  const of = current.maxVisits === undefined ? "" : ` of ${current.maxVisits}`;
  const budget = budgetLeft === undefined ? "" : `, budget for ${budgetLeft} more`;
  return `visit ${simulation.visits(current.index)}${of} · ${pluralize(totalVisits, "visit")} in all${budget}`;
}

function firstLines(state: State | undefined, most: number, width: number): readonly string[] {
  const template = state?.prompt?.systemTemplate?.text.text;
  const lines = template?.trim().split(/\r?\n/u, most + 1) ?? [];
  const shown = lines.slice(0, most).map((line) => clipText(escapeInvisible(line), width));
  return lines.length > most ? [...shown, "…"] : shown;
}

function artifactLines(simulation: Simulation, width: number): readonly string[] {
  return [...simulation.declaredArtifacts].slice(0, maxListed).map(([name, mode]) => {
    const value = simulation.artifacts.get(name) ?? "—";
    const writes = simulation.pendingWrites.filter((write) => write.name === name);
    const next = writes.length === 0 ? "" : `, then ${writes.map((write) => write.value).join(", ")}`;
    const how = mode.appends ? " (append)" : "";
    return clipText(escapeInvisible(`${name}${how}: ${value}${next}`), width - 2);
  });
}

function eventLines(simulation: Simulation, width: number, paint: Paint): readonly string[] {
  const shown = simulation.events.slice(0, maxListed);
  const names = shown.map((event) => escapeInvisible(simulation.current.edges[event]?.event ?? ""));
  // Very long names do not widen the column.
  const widths = names.map((name) => textWidth(name)).filter((wide) => wide <= width / 2);
  const widest = Math.max(0, ...widths);
  const digits = String(shown.length).length;
  const lines = shown.map((event, index) => {
    const name = names[index] ?? "";
    const padded = name + " ".repeat(Math.max(0, widest - textWidth(name)));
    return `${String(index + 1).padStart(digits)}  ${paint.bold(padded)}  ${outcomeText(simulation, event)}`;
  });
  const more = simulation.events.length - shown.length;
  return more === 0 ? lines : [...lines, `… and ${more} more, by number or name`];
}

/** `→ implement`, or `→ implement (spent) ⇒ review`. */
export function outcomeText(simulation: Simulation, event: number): string {
  if (simulation.isBudgetSpent) return "✗ the budget is used up";
  const outcome = simulation.peek(event);
  const target = escapeInvisible(simulation.current.edges[event]?.transition?.target?.text ?? "?");
  if (outcome.forced.length === 0)
    return outcome.kind === "entered" ? `→ ${target}` : `✗ "${target}" is not a state`;
  const nameOf = (state: number): string => escapeInvisible(simulation.machine.states[state]?.name ?? "");
  const spent = outcome.forced.map((state) => `${nameOf(state)} (spent)`).join(" ⇒ ");
  return outcome.kind === "entered"
    ? `→ ${spent} ⇒ ${nameOf(outcome.state)}`
    : `→ ${spent} ✗ ${failureText(outcome, simulation.forcedExitTarget(outcome))}`;
}

function failureText(outcome: Exclude<Outcome, { kind: "entered" }>, exit: string | undefined): string {
  switch (outcome.kind) {
    case "stopped":
      return "the run ends, budget-exhausted: there is no on_max_visits";
    case "stuck":
      return "the run is stuck: forced exits form a cycle";
    case "dangling":
      return exit === undefined
        ? "its guard could not be read"
        : `on_max_visits "${escapeInvisible(exit)}" is not a state`;
  }
}

/** The transition table, how the run ended, and the prompt if requested. */
export function runText(paint: Paint, simulation: Simulation, isInteractive: boolean, width: number): string {
  // An interactive session has already shown the prompts, the hints and how the run ended.
  const hints = isInteractive ? [] : hintNotes(simulation);
  const notes = [...hints, notSimulatedNote(simulation), unreadCompositionNote(simulation)].flatMap(
    (note) => note ?? [],
  );
  const { modes, render } = simulation.setting;
  const hasShownEnding = isInteractive && simulation.status !== "running";
  const below = [
    ...(hasShownEnding ? [] : [`${formatEnding(simulation, paint, width)}\n`]),
    ...notes.flatMap((note) => wrapText(escapeInvisible(note), width)).map((line) => `${paint.dim(line)}\n`),
  ];
  return [
    transitionTable(simulation, modes.names),
    ...walkTexts(simulation, width, paint),
    ...(below.length === 0 ? [] : ["\n", ...below]),
    ...(render && !isInteractive ? [`\n${promptText(simulation, paint)}`] : []),
  ].join("");
}

export function formatEnding(simulation: Simulation, paint: Paint, width: number): string {
  const { info, warning, error } = paint.severity;
  const painted: Readonly<Record<RunStatus, (text: string) => string>> = {
    complete: paint.success,
    running: info,
    "budget-exhausted": warning,
    stuck: error,
    lost: error,
  };
  const lines = wrapText(escapeInvisible(runStatusText(simulation)), width);
  return lines.map((line) => painted[simulation.status](line)).join("\n");
}

export function renderCurrentPrompt(
  simulation: Simulation,
): (RenderedPrompt & { readonly state: string; readonly prompt: string }) | undefined {
  const { pack, workflow, modes, variables } = simulation.setting;
  const prompt = workflow.states[simulation.current.index]?.prompt;
  if (prompt === undefined) return undefined;
  const rendered = renderPrompt(pack, prompt, {
    variables: promptVariables(prompt, variables),
    artifacts: simulation.artifacts,
    artifactNames: new Set(modes.names),
    items: [],
  });
  return rendered === undefined
    ? undefined
    : { state: simulation.current.name, prompt: prompt.key.text, ...rendered };
}

export function promptText(simulation: Simulation, paint: Paint): string {
  const rendered = renderCurrentPrompt(simulation);
  const state = simulation.setting.workflow.states[simulation.current.index];
  if (state?.runsComposition === true)
    return `State "${escapeInvisible(state.name.text)}" runs a composition, and has no prompt of its own to show.\n`;
  if (rendered === undefined)
    return `State "${escapeInvisible(simulation.current.name)}" has no prompt to show.\n`;
  const { prompt, text, left, cut } = rendered;
  const notes = [
    ...(cut ? ["The prompt is longer than this; the rest is not shown."] : []),
    ...(left.length > 0 ? [`Not filled in: ${listNames(left.map(oneLine), 8)}.`] : []),
  ];
  const lines = [
    paint.bold(`The prompt "${escapeInvisible(prompt)}" in "${escapeInvisible(simulation.current.name)}"`),
    ...text
      .replace(/\n$/u, "")
      .split(/\r?\n/u)
      .map((line) => `  ${escapeInvisible(line)}`.trimEnd()),
    ...notes.map((note) => paint.dim(escapeInvisible(note))),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function oneLine(source: string): string {
  const line = source.replace(/\s+/gu, " ");
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
