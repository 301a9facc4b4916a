import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Limits } from "../../document/document.js";
import { readDocument } from "../../document/read.js";
import { artifactModes, written } from "../../machine/artifact-modes.js";
import { thereAre, undeclaredArtifactWords } from "../../simulate/follow-events.js";
import { lostText, notHeldTo } from "../../simulate/run-ending.js";
import { exitOf, failureOf } from "../../simulate/simulation-records.js";
import { BadRun, readRun } from "../../step/read-run.js";
import { runFileText, type StepRun } from "../../step/step-run.js";
import { takeTurn } from "../../step/take-turn.js";
import { ignored, refused, type Setting, type Turn, type TurnOutcome } from "../../step/turn.js";
import { jsonText } from "../../text/visible-text.js";
import { BadInput } from "../../words/bad-input.js";
import { didYouMean } from "../../words/nearest-name.js";
import { ownFault } from "../files/own-fault.js";
import { readNamedFile } from "../files/read-named-file.js";
import { shownPath } from "../files/shown-path.js";
import { withoutStates } from "../open/no-workflow.js";
import { openPack, type OpenedPack } from "../open/open-pack.js";
import { startOf } from "../open/start-of.js";
import { tellOfErrorsInPassing } from "../open/tell-of-errors.js";
import { readLimits } from "../request/limits.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/say.js";
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
  const shown = shownPath(runPath, io.cwd);
  const setting = settingOf(pack, turn, flags.agent);
  const file = RunFile.open(runPath, shown);
  try {
    const run = load(runPath, shown, setting, limits);
    if (run !== undefined) await report(io, file, run);
    const outcome = otherRun(run, shown, flags) ?? takeTurn(run, turn, setting);
    if (outcome.kind !== "taken") {
      say(io, `${outcome.kind === "ignored" ? "Ignored" : "Refused"}: ${outcome.why}`);
      return outcome.kind === "ignored" ? 0 : 1;
    }
    if (run === undefined) await tellOfErrorsInPassing(io, pack);
    file.write(runFileText(outcome.run));
    const notes = [...(run === undefined ? [notHeldTo(pack.workflow?.workflow.budget)] : []), outcome.note];
    for (const note of notes) if (note !== undefined) say(io, note);
    await report(io, file, outcome.run);
    return outcome.run.status === "escalated" ? 1 : 0;
  } finally {
    file.close();
  }
}

/** What becomes of a turn that is meant for another run than the file holds. */
function otherRun(run: StepRun | undefined, shown: string, flags: StepFlags): TurnOutcome | undefined {
  const { runId, start } = flags;
  if (run === undefined || runId === undefined || runId === run.runId) return undefined;
  return (start === true ? refused : ignored)(`"${shown}" holds run "${run.runId}", not "${runId}".`);
}

/** Prints what has not been reported for certain, and only then forgets it: killed in between, we print it again. */
async function report({ stdout }: Io, file: RunFile, run: StepRun): Promise<void> {
  if (run.outbox.length === 0) return;
  stdout.write(run.outbox.map((event) => jsonText(event, 0)).join(""));
  await stdout.settle?.();
  if (stdout.isLost === true) {
    throw new UsageError(
      `The events of this turn could not be written: "${file.shown}" keeps them, and the next call prints them.`,
    );
  }
  file.write(runFileText({ ...run, outbox: [] }));
}

function load(path: string, shown: string, { machine }: Setting, limits: Limits): StepRun | undefined {
  if (!existsSync(path)) return undefined;
  const document = readDocument(readNamedFile(path, shown, limits.maxBytes), "json", limits);
  const [fault] = document.faults;
  if (fault !== undefined) throw new UsageError(`"${shown}" is not a run file: ${ownFault(fault, "run")}`);
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
    if (error instanceof BadRun) throw new UsageError(`"${shown}" is not a run file: ${error.message}.`);
    throw error;
  }
}

function settingOf(opened: OpenedPack, { input }: Turn, agent: string | undefined): Setting {
  if (opened.workflow === undefined) throw withoutStates(opened, "run");
  const { workflow, machine } = opened.workflow;
  const stateNames = machine.states.map((state) => state.name);
  const modes = artifactModes(workflow);
  for (const [name] of input.kind === "event" ? input.artifacts : []) {
    if (!modes.names.includes(name)) {
      const hint = didYouMean(name, modes.names) || thereAre(modes.names);
      throw new UsageError(`No state declares the artifact "${name}".${hint}`);
    }
  }
  return {
    machine,
    // A run that an agent started goes on where the entry is no state.
    get root() {
      return startOf(opened.pack, workflow, agent).index;
    },
    maxTotalVisits: workflow.budget?.maxTotalVisits?.value,
    written: (state, before, writes) => {
      const declaredBy = (index: number) => modes.of(index);
      const declared = declaredBy(state.index);
      for (const [name] of writes) {
        if (!declared.has(name))
          throw new BadInput(undeclaredArtifactWords(state, { machine, declaredBy }, name));
      }
      return written(
        before,
        writes.map(([name, value]) => ({ name, value })),
        declared,
      );
    },
    lost: (edge, forced) => {
      const failure = failureOf(machine, edge, forced);
      const exit = exitOf(workflow.states[forced.at(-1) ?? -1]);
      const why = lostText(failure, exit);
      const name = forced.length > 0 ? exit : failure.target;
      if (name === undefined) throw new BadInput(`The run cannot go on: ${why}`);
      return `${why}${didYouMean(name, stateNames)}`;
    },
    now: new Date().toISOString(),
  };
}
