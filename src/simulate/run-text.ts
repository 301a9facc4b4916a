import type { ChosenWalk, WalkFailure } from "../composition/choose-walk.js";
import type { Step } from "../composition/composition.js";
import { predicateText } from "../composition/predicate.js";
import { appends } from "../machine/artifact-values.js";
import { artifactNames, DANGLING } from "../machine/machine.js";
import type { Failure, RunStatus } from "../machine/run.js";
import type { Prompt } from "../pack/prompt.js";
import type { State } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { escapeInvisible } from "../text/escape.js";
import type { Paint } from "../text/paint.js";
import { besideLabel, clipText, textWidth, wrapSegments, wrapText } from "../text/terminal-text.js";
import { commaSeparated, hintText, listNames, pluralize } from "../text/wording.js";
import { yesOrNo } from "./drive-simulation.js";
import { renderAsSent, renderPrompt, type SentPrompt } from "./render-prompt.js";
import type { CompositionVisit, Simulation, TransitionRecord } from "./simulation.js";
import { transitionTable } from "./transition-table.js";
import { maskSecrets } from "../text/secrets.js";

function endingText(simulation: Simulation): string {
  const { status, current, totalVisits, budgetLeft, failure } = simulation;
  const where = `in "${current.name}"`;
  const visits = pluralize(totalVisits, "visit");
  if (failure === undefined) {
    if (status === "complete") return `Complete ${where} after ${visits}.`;
    const left =
      budgetLeft === undefined ? "" : ` The budget allows ${budgetLeft === 0 ? "no" : budgetLeft} more.`;
    return `Still running ${where} after ${visits}.${left}`;
  }
  if (status === "budget-exhausted") return `Budget exhausted ${where}${exhaustedText(simulation, failure)}`;
  if (status === "lost") return `Broken off ${where} after ${visits}: ${lostRunText(failure)}`;
  return `Stuck ${where} after ${visits}: ${pathText(failure)}, and forced exits lead back to "${failure.exit ?? ""}".`;
}

function exhaustedText({ limit, totalVisits, spent, setting }: Simulation, failure: Failure): string {
  const { maxToolCalls, maxWallTimeSec } = setting.budget ?? {};
  const event = `"${failure.event}"`;
  const visits = pluralize(totalVisits, "visit");
  switch (limit) {
    case "max_tool_calls":
      return `: it allows ${pluralize(maxToolCalls?.value ?? 0, "tool call")}, and ${spent.toolCalls} were made before ${event}.`;
    case "max_wall_time_sec":
      return `: it allows ${pluralize(maxWallTimeSec?.value ?? 0, "second")}, and ${spent.seconds} passed before ${event}.`;
    case "max_total_visits":
      return `: it allows ${visits}, and ${event} would need another.`;
    case undefined:
      return ` after ${visits}: ${pathText(failure)}, which is spent and has no on_max_visits.`;
  }
}

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

/** `"Done" leads to "spent" ⇒ "also spent"`. */
function pathText({ event, target, forced }: Failure): string {
  const path = forced ?? (target === undefined ? [] : [target]);
  return `"${event}" leads to ${path.map((name) => `"${name}"`).join(" ⇒ ")}`;
}

export function lostRunText(failure: Failure): string {
  const { event, target, forced, exit } = failure;
  if (forced === undefined && target === undefined) return `the target of "${event}" could not be read.`;
  const path = pathText(failure);
  if (forced === undefined) return `${path}, which is not a state.`;
  if (exit === undefined) return `${path}, whose guard could not be read.`;
  return `${path}, which is spent and whose on_max_visits "${exit}" is not a state.`;
}

const maxListed = 50;

