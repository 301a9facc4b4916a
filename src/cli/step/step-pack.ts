import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Limits } from "../../document/document.js";
import { readDocument } from "../../document/read.js";
import { artifactModes, applyWrites } from "../../machine/artifact-modes.js";
import { availableNames, undeclaredArtifactMessage } from "../../simulate/follow-events.js";
import { lostRunText, notEnforcedNote } from "../../simulate/run-ending.js";
import { forcedExitTargetOf, failureOf } from "../../simulate/simulation-records.js";
import { InvalidRunFile, readRun } from "../../step/read-run.js";
import { serializeRun, type StepRun } from "../../step/step-run.js";
import { takeTurn } from "../../step/take-turn.js";
import { ignored, refused, type TurnContext, type Turn, type TurnOutcome } from "../../step/turn.js";
import { formatJson } from "../../text/visible-text.js";
import { BadInput } from "../../words/bad-input.js";
import { didYouMean } from "../../words/nearest-name.js";
import { describeFileFault } from "../files/own-fault.js";
import { readRequiredFile } from "../files/read-named-file.js";
import { displayPath } from "../files/shown-path.js";
import { noStatesError } from "../open/no-workflow.js";
import { openPack, type OpenedPack } from "../open/open-pack.js";
import { startState } from "../open/start-of.js";
import { warnAboutErrorsIfPossible } from "../open/tell-of-errors.js";
import { readLimits } from "../request/limits.js";
import type { Io } from "../terminal/io.js";
import { printMessage } from "../terminal/say.js";
import { UsageError } from "../terminal/usage-error.js";
import { RunFile } from "./run-file.js";
import { readTurn, type StepFlags } from "./step-flags.js";

/** `promptpack step`: one turn of a run, from the command line to the exit code. */
export async function stepPack(io: Io, path: string, flags: StepFlags): Promise<number> {
  const limits = readLimits(flags);
  const pack = await openPack(io, path, { limits });
  if (pack === undefined) return 2;
  const goal = `Run the workflow of "${pack.file}"`;
  const turn = readTurn(flags, { runId: randomUUID, goal });
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
    if (run === undefined) await warnAboutErrorsIfPossible(io, pack);
    file.write(serializeRun(outcome.run));
    const notes = [...(run === undefined ? [notEnforcedNote(pack.workflow?.workflow.budget)] : []), outcome.note];
    for (const note of notes) if (note !== undefined) printMessage(io, note);
    await printOutbox(io, file, outcome.run);
    return outcome.run.status === "escalated" ? 1 : 0;
  } finally {
    file.close();
  }
}

/** What becomes of a turn that is meant for another run than the file holds. */
function checkRunId(run: StepRun | undefined, shown: string, flags: StepFlags): TurnOutcome | undefined {
  const { runId, start } = flags;
  if (run === undefined || runId === undefined || runId === run.runId) return undefined;
  return (start === true ? refused : ignored)(`"${shown}" holds run "${run.runId}", not "${runId}".`);
}

/** Prints what has not been reported for certain, and only then forgets it: killed in between, we print it again. */
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
  if (fault !== undefined) throw new UsageError(`"${shown}" is not a run file: ${describeFileFault(fault, "run")}`);
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
    if (error instanceof InvalidRunFile) throw new UsageError(`"${shown}" is not a run file: ${error.message}.`);
    throw error;
  }
}

function buildStepSetting(opened: OpenedPack, { input }: Turn, agent: string | undefined): TurnContext {
  if (opened.workflow === undefined) throw noStatesError(opened, "run");
  const { workflow, machine } = opened.workflow;
  const stateNames = machine.states.map((state) => state.name);
  const modes = artifactModes(workflow);
  for (const [name] of input.kind === "event" ? input.artifacts : []) {
    if (!modes.names.includes(name)) {
      const hint = didYouMean(name, modes.names) || availableNames(modes.names);
      throw new UsageError(`No state declares the artifact "${name}".${hint}`);
    }
  }
  return {
    machine,
    // A run that an agent started goes on where the entry is no state.
    get root() {
      return startState(opened.pack, workflow, agent).index;
    },
    maxTotalVisits: workflow.budget?.maxTotalVisits?.value,
    applyWrites: (state, before, writes) => {
      const declaredBy = (index: number) => modes.of(index);
      const declared = declaredBy(state.index);
      for (const [name] of writes) {
        if (!declared.has(name))
          throw new BadInput(undeclaredArtifactMessage(state, { machine, declaredBy }, name));
      }
      return applyWrites(
        before,
        writes.map(([name, value]) => ({ name, value })),
        declared,
      );
    },
    danglingTargetMessage: (edge, forced) => {
      const failure = failureOf(machine, edge, forced);
      const exit = forcedExitTargetOf(workflow.states[forced.at(-1) ?? -1]);
      const why = lostRunText(failure, exit);
      const name = forced.length > 0 ? exit : failure.target;
      if (name === undefined) throw new BadInput(`The run cannot go on: ${why}`);
      return `${why}${didYouMean(name, stateNames)}`;
    },
    now: new Date().toISOString(),
  };
}
