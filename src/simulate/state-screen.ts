import type { Outcome } from "../machine/attempt.js";
import type { State } from "../pack/workflow.js";
import type { Paint } from "../text/paint.js";
import { clipText } from "../text/clip-text.js";
import { textWidth } from "../text/text-width.js";
import { escapeInvisible } from "../text/visible-text.js";
import { pluralize } from "../words/wording.js";
import type { Simulation } from "./simulation.js";

const maxListed = 50;

/** Where a run stands: the state, the first lines of its prompt, its artifacts, and where each event leads. */
export function stateScreen(
  simulation: Simulation,
  state: State | undefined,
  promptLines: number | undefined,
  width: number,
  paint: Paint,
): string {
  const prompt = promptLines === undefined ? [] : firstLines(state, promptLines, width - 4);
  const artifacts = artifactLines(simulation, width);
  return [
    "",
    `${paint.bold(escapeInvisible(simulation.current.name))}  ${paint.dim(countsText(simulation))}`,
    ...prompt.map((line) => paint.dim(`  │ ${line}`.trimEnd())),
    ...artifacts.map((line) => `  ${line}`),
    ...eventLines(simulation, width, paint).map((line) => `  ${line}`),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function countsText(simulation: Simulation): string {
  const { current, total, budgetLeft } = simulation;
  const of = current.maxVisits === undefined ? "" : ` of ${current.maxVisits}`;
  const budget = budgetLeft === undefined ? "" : `, budget for ${budgetLeft} more`;
  return `visit ${simulation.visits(current.index)}${of} · ${pluralize(total, "visit")} in all${budget}`;
}

function firstLines(state: State | undefined, most: number, width: number): readonly string[] {
  const template = state?.prompt?.systemTemplate;
  if (template === undefined) return [];
  const lines = template.text.text.trim().split(/\r?\n/u, most + 1);
  const shown = lines.slice(0, most).map((line) => clipText(escapeInvisible(line), width));
  return lines.length > most ? [...shown, "…"] : shown;
}

function artifactLines(simulation: Simulation, width: number): readonly string[] {
  return [...simulation.declaredArtifacts].slice(0, maxListed).map(([name, mode]) => {
    const value = simulation.artifacts.get(name);
    const written = simulation.pendingWrites.filter((write) => write.name === name);
    const next =
      written.length === 0 ? "" : `, then ${written.map((write) => escapeInvisible(write.value)).join(", ")}`;
    const how = mode === "append" ? " (append)" : "";
    return clipText(
      `${escapeInvisible(name)}${how}: ${value === undefined ? "—" : escapeInvisible(value)}${next}`,
      width - 2,
    );
  });
}

function eventLines(simulation: Simulation, width: number, paint: Paint): readonly string[] {
  const shown = simulation.events.slice(0, maxListed);
  const names = shown.map((event) => escapeInvisible(simulation.current.edges[event]?.event ?? ""));
  // A name that would fill the line alone does not move the others.
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

/** `→ implement`, or what becomes of it: `→ implement (spent) ⇒ review`. */
function outcomeText(simulation: Simulation, event: number): string {
  if (simulation.budgetLeft === 0) return "✗ the budget is used up";
  const edge = simulation.current.edges[event];
  const outcome = simulation.preview(event);
  const target = escapeInvisible(edge?.transition?.target?.text ?? "?");
  if (outcome.forced.length === 0)
    return outcome.kind === "entered" ? `→ ${target}` : `✗ "${target}" is not a state`;
  const nameOf = (state: number): string => escapeInvisible(simulation.stateName(state));
  const spent = outcome.forced.map((state) => `${nameOf(state)} (spent)`).join(" ⇒ ");
  return outcome.kind === "entered"
    ? `→ ${spent} ⇒ ${nameOf(outcome.state)}`
    : `→ ${spent} ✗ ${failureText(outcome, simulation.forcedExitTarget(outcome))}`;
}

function failureText(outcome: Exclude<Outcome, { kind: "entered" }>, exit: string | undefined): string {
  switch (outcome.kind) {
    case "stopped":
      return "the run stops: there is no on_max_visits";
    case "stuck":
      return "the run is stuck: forced exits go round in a circle";
    case "dangling":
      return exit === undefined
        ? "its guard could not be read"
        : `on_max_visits "${escapeInvisible(exit)}" is not a state`;
  }
}
