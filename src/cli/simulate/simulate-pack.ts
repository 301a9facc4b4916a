import { stringOf } from "../../document/spelled-values.js";
import { artifactModes } from "../../machine/artifact-modes.js";
import { readAssignment, readEventList } from "../../simulate/event-list.js";
import { followEvents, WaitingValues, wander } from "../../simulate/follow-events.js";
import { checkVariables } from "../../simulate/given-variables.js";
import { Random } from "../../simulate/random.js";
import { plainRecord, recordLine } from "../../simulate/run-record.js";
import { Simulation } from "../../simulate/simulation.js";
import { exitOf } from "../../simulate/simulation-records.js";
import { loadPaint, type Paint } from "../../text/paint.js";
import { jsonText } from "../../text/visible-text.js";
import { listNames } from "../../words/wording.js";
import { withoutStates } from "../open/no-workflow.js";
import { openPack, type OpenedPack, type OpenedWorkflow } from "../open/open-pack.js";
import { startOf } from "../open/start-of.js";
import { tellOfErrorsInPassing } from "../open/tell-of-errors.js";
import { readLimits } from "../request/limits.js";
import { wholeNumber } from "../request/whole-number.js";
import { wantsColor } from "../terminal/color.js";
import { requireFormat } from "../terminal/formats.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/say.js";
import { chooseOne, UsageError } from "../terminal/usage-error.js";
import type { SimulateFlags, SimulationSetting } from "./simulation-setting.js";
import { renderedNow, runText } from "./simulation-text.js";

const mostRandom = 1_000_000;

/** `promptpack simulate`: from the command line to the exit code. */
export async function simulatePack(io: Io, path: string, flags: SimulateFlags): Promise<number> {
  checkFlags(path, flags);
  const opened = await openPack(io, path, { limits: readLimits(flags) });
  if (opened === undefined) return 2;
  if (opened.workflow === undefined) throw withoutStates(opened, "simulated");
  const setting = settingOf(opened, opened.workflow, flags);
  const simulation = begin(setting, opened.workflow, flags);
  await tellOfErrorsInPassing(io, opened);
  await advance(io, simulation, setting, flags);
  await print(io, simulation, setting, flags);
  return simulation.status === "complete" ? 0 : 1;
}

function checkFlags(path: string, flags: SimulateFlags): void {
  const { events, random, seed, format, render } = flags;
  const typed = events === undefined && random === undefined;
  requireFormat("simulate", format);
  if (events !== undefined && random !== undefined) throw chooseOne("--events", "--random");
  if (seed !== undefined && random === undefined)
    throw new UsageError('"--seed" can only be used with "--random".');
  if (format === "jsonl" && render === true) {
    throw new UsageError('"--render" cannot be used with the format "jsonl": use "table" or "json".');
  }
  // Whoever types can ask for a prompt at any time.
  if (flags.var !== undefined && render !== true && !typed)
    throw new UsageError('"--var" can only be used with "--render".');
  if (path === "-" && typed) {
    throw new UsageError(
      'Standard input is the pack, so you cannot type events: use "--events" or "--random".',
    );
  }
}

function settingOf(
  opened: OpenedPack,
  { workflow }: OpenedWorkflow,
  flags: SimulateFlags,
): SimulationSetting {
  const variables = (flags.var ?? []).map(readAssignment);
  checkVariables(variables, opened.pack);
  return { opened, workflow, modes: artifactModes(workflow), variables, render: flags.render === true };
}

function begin(setting: SimulationSetting, { machine }: OpenedWorkflow, flags: SimulateFlags): Simulation {
  const { opened, workflow, modes } = setting;
  const { root } = opened.pack;
  const [id, version] = ["id", "version"].map((name) => stringOf(root.get(name)));
  return new Simulation({
    machine,
    root: startOf(opened.pack, workflow, flags.agent).index,
    maxTotalVisits: flags.budget ? workflow.budget?.maxTotalVisits?.value : undefined,
    declaredBy: (state) => modes.of(state),
    exitOf: (state) => exitOf(workflow.states[state]),
    pack: { ...(id !== undefined && { id }), ...(version !== undefined && { version }) },
    agent: flags.agent,
  });
}

async function advance(
  io: Io,
  simulation: Simulation,
  setting: SimulationSetting,
  flags: SimulateFlags,
): Promise<void> {
  const waiting = new WaitingValues((flags.set ?? []).map(readAssignment), setting.modes.names);
  if (flags.events !== undefined) {
    const events = flags.events.flatMap(readEventList);
    const unused = events.length - followEvents(simulation, events, waiting);
    if (unused > 0)
      say(io, `The run ended before the last ${unused === 1 ? "event" : `${unused} events`} could happen.`);
  } else if (flags.random !== undefined) {
    const most = wholeNumber("--random", flags.random, 1, mostRandom);
    wander(simulation, most, new Random(wholeNumber("--seed", flags.seed ?? "1", 0, 0xffff_ffff)), waiting);
  } else {
    const { simulateInteractively } = await import("./simulate-interactively.js");
    const output = flags.format === "table" ? io.stdout : io.stderr;
    const paint = await paintOf(io, flags);
    await simulateInteractively({ io, output, simulation, setting, waiting, paint });
  }
  const { unused } = waiting;
  if (unused.length > 0) {
    const them = unused.length === 1 ? "it" : "them";
    say(
      io,
      `There was no use for a "--set" value of ${listNames(unused)}: the run left no further state that declares ${them}.`,
    );
  }
}

function paintOf(io: Io, { color }: SimulateFlags): Promise<Paint> {
  return loadPaint({ color: wantsColor(color, io), links: false });
}

async function print(
  io: Io,
  simulation: Simulation,
  setting: SimulationSetting,
  flags: SimulateFlags,
): Promise<void> {
  if (flags.format === "table") {
    const width = io.stdout.columns || Infinity;
    io.stdout.write(runText(await paintOf(io, flags), simulation, setting, flags, width));
  } else if (flags.format === "jsonl") {
    for (const record of simulation.records()) io.stdout.write(recordLine(record));
  } else {
    const { start, transitions, end } = simulation;
    const rendered = setting.render ? renderedNow(simulation, setting) : undefined;
    const run = { start, transitions: transitions.map(plainRecord), end: plainRecord(end) };
    io.stdout.write(jsonText({ schemaVersion: 1, ...run, ...(rendered !== undefined && { rendered }) }));
  }
}
