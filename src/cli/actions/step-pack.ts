import type { Limits } from "../../document/file-format.js";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readDocument } from "../../document/read.js";
import { artifactModes } from "../../machine/artifact-values.js";
import { availableNames, startState } from "../../simulate/drive-simulation.js";
import { InvalidRunFile, readRun, serializeRun, type StepRun } from "../../step/step-run.js";
import {
  ignored,
  refused,
  takeTurn,
  type Turn,
  type TurnContext,
  type TurnOutcome,
} from "../../step/take-turn.js";
import { formatJson } from "../../text/escape.js";
import { didYouMean } from "../../text/names.js";
import { readLimits } from "../config/flags.js";
import { displayPath } from "../files/paths.js";
import { describeFileFault, readRequiredFile } from "../files/read-file.js";
import { type Io, printMessage, UsageError } from "../terminal/io.js";
import { noStatesError, type OpenedPack, openPack, warnBeforeRun } from "./open-pack.js";
import { checkTurnFlags, defaultMaxSteps, readJsonFlag, readTurn, type StepFlags } from "./read-turn.js";
import { RunFile } from "./run-file.js";

export async function stepPack(io: Io, path: string, flags: StepFlags): Promise<number> {
  checkTurnFlags(path, flags);
  const limits = readLimits(flags);
  const pack = await openPack(io, path, flags);
  if (pack === undefined) return 2;
  const goal = `Run the workflow of "${pack.file}"`;
  const maxSteps = defaultMaxSteps(pack.workflow?.workflow.budget);
  const toolPayload = await readJsonFlag(io, "--tool-payload", flags.toolPayload, limits);
  const toolResult = await readJsonFlag(io, "--tool-result", flags.toolResult, limits);
  const turn = readTurn(flags, { toolPayload, toolResult }, { runId: randomUUID, goal, maxSteps });
  const runPath = resolve(io.cwd, flags.run);
  const shown = displayPath(runPath, io.cwd);
  const setting = buildStepSetting(pack, turn, flags.agent);
  const file = RunFile.open(runPath, shown);
  try {
    const run = loadRun(runPath, shown, setting, limits);
    if (run !== undefined) await printOutbox(io, file, run);
    const outcome = checkRunId(run, shown, flags) ?? takeTurn(run, turn, setting);
    if (outcome.kind !== "taken") {
      printMessage(io, `${outcome.kind === "ignored" ? "Ignored" : "Refused"}: ${outcome.why}`);
      return outcome.kind === "ignored" ? 0 : 1;
    }
    if (run === undefined) await warnBeforeRun(io, pack);
    file.write(serializeRun(outcome.run));
    if (outcome.note !== undefined) printMessage(io, outcome.note);
    await printOutbox(io, file, outcome.run);
    return 0;
  } finally {
    file.close();
  }
}

function checkRunId(run: StepRun | undefined, shown: string, flags: StepFlags): TurnOutcome | undefined {
  const { runId, start } = flags;
  if (run === undefined || runId === undefined || runId === run.runId) return undefined;
  return (start === true ? refused : ignored)(`"${shown}" holds run "${run.runId}", not "${runId}".`);
}

/** Prints the pending events before removing them from the file: after a crash in between, they are printed again. */
async function printOutbox({ stdout }: Io, file: RunFile, run: StepRun): Promise<void> {
  if (run.outbox.length === 0) return;
  stdout.write(run.outbox.map((event) => formatJson(event, 0)).join(""));
  await stdout.settle?.();
  if (stdout.isLost === true) {
    throw new UsageError(
      `The events of this turn could not be written: "${file.shown}" keeps them, and the next call prints them.`,
    );
  }
  file.write(serializeRun({ ...run, outbox: [] }));
}

function loadRun(path: string, shown: string, { machine }: TurnContext, limits: Limits): StepRun | undefined {
  if (!existsSync(path)) return undefined;
  const document = readDocument(readRequiredFile(path, shown, limits.maxBytes), "json", limits);
  const [fault] = document.faults;
  if (fault !== undefined)
    throw new UsageError(`"${shown}" is not a run file: ${describeFileFault(fault, "run")}`);
  try {
    const run = readRun(document.root);
    if (machine.states.some(({ name }) => name === run.state)) return run;
    const hint = didYouMean(
      run.state,
      machine.states.map(({ name }) => name),
    );
    throw new UsageError(
      `The run in "${shown}" is in state "${run.state}", which is not a state of the workflow.${hint}`,
    );
  } catch (error) {
    if (error instanceof InvalidRunFile)
      throw new UsageError(`"${shown}" is not a run file: ${error.message}.`);
    throw error;
  }
}

function buildStepSetting(
  opened: OpenedPack,
  { input, action }: Turn,
  agent: string | undefined,
): TurnContext {
  if (opened.workflow === undefined) throw noStatesError(opened, "run");
  const { workflow, machine } = opened.workflow;
  const { names } = artifactModes(workflow);
  const output = action?.kind === "done" ? (action.artifacts ?? []).map(({ name }) => name) : [];
  const written = input.kind === "event" ? input.artifacts.map(([name]) => name) : output;
  const unknown = written.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`No state declares the artifact "${unknown}".${availableNames(unknown, names)}`);
  return {
    machine,
    workflow,
    // Looked up late: a run that an agent started needs no valid entry.
    get root() {
      return startState(opened.pack, workflow, agent).index;
    },
    budget: workflow.budget,
    now: new Date().toISOString(),
  };
}
