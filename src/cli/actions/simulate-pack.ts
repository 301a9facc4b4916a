import {
  checkVariableNames,
  fireEvents,
  fireRandomEvents,
  namesLeft,
  Queued,
  SeededRandom,
  startState as stateToStartIn,
} from "../../simulate/drive-simulation.js";
import {
  type Assignment,
  type BranchAnswer,
  parseAnswer,
  parseAssignment,
  parseScript,
  type Script,
} from "../../simulate/event-list.js";
import { renderCurrentPrompt, runText, visitJson } from "../../simulate/run-text.js";
import { recordJson, Simulation, type SimulationSetting } from "../../simulate/simulation.js";
import { machineIn, type RunnableAnalysis } from "../../analysis.js";
import { formatJson } from "../../text/escape.js";
import { loadPaint, type Paint } from "../../text/paint.js";
import { listNames } from "../../text/wording.js";
import { type LimitFlags, parseWholeNumber, type ReadingFlags } from "../config/flags.js";
import { readRuntime } from "../config/read-runtime.js";
import { conflictingFlags, type Io, printMessage, shouldUseColor, UsageError } from "../terminal/io.js";
import { openWorkflow, refuseUnknownVersion, warnBeforeRun } from "./open-pack.js";

interface SimulateFlags extends LimitFlags, ReadingFlags {
  readonly events?: readonly string[];
  readonly random?: string;
  readonly seed?: string;
  readonly budget: boolean;
  readonly agent?: string;
  readonly set?: readonly string[];
  readonly answer?: readonly string[];
  readonly var?: readonly string[];
  readonly render?: true;
  readonly force?: true;
  readonly format: string;
  readonly color?: boolean;
}

const maxRandomEvents = 1_000_000;

export async function simulatePack(io: Io, path: string, flags: SimulateFlags): Promise<number> {
  checkFlags(path, flags);
  const opened = await openWorkflow(io, path, flags, "simulated");
  refuseUnknownVersion(opened, flags.force);
  const variables = (flags.var ?? []).map(parseAssignment);
  checkVariableNames(variables, opened.pack);
  const script = flags.events && parseScript(flags.events);
  const setting = readSetting(opened, flags, script, variables);
  await warnBeforeRun(io, opened);
  const simulation = await runSimulation(io, setting, flags, script);
  await printRun(io, simulation, flags);
  return simulation.status === "complete" ? 0 : 1;
}

function checkFlags(path: string, flags: SimulateFlags): void {
  const { events, random, seed, format, render } = flags;
  if (events !== undefined && random !== undefined) throw conflictingFlags("--events", "--random");
  const fail = (message: string): never => {
    throw new UsageError(message);
  };
  if (seed !== undefined && random === undefined) fail('"--seed" can only be used with "--random".');
  if (format === "jsonl" && render === true)
    fail('"--render" cannot be used with the format "jsonl": use "table" or "json".');
  // An interactive session can render a prompt at any time.
  if (flags.var !== undefined && render !== true && !isInteractive(flags))
    fail('"--var" can only be used with "--render".');
  if (path === "-" && isInteractive(flags))
    fail('Standard input is the pack, so you cannot type events: use "--events" or "--random".');
}

function isInteractive({ events, random }: SimulateFlags): boolean {
  return events === undefined && random === undefined;
}

function readSetting(
  opened: RunnableAnalysis,
  flags: SimulateFlags,
  script: Script | undefined,
  variables: readonly Assignment[],
): SimulationSetting {
  const { pack, workflow } = opened;
  const agent = flags.agent ?? script?.agent;
  const start = stateToStartIn(pack, workflow, agent);
  if (script?.root !== undefined && script.root !== start.name.text) {
    const who = agent === undefined ? "the workflow" : `the agent "${agent}"`;
    throw new UsageError(`The run starts in "${script.root}", but ${who} starts in "${start.name.text}".`);
  }
  const budget = flags.budget ? workflow.budget : undefined;
  const render = flags.render === true;
  const runtime = readRuntime(flags);
  const machine = machineIn(opened, runtime);
  return { pack, workflow, machine, startState: start.index, budget, agent, variables, runtime, render };
}

async function runSimulation(
  io: Io,
  setting: SimulationSetting,
  flags: SimulateFlags,
  script: Script | undefined,
): Promise<Simulation> {
  let simulation = new Simulation(setting);
  const queued = new Queued(
    (flags.set ?? []).map(parseAssignment),
    (flags.answer ?? []).map(readAnswer),
    setting,
  );
  if (script !== undefined) {
    const unused = script.events.length - fireEvents(simulation, script.events, queued);
    const last = unused === 1 ? "event" : `${unused} events`;
    if (unused > 0) printMessage(io, `The run ended before the last ${last} could happen.`);
  } else if (flags.random !== undefined) {
    const most = parseWholeNumber("--random", flags.random, 1, maxRandomEvents);
    const seed = parseWholeNumber("--seed", flags.seed ?? "1", 0, 0xffff_ffff);
    fireRandomEvents(simulation, most, new SeededRandom(seed), queued);
  } else {
    const { Conversation } = await import("./simulate-interactively.js");
    const output = flags.format === "table" ? io.stdout : io.stderr;
    const paint = await loadPaintFor(io, flags);
    simulation = await new Conversation(io, output, queued, paint, simulation).run();
  }
  if (simulation.status === "complete") queued.writeTo(simulation);
  queued.answerIn(simulation);
  const [values, answers] = [namesLeft(queued.values), namesLeft(queued.answers)];
  const them = values.length === 1 ? "it" : "them";
  if (values.length > 0)
    printMessage(
      io,
      `There was no use for a "--set" value of ${listNames(values)}: the run left no further state that declares ${them}, and did not end in one.`,
    );
  if (answers.length > 0)
    printMessage(
      io,
      `There was no use for an "--answer" of ${listNames(answers)}: the run asked no further time.`,
    );
  return simulation;
}

function readAnswer(text: string): BranchAnswer {
  const answer = parseAnswer(text, "=");
  if (answer !== undefined) return answer;
  throw new UsageError(`"${text}" is not an answer: write branch=yes or branch=no.`);
}

function loadPaintFor(io: Io, { color }: SimulateFlags): Promise<Paint> {
  return loadPaint({ color: shouldUseColor(color, io), links: false });
}

async function printRun(io: Io, simulation: Simulation, flags: SimulateFlags): Promise<void> {
  const { start, transitions, end, walks } = simulation;
  if (flags.format === "table") {
    const width = io.stdout.columns || Infinity;
    io.stdout.write(runText(await loadPaintFor(io, flags), simulation, isInteractive(flags), width));
  } else if (flags.format === "jsonl") {
    for (const record of [start, ...transitions, end]) io.stdout.write(formatJson(recordJson(record), 0));
  } else {
    const run = {
      schemaVersion: 1,
      start,
      transitions: transitions.map(recordJson),
      end: recordJson(end),
      walks: walks.length === 0 ? undefined : walks.map(visitJson),
      rendered: flags.render ? renderCurrentPrompt(simulation) : undefined,
    };
    io.stdout.write(formatJson(run));
  }
}
