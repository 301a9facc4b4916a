import type { RunStatus } from "../../machine/run.js";
import { renderPrompt, type Rendered } from "../../simulate/render-prompt.js";
import { endingText, notSimulated } from "../../simulate/run-ending.js";
import type { Simulation } from "../../simulate/simulation.js";
import { variablesOf } from "../../simulate/template-values.js";
import { transitionTable } from "../../simulate/transition-table.js";
import type { Paint } from "../../text/paint.js";
import { visible } from "../../text/visible-text.js";
import { wrapText } from "../../text/wrap-text.js";
import { listNames } from "../../words/wording.js";
import type { SimulateFlags, SimulationSetting } from "./simulation-setting.js";

/** The transition table, how the run ended, and the prompt if it was asked for. */
export function runText(
  paint: Paint,
  simulation: Simulation,
  setting: SimulationSetting,
  flags: Pick<SimulateFlags, "budget" | "events" | "random">,
  width: number,
): string {
  const note = flags.budget ? notSimulated(setting.workflow.budget) : undefined;
  // Whoever steps by hand has seen each prompt already, and how the run ended.
  const typed = flags.events === undefined && flags.random === undefined;
  const told = typed && simulation.status !== "running";
  const below = [
    ...(told ? [] : [`${paintedEnding(simulation, paint, width)}\n`]),
    ...(note === undefined ? [] : wrapText(note, width).map((line) => `${paint.faint(line)}\n`)),
  ];
  return [
    transitionTable(simulation, setting.modes.names),
    ...(below.length === 0 ? [] : ["\n", ...below]),
    ...(setting.render && !typed ? [`\n${promptText(simulation, setting, paint)}`] : []),
  ].join("");
}

export function paintedEnding(simulation: Simulation, paint: Paint, width: number): string {
  const painted = statusPaint(paint, simulation.status);
  return wrapText(visible(endingText(simulation)), width)
    .map((line) => painted(line))
    .join("\n");
}

/** The prompt of the current state as a model would be given it. */
export function renderedNow(
  simulation: Simulation,
  setting: SimulationSetting,
): (Rendered & { readonly state: string; readonly prompt: string }) | undefined {
  const { opened, workflow, modes, variables } = setting;
  const prompt = workflow.states[simulation.current.index]?.prompt;
  if (prompt === undefined) return undefined;
  const rendered = renderPrompt(opened.pack, prompt, {
    variables: variablesOf(prompt, variables),
    artifacts: simulation.artifacts,
    artifactNames: new Set(modes.names),
    items: [],
  });
  return rendered === undefined
    ? undefined
    : { state: simulation.current.name, prompt: prompt.key.text, ...rendered };
}

export function promptText(simulation: Simulation, setting: SimulationSetting, paint: Paint): string {
  const rendered = renderedNow(simulation, setting);
  if (rendered === undefined) return `State "${visible(simulation.current.name)}" has no prompt to show.\n`;
  const { prompt, text, left, cut } = rendered;
  const lines = text.replace(/\n$/u, "").split(/\r?\n/u);
  const notes = [
    ...(cut ? ["The prompt is longer than this; the rest is not shown."] : []),
    ...(left.length > 0 ? [`Not filled in: ${listNames(left.map(oneLine), 8)}.`] : []),
  ];
  return [
    `${paint.strong(`The prompt "${visible(prompt)}" in "${visible(simulation.current.name)}"`)}`,
    ...lines.map((line) => `  ${visible(line)}`.trimEnd()),
    ...notes.map((note) => paint.faint(visible(note))),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function oneLine(source: string): string {
  const line = source.replace(/\s+/gu, " ");
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

function statusPaint(paint: Paint, status: RunStatus): (text: string) => string {
  switch (status) {
    case "complete":
      return paint.clean;
    case "running":
      return paint.severity.info;
    case "exhausted":
    case "stopped":
      return paint.severity.warning;
    case "stuck":
    case "lost":
      return paint.severity.error;
  }
}