export function stateScreen(simulation: Simulation, width: number, paint: Paint): string {
  const { current, currentState } = simulation;
  const [counts = "", ...hints] = aboutState(simulation);
  const prompt = simulation.setting.render ? [] : firstLines(currentState, width - 4);
  return textOf([
    "",
    `${paint.bold(escapeInvisible(current.name))}  ${paint.dim(counts)}`,
    ...hints.map((hint) => paint.dim(`  ${clipText(escapeInvisible(hint), width - 2)}`)),
    ...prompt.map((line) => paint.dim(`  │ ${line}`.trimEnd())),
    ...[...artifactLines(simulation, width), ...eventLines(simulation, width, paint)].map(
      (line) => `  ${line}`,
    ),
  ]);
}

export function aboutState(simulation: Simulation): readonly string[] {
  const { current, currentState: state, totalVisits, budgetLeft } = simulation;
  const of = current.maxVisits === undefined ? "" : ` of ${current.maxVisits}`;
  const budget = budgetLeft === undefined ? "" : `, budget for ${budgetLeft} more`;
  return [
    `visit ${simulation.visits(current.index)}${of} · ${pluralize(totalVisits, "visit")} in all${budget}`,
    ...(state?.runsComposition === true
      ? [`runs the composition "${state.compositionName?.text ?? ""}"`]
      : []),
    ...hintsOf(state),
  ];
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Without `orchestration` where there is a composition, whose steps are shown. */
function hintsOf(state: State | undefined): readonly string[] {
  const orchestration = state?.runsComposition === true ? undefined : state?.orchestration;
  return [orchestration, state?.persistence].flatMap((value) =>
    value === undefined ? [] : hintText(value.text),
  );
}

function entryNotes({ start, transitions, setting }: Simulation) {
  const names = new Set([start.state, ...transitions.flatMap(({ to }) => to ?? [])]);
  const entered = [...names].flatMap((name) => setting.workflow.stateNamed(name) ?? []);
  const byHint = new Map<string, string[]>();
  for (const state of entered) for (const hint of hintsOf(state)) appendTo(byHint, hint, state.name.text);
  const hints = [...byHint].slice(0, maxListed).map(([hint, states]) => `${hint}: ${listNames(states, 12)}.`);
  const unread = entered
    .filter(({ runsComposition, composition }) => runsComposition && composition?.isClear !== true)
    .map(({ name }) => name.text);
  const [s, they] = unread.length > 1 ? ["s", "they"] : ["", "it"];
  const note = `Not simulated: the composition${s} of ${listNames(unread)}, since ${they} could not be read.`;
  return { hints, unread: unread.length === 0 ? undefined : note };
}

const maxPromptLines = 3;

function firstLines(state: State | undefined, width: number): readonly string[] {
  const template = state?.prompt?.systemTemplate?.text.text;
  const lines =
    template === undefined
      ? []
      : maskSecrets(template)
          .trim()
          .split(/\r?\n/u, maxPromptLines + 1);
  const shown = lines.slice(0, maxPromptLines).map((line) => clipText(escapeInvisible(line), width));
  return lines.length > maxPromptLines ? [...shown, "…"] : shown;
}

function artifactLines(simulation: Simulation, width: number): readonly string[] {
  return [...simulation.declaredArtifacts].slice(0, maxListed).map(([name, artifact]) => {
    const value = simulation.artifacts.get(name) ?? "—";
    const writes = simulation.turn.artifacts.flatMap((write) => (write.name === name ? write.value : []));
    const next = writes.length === 0 ? "" : `, then ${writes.join(", ")}`;
    return clipText(
      escapeInvisible(`${name}${appends(artifact) ? " (append)" : ""}: ${value}${next}`),
      width - 2,
    );
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
  const { forced } = outcome;
  const { states } = simulation.machine;
  const target = escapeInvisible(simulation.current.edges[event]?.transition?.target?.text ?? "?");
  if (forced.length === 0) return outcome.kind === "entered" ? `→ ${target}` : `✗ "${target}" is not a state`;
  const nameOf = (state: number): string => escapeInvisible(states[state]?.name ?? "");
  const path = `→ ${forced.map((state) => `${nameOf(state)} (spent)`).join(" ⇒ ")}`;
  if (outcome.kind === "entered") return `${path} ⇒ ${nameOf(outcome.state)}`;
  if (simulation.isRefused(outcome)) return `${path} ✗ refused: there is no on_max_visits`;
  if (outcome.kind === "stopped")
    return `${path} ✗ the run ends, budget-exhausted: there is no on_max_visits`;
  if (outcome.kind === "stuck") return `${path} ✗ the run is stuck: forced exits form a cycle`;
  const exit = states[forced.at(-1) ?? DANGLING]?.forcedExitName;
  if (exit === undefined) return `${path} ✗ its guard could not be read`;
  return `${path} ✗ on_max_visits "${escapeInvisible(exit)}" is not a state`;
}

export function runText(paint: Paint, simulation: Simulation, isInteractive: boolean, width: number): string {
  const { hints, unread } = entryNotes(simulation);
  // An interactive session has already shown the prompts, the hints and how the run ended.
  const refused = simulation.transitions.flatMap((record) => refusedText(simulation, record) ?? []);
  const notes = [
    ...(isInteractive ? [] : [...new Set(refused)].slice(0, maxListed)),
    ...(isInteractive ? [] : hints),
    notSimulatedNote(simulation),
    unread,
  ];
  const { machine, render } = simulation.setting;
  const hasShownEnding = isInteractive && simulation.status !== "running";
  const below = [
    ...(hasShownEnding ? [] : [formatEnding(simulation, paint, width)]),
    ...notes
      .flatMap((note) => (note === undefined ? [] : wrapText(escapeInvisible(note), width)))
      .map(paint.dim),
  ];
  return [
    transitionTable(simulation, artifactNames(machine)),
    ...walkTexts(simulation, width, paint),
    textOf(below.length === 0 ? [] : ["", ...below]),
    render && !isInteractive ? `\n${promptText(simulation, paint)}` : "",
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
  const lines = wrapText(escapeInvisible(endingText(simulation)), width);
  return lines.map((line) => painted[simulation.status](line)).join("\n");
}

/** Explains why the runtime refused the last event; undefined if it did not. */
export function refusedText({ setting }: Simulation, last: TransitionRecord | undefined): string | undefined {
  if (last?.end !== "refused") return undefined;
  const path = (last.forced ?? []).map((name) => `"${name}"`).join(" ⇒ ");
  const who = setting.runtime?.title ?? "The runtime";
  return `${who} refuses "${last.event}": it leads to ${path}, which is spent and has no on_max_visits. The run stays in "${last.from}".`;
}

export function renderCurrentPrompt(
  simulation: Simulation,
): (SentPrompt & { readonly state: string; readonly prompt: string }) | undefined {
  const { pack, machine, variables, runtime } = simulation.setting;
  const prompt = simulation.currentState?.prompt;
  const artifacts = { artifacts: simulation.artifacts, artifactNames: new Set(artifactNames(machine)) };
  const render = (of: Prompt) =>
    runtime === undefined
      ? renderPrompt(pack, of, variables, artifacts)
      : renderAsSent(pack, of, variables, artifacts, { runtime, isOpened: simulation.isOpened });
  const rendered = prompt && render(prompt);
  return rendered && { state: simulation.current.name, prompt: prompt.key.text, ...rendered };
}

export function promptText(simulation: Simulation, paint: Paint): string {
  const state = escapeInvisible(simulation.current.name);
  if (simulation.currentState?.runsComposition === true)
    return `State "${state}" runs a composition, and has no prompt of its own to show.\n`;
  const rendered = renderCurrentPrompt(simulation);
  if (rendered === undefined) return `State "${state}" has no prompt to show.\n`;
  const { prompt, text, left, cut, why } = rendered;
  const notes = [
    ...(why === undefined ? [] : [why]),
    ...(cut ? ["The prompt is longer than this; the rest is not shown."] : []),
    ...(left.length > 0 && why === undefined ? [`Not filled in: ${listNames(left.map(oneLine), 8)}.`] : []),
  ];
  const lines = text === "" ? [] : text.replace(/\n$/u, "").split(/\r?\n/u);
  return textOf([
    paint.bold(`The prompt "${escapeInvisible(prompt)}" in "${state}"`),
    ...lines.map((line) => `  ${escapeInvisible(line)}`.trimEnd()),
    ...notes.map((note) => paint.dim(escapeInvisible(note))),
  ]);
}

function oneLine(source: string): string {
  const line = maskSecrets(source.replace(/\s+/gu, " "));
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

const maxVisits = 20;
const maxSteps = 60;
const labelWidth = "  skipped  ".length;

function walkTexts({ walks }: Simulation, width: number, paint: Paint): readonly string[] {
  const texts = walks.slice(0, maxVisits).map(({ state, visit, walk }) => {
    const where = `"${escapeInvisible(state)}"${visit === 1 ? "" : `, visit ${visit}`}`;
    const title = `Composition "${escapeInvisible(walk.composition.key.text)}" in ${where}`;
    return textOf(["", ...wrapText(title, width).map(paint.bold)]) + walkLines(walk, width, paint);
  });
  const more = walks.length - maxVisits;
  return more <= 0 ? texts : [...texts, `\n${paint.dim(`… and ${more} more; --format json has them.`)}\n`];
}

export function walkLines(walk: ChosenWalk, width: number, paint: Paint): string {
  const { ran, skipped, answers, result, failure } = walk;
  const answerOf = new Map(answers.map(({ branch, isYes }) => [branch, yesOrNo(isYes)]));
  const plain = (text: string): string => text;
  const rows: readonly (readonly [string, readonly string[], (text: string) => string])[] = [
    ["ran", stepTexts(ran, answerOf), plain],
    ["skipped", stepTexts(skipped), paint.dim],
    ["result", result === undefined ? [] : [escapeInvisible(result.id.text)], plain],
    ["fails", failure === undefined ? [] : failureText(failure).split(" "), paint.severity.error],
  ];
  const lines = rows.flatMap(([label, pieces, color]) =>
    besideLabel(`  ${label}`.padEnd(labelWidth), wrapSegments(pieces, width - labelWidth).map(color)),
  );
  return textOf(lines);
}

/** `route (no),`; a `parallel` with its branches. */
function stepTexts(steps: readonly Step[], answerOf?: ReadonlyMap<Step, string>): readonly string[] {
  const texts = steps.map((step) => {
    const inside = step.branches.slice(0, maxSteps).map(({ id }) => id.text);
    const note = answerOf?.get(step) ?? inside.join(", ");
    return escapeInvisible(note === "" ? step.id.text : `${step.id.text} (${note})`);
  });
  return commaSeparated(texts, maxSteps + 1);
}

/** A sentence without its full stop. */
function failureText(failure: WalkFailure): string {
  if (failure.kind === "no-output") return "no step that has an output ran";
  if (failure.kind === "output") {
    const fault = failure.isSkipped ? "was skipped" : "has no output here";
    return escapeInvisible(`"output" names "${failure.name}", which ${fault}`);
  }
  const { reader, read, reference } = failure.read;
  return escapeInvisible(
    `"${reader.id.text}" reads \${${reference.text}}, and "${read.id.text}" was skipped`,
  );
}

/** `route: kind.output.intent equals "refund"?` */
export function questionText({ id, predicate }: Step): string {
  const asked = predicate === undefined ? "" : `: ${predicateText(predicate)}`;
  return escapeInvisible(`${id.text}${asked}?`);
}

/** An entry of `walks` in `--format json`. */
export function visitJson({ state, visit, walk }: CompositionVisit) {
  const idOf = ({ id }: Step): string => id.text;
  const { composition, answers, ran, skipped, result, failure } = walk;
  return {
    state,
    visit,
    composition: composition.key.text,
    answers: answers.map(({ branch, isYes }) => ({ branch: branch.id.text, answer: isYes })),
    ran: ran.map(idOf),
    skipped: skipped.map(idOf),
    result: result && idOf(result),
    failure: failure && failureText(failure),
  };
}
