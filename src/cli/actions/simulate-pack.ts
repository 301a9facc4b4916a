import { artifactModes } from "../../machine/artifact-values.js";
import type { Machine } from "../../machine/machine.js";
import {
  checkVariableNames,
  fireEvents,
  fireRandomEvents,
  type Queued,
  QueuedAnswers,
  QueuedValues,
  SeededRandom,
} from "../../simulate/drive-simulation.js";
import {
  type BranchAnswer,
  parseAnswer,
  parseAssignment,
  parseScript,
  type Script,
} from "../../simulate/event-list.js";
import { recordJson, recordLine, Simulation } from "../../simulate/simulation.js";
import { simulationOptions, startState } from "../../simulate/start-simulation.js";
import { visitJson } from "../../simulate/walk-text.js";
import { renderCurrentPrompt, runText, type SimulationContext } from "../../simulate/run-text.js";
import { formatJson } from "../../text/escape.js";
import { loadPaint, type Paint } from "../../text/paint.js";
import { listNames } from "../../text/wording.js";
import { type LimitFlags, parseWholeNumber, readLimits, requireFormat } from "../config/flags.js";
import { type Io, shouldUseColor } from "../terminal/io.js";
import { conflictingFlags, printMessage, UsageError } from "../terminal/messages.js";
import { noStatesError, openPack, warnAboutErrorsIfPossible, warnAboutVersion } from "./open-pack.js";

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

const maxRandomEvents = 1_000_000;

/** `promptpack simulate`: from the command line to the exit code. */
export async function simulatePack(io: Io, path: string, flags: SimulateFlags): Promise<number> {
  checkFlags(path, flags);
  const opened = await openPack(io, path, { limits: readLimits(flags) });
  if (opened === undefined) return 2;
  if (opened.workflow === undefined) throw noStatesError(opened, "simulated");
  const { workflow } = opened.workflow;
  const variables = (flags.var ?? []).map(parseAssignment);
  checkVariableNames(variables, opened.pack);
  const render = flags.render === true;
  const setting = { pack: opened.pack, workflow, modes: artifactModes(workflow), variables, render };
  const script = flags.events && parseScript(flags.events);
  const simulation = startSimulation(setting, opened.workflow.machine, flags, script);
  await warnAboutErrorsIfPossible(io, opened);
  warnAboutVersion(io, opened.workflow);
  await runSimulation(io, simulation, setting, flags, script?.events);
  await printRun(io, simulation, setting, flags);
  return simulation.status === "complete" ? 0 : 1;
}

function checkFlags(path: string, flags: SimulateFlags): void {
  const { events, random, seed, format, render } = flags;
  requireFormat("simulate", format);
  if (events !== undefined && random !== undefined) throw conflictingFlags("--events", "--random");
  if (seed !== undefined && random === undefined)
    throw new UsageError('"--seed" can only be used with "--random".');
  if (format === "jsonl" && render === true) {
    throw new UsageError('"--render" cannot be used with the format "jsonl": use "table" or "json".');
  }
  // An interactive session can render a prompt at any time.
  if (flags.var !== undefined && render !== true && !isInteractive(flags))
    throw new UsageError('"--var" can only be used with "--render".');
  if (path === "-" && isInteractive(flags)) {
    throw new UsageError(
      'Standard input is the pack, so you cannot type events: use "--events" or "--random".',
    );
  }
}

function isInteractive({ events, random }: SimulateFlags): boolean {
  return events === undefined && random === undefined;
}

function startSimulation(
  setting: SimulationContext,
  machine: Machine,
  flags: SimulateFlags,
  script: Script | undefined,
): Simulation {
  const { pack, workflow } = setting;
  const agent = flags.agent ?? script?.agent;
  const start = startState(pack, workflow, agent);
  if (script?.root !== undefined && script.root !== start.name.text) {
    const who = agent === undefined ? "the workflow" : `the agent "${agent}"`;
    throw new UsageError(`The run starts in "${script.root}", but ${who} starts in "${start.name.text}".`);
  }
  return new Simulation(simulationOptions(setting, machine, start.index, { agent, budget: flags.budget }));
}

async function runSimulation(
  io: Io,
  simulation: Simulation,
  setting: SimulationContext,
  flags: SimulateFlags,
  events: Script["events"] | undefined,
): Promise<void> {
  const values = new QueuedValues((flags.set ?? []).map(parseAssignment), setting.modes.names);
  const answers = new QueuedAnswers((flags.answer ?? []).map(readAnswer), setting.workflow);
  const waiting: Queued = { values, answers };
  if (events !== undefined) {
    const unused = events.length - fireEvents(simulation, events, waiting);
    if (unused > 0)
      printMessage(
        io,
        `The run ended before the last ${unused === 1 ? "event" : `${unused} events`} could happen.`,
      );
  } else if (flags.random !== undefined) {
    const most = parseWholeNumber("--random", flags.random, 1, maxRandomEvents);
    fireRandomEvents(
      simulation,
      most,
      new SeededRandom(parseWholeNumber("--seed", flags.seed ?? "1", 0, 0xffff_ffff)),
      waiting,
    );
  } else {
    const { simulateInteractively } = await import("./simulate-interactively.js");
    const output = flags.format === "table" ? io.stdout : io.stderr;
    const paint = await loadPaintFor(io, flags);
    await simulateInteractively({ io, output, simulation, setting, waiting, paint });
  }
  if (simulation.status === "complete") values.writeTo(simulation, simulation.pendingWrites);
  answers.answerIn(simulation);
  const unused = values.unused;
  if (unused.length > 0) {
    const them = unused.length === 1 ? "it" : "them";
    printMessage(
      io,
      `There was no use for a "--set" value of ${listNames(unused)}: the run left no further state that declares ${them}, and did not end in one.`,
    );
  }
  if (answers.unused.length > 0)
    printMessage(
      io,
      `There was no use for an "--answer" of ${listNames(answers.unused)}: the run asked no further time.`,
    );
}

function readAnswer(text: string): BranchAnswer {
  const answer = parseAnswer(text, "=");
  if (answer === undefined)
    throw new UsageError(`"${text}" is not an answer: write branch=yes or branch=no.`);
  return answer;
}

function loadPaintFor(io: Io, { color }: SimulateFlags): Promise<Paint> {
  return loadPaint({ color: shouldUseColor(color, io), links: false });
}

async function printRun(
  io: Io,
  simulation: Simulation,
  setting: SimulationContext,
  flags: SimulateFlags,
): Promise<void> {
  if (flags.format === "table") {
    const width = io.stdout.columns || Infinity;
    io.stdout.write(runText(await loadPaintFor(io, flags), simulation, setting, isInteractive(flags), width));
  } else if (flags.format === "jsonl") {
    for (const record of simulation.records()) io.stdout.write(recordLine(record));
  } else {
    const { start, transitions, end } = simulation;
    const rendered = setting.render ? renderCurrentPrompt(simulation, setting) : undefined;
    const walks = simulation.walks.map(visitJson);
    const run = {
      start,
      transitions: transitions.map(recordJson),
      end: recordJson(end),
      ...(walks.length > 0 && { walks }),
    };
    io.stdout.write(formatJson({ schemaVersion: 1, ...run, ...(rendered !== undefined && { rendered }) }));
  }
}
