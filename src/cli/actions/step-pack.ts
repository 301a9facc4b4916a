import type { Limits } from "../../document/file-format.js";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readDocument } from "../../document/read.js";
import { applyWrites, artifactModes } from "../../machine/artifact-values.js";
import { loopPlugin } from "../../routes/routes.js";
import { availableNames, undeclaredArtifactMessage } from "../../simulate/drive-simulation.js";
import { parseAssignment } from "../../simulate/event-list.js";
import { lostRunText, notEnforcedNote } from "../../simulate/run-text.js";
import { failureOf, forcedExitTargetOf } from "../../simulate/simulation.js";
import { InvalidRunFile, readRun, serializeRun, type StepRun } from "../../step/step-run.js";
import { takeTurn } from "../../step/take-turn.js";
import {
  ignored,
  refused,
  type Turn,
  type TurnAction,
  type TurnContext,
  type TurnInput,
  type TurnOutcome,
} from "../../step/turn.js";
import { formatJson } from "../../text/escape.js";
import { didYouMean } from "../../text/names.js";
import { BadInput } from "../../text/wording.js";
import { type LimitFlags, parseWholeNumber, readLimits } from "../config/flags.js";
import { displayPath } from "../files/paths.js";
import { describeFileFault, readRequiredFile } from "../files/read-file.js";
import type { Io } from "../terminal/io.js";
import { conflictingFlags, printMessage, UsageError } from "../terminal/messages.js";
import {
  noStatesError,
  type OpenedPack,
  openPack,
  startState,
  warnAboutErrorsIfPossible,
} from "./open-pack.js";
import { RunFile } from "./run-file.js";

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
    const notes = [
      ...(run === undefined ? [notEnforcedNote(pack.workflow?.workflow.budget)] : []),
      outcome.note,
    ];
    for (const note of notes) if (note !== undefined) printMessage(io, note);
    await printOutbox(io, file, outcome.run);
    return outcome.run.status === "escalated" ? 1 : 0;
  } finally {
    file.close();
  }
}

/** Rejects a turn for another run than the one in the file. */
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
    // Looked up late: a run that an agent started needs no valid entry.
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

/** The flags of `step` as they were written. */
export interface StepFlags extends LimitFlags {
  readonly run: string;
  readonly start?: true;
  readonly runId?: string;
  readonly agent?: string;
  readonly goal?: string;
  readonly maxSteps?: string;
  readonly event?: string;
  readonly set?: readonly string[];
  readonly result?: string;
  readonly tool?: string;
  readonly attempt?: string;
  /** The number for the event or the result, then the one for the request. */
  readonly step?: readonly string[];
  readonly request?: string;
  readonly done?: true;
}

/** Each flag with the flag that it requires. */
const requiredCompanions = [
  ["agent", "start"],
  ["goal", "start"],
  ["maxSteps", "start"],
  ["set", "event"],
  ["tool", "result"],
  ["attempt", "result"],
] as const;

const defaultMaxSteps = "20";
const maxStepNumber = 999_999_999;

/** The id and goal of a new run without flags for them. */
interface RunDefaults {
  readonly runId: () => string;
  readonly goal: string;
}

function readTurn(flags: StepFlags, defaults: RunDefaults): Turn {
  const steps = (flags.step ?? []).map((text) => stepNumber("--step", text));
  const given = steps.length;
  const inputs = [flags.start, flags.event, flags.result].filter((input) => input !== undefined).length;
  const isEnd = inputs === 0 && flags.done === true;
  if (inputs !== 1 && !isEnd) {
    throw new UsageError(
      'A turn needs exactly one of "--start", "--event" and "--result", or "--done" alone.',
    );
  }
  for (const [name, other] of requiredCompanions) {
    const flag = name === "maxSteps" ? "max-steps" : name;
    if (flags[name] !== undefined && flags[other] === undefined)
      throw new UsageError(`"--${flag}" can only be used with "--${other}".`);
  }
  if (flags.request !== undefined && flags.done === true) throw conflictingFlags("--request", "--done");
  const names = (["event", "result", "request"] as const).filter((name) => flags[name] !== undefined);
  const takers = isEnd ? ["done"] : names;
  if (given > takers.length) throw new UsageError(tooManySteps(takers));
  if (isEnd) return { input: { kind: "done", step: steps[0] ?? 0 }, action: undefined };
  const own = flags.start === true ? 0 : 1;
  if (given < own)
    throw new UsageError(`"--${flags.event === undefined ? "result" : "event"}" needs a "--step".`);
  return { input: readInput(flags, steps[0] ?? 0, defaults), action: readAction(flags, steps[own]) };
}

function tooManySteps(takers: readonly string[]): string {
  if (takers.length === 0) return '"--start" takes no "--step".';
  const each = takers.map((name) => `one for "--${name}"`);
  return `There are too many "--step" flags: give ${each.join(", and ")}.`;
}

function readInput(flags: StepFlags, step: number, defaults: RunDefaults): TurnInput {
  if (flags.start === true) {
    return {
      kind: "start",
      runId: flags.runId ?? defaults.runId(),
      goal: flags.goal ?? defaults.goal,
      maxSteps: stepNumber("--max-steps", flags.maxSteps ?? defaultMaxSteps),
    };
  }
  if (flags.event !== undefined) {
    const sets = (flags.set ?? []).map(parseAssignment);
    const artifacts = sets.map(({ name, value }) => [name, value] as const);
    return { kind: "event", event: flags.event, step, artifacts };
  }
  if (flags.result !== "ok" && flags.result !== "error") {
    throw new UsageError(`"--result" must be ok or error, not "${flags.result ?? ""}".`);
  }
  if (flags.tool === undefined) throw new UsageError('"--result" needs a "--tool".');
  const attempt = flags.attempt === undefined ? undefined : stepNumber("--attempt", flags.attempt);
  return {
    kind: "result",
    status: flags.result,
    step,
    tool: flags.tool,
    ...(attempt !== undefined && { attempt }),
  };
}

function readAction({ request, done }: StepFlags, step: number | undefined): TurnAction | undefined {
  if (done === true) return { kind: "done" };
  if (request === undefined) return undefined;
  if (!/^[^\s]+$/u.test(request)) throw new UsageError('"--request" needs the name of a tool.');
  if (request === loopPlugin) {
    throw new UsageError(
      `"--request" cannot name "${loopPlugin}": in RFC-103, no run may trigger the loop itself.`,
    );
  }
  return { kind: "request", tool: request, step };
}

function stepNumber(flag: string, text: string): number {
  return parseWholeNumber(flag, text, 1, maxStepNumber);
}
