import type { ArtifactModes } from "../../machine/artifact-values.js";
import type { RunStatus } from "../../machine/run.js";
import type { Workflow } from "../../pack/workflow.js";
import type { Assignment } from "../../simulate/event-list.js";
import { promptVariables, type RenderedPrompt, renderPrompt } from "../../simulate/render-prompt.js";
import {
  hintNotes,
  notSimulatedNote,
  runStatusText,
  unreadCompositionNote,
} from "../../simulate/run-text.js";
import type { Simulation } from "../../simulate/simulation.js";
import { transitionTable } from "../../simulate/transition-table.js";
import { walkTexts } from "../../simulate/walk-text.js";
import { escapeInvisible } from "../../text/escape.js";
import type { Paint } from "../../text/paint.js";
import { wrapText } from "../../text/terminal-text.js";
import { listNames } from "../../text/wording.js";
import type { LimitFlags } from "../config/flags.js";
import type { OpenedPack } from "./open-pack.js";

/** The flags of `simulate` as they were written. */
export interface SimulateFlags extends LimitFlags {
  readonly events?: readonly string[];
  readonly random?: string;
  readonly seed?: string;
  readonly budget: boolean;
  readonly agent?: string;
  readonly set?: readonly string[];
  readonly answer?: readonly string[];
  readonly var?: readonly string[];
  readonly render?: true;
  readonly format: string;
  readonly color?: boolean;
}

export interface SimulationContext {
  readonly opened: OpenedPack;
  readonly workflow: Workflow;
  readonly modes: ArtifactModes;
  readonly variables: readonly Assignment[];
  readonly render: boolean;
}

/** The transition table, how the run ended, and the prompt if requested. */
export function runText(
  paint: Paint,
  simulation: Simulation,
  setting: SimulationContext,
  flags: Pick<SimulateFlags, "events" | "random">,
  width: number,
): string {
  // An interactive session has already shown the prompts, the hints and how the run ended.
  const isInteractive = flags.events === undefined && flags.random === undefined;
  const hints = isInteractive ? [] : hintNotes(simulation, setting.workflow);
  const notes = [
    ...hints,
    notSimulatedNote(simulation) ?? [],
    unreadCompositionNote(simulation, setting.workflow) ?? [],
  ].flat();
  const below = [
    ...(isInteractive && simulation.status !== "running"
      ? []
      : [`${formatEnding(simulation, paint, width)}\n`]),
    ...notes.flatMap((note) => wrapText(escapeInvisible(note), width)).map((line) => `${paint.dim(line)}\n`),
  ];
  return [
    transitionTable(simulation, setting.modes.names),
    ...walkTexts(simulation, width, paint),
    ...(below.length === 0 ? [] : ["\n", ...below]),
    ...(setting.render && !isInteractive ? [`\n${promptText(simulation, setting, paint)}`] : []),
  ].join("");
}

export function formatEnding(simulation: Simulation, paint: Paint, width: number): string {
  const painted = statusPaint(paint, simulation.status);
  return wrapText(escapeInvisible(runStatusText(simulation)), width)
    .map((line) => painted(line))
    .join("\n");
}

/** The prompt of the current state as a model would see it. */
export function renderCurrentPrompt(
  simulation: Simulation,
  setting: SimulationContext,
): (RenderedPrompt & { readonly state: string; readonly prompt: string }) | undefined {
  const { opened, workflow, modes, variables } = setting;
  const prompt = workflow.states[simulation.current.index]?.prompt;
  if (prompt === undefined) return undefined;
  const rendered = renderPrompt(opened.pack, prompt, {
    variables: promptVariables(prompt, variables),
    artifacts: simulation.artifacts,
    artifactNames: new Set(modes.names),
    items: [],
  });
  return rendered === undefined
    ? undefined
    : { state: simulation.current.name, prompt: prompt.key.text, ...rendered };
}

export function promptText(simulation: Simulation, setting: SimulationContext, paint: Paint): string {
  const rendered = renderCurrentPrompt(simulation, setting);
  const state = setting.workflow.states[simulation.current.index];
  if (state?.runsComposition === true)
    return `State "${escapeInvisible(state.name.text)}" runs a composition, and has no prompt of its own to show.\n`;
  if (rendered === undefined)
    return `State "${escapeInvisible(simulation.current.name)}" has no prompt to show.\n`;
  const { prompt, text, left, cut } = rendered;
  const lines = text.replace(/\n$/u, "").split(/\r?\n/u);
  const notes = [
    ...(cut ? ["The prompt is longer than this; the rest is not shown."] : []),
    ...(left.length > 0 ? [`Not filled in: ${listNames(left.map(oneLine), 8)}.`] : []),
  ];
  return [
    `${paint.bold(`The prompt "${escapeInvisible(prompt)}" in "${escapeInvisible(simulation.current.name)}"`)}`,
    ...lines.map((line) => `  ${escapeInvisible(line)}`.trimEnd()),
    ...notes.map((note) => paint.dim(escapeInvisible(note))),
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
      return paint.success;
    case "running":
      return paint.severity.info;
    case "budget-exhausted":
      return paint.severity.warning;
    case "stuck":
    case "lost":
      return paint.severity.error;
  }
}
