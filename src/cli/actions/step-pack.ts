import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { normalizeArtifactPath } from "../../agentic/loop-files.js";
import type { PackAnalysis, RunnableAnalysis } from "../../analysis.js";
import type { Limits } from "../../document/file-format.js";
import { toValue } from "../../document/node.js";
import { readDocument } from "../../document/read.js";
import type { ArtifactWrite } from "../../machine/artifact-values.js";
import { artifactNames } from "../../machine/machine.js";
import type { Pack } from "../../pack/pack.js";
import type { Budget, State } from "../../pack/workflow.js";
import { loopPlugin, reservedKeys } from "../../routes/routes.js";
import { availableNames, startState } from "../../simulate/drive-simulation.js";
import { parseAssignment } from "../../simulate/event-list.js";
import { answerRequest, errorResponse, readRequest, type StepResponse } from "../../step/protocol.js";
import { type JsonObject, readOnlyRun, serializeRun, type StepRun } from "../../step/step-run.js";
import {
  ignored,
  refused,
  takeTurn,
  type Turn,
  type TurnContext,
  type TurnOutcome,
} from "../../step/take-turn.js";
import { exactJson } from "../../text/escape.js";
import { didYouMean } from "../../text/names.js";
import { BadInput, listNames } from "../../text/wording.js";
import { type LimitFlags, parseWholeNumber, readLimits } from "../config/flags.js";
import { displayPath } from "../files/paths.js";
import { describeFileFault, readRequiredFile } from "../files/read-file.js";
import { conflictingFlags, type Io, printMessage, readAll, UsageError } from "../terminal/io.js";
import { openPack, refuseUnknownVersion, requireWorkflow, warnBeforeRun } from "./open-pack.js";
import { RunFile, writeWorkspace } from "./run-file.js";

export interface StepFlags extends LimitFlags {
  readonly protocol?: true;
  readonly run?: string;
  readonly workspace?: string;
  readonly start?: true;
  readonly runId?: string;
  readonly agent?: string;
  readonly goal?: string;
  readonly maxSteps?: string;
  readonly maxReframes?: string;
  readonly event?: string;
  readonly set?: readonly string[];
  readonly result?: string;
  readonly tool?: string;
  readonly attempt?: string;
  readonly toolResult?: string;
  readonly artifactPath?: string;
  readonly error?: string;
  /** The number for the event or the result, then the one for the request. */
  readonly step?: readonly string[];
  readonly reframe?: true;
  readonly request?: string;
  readonly toolPayload?: string;
  readonly done?: true;
  readonly outcome?: string;
  readonly force?: true;
}

export async function stepPack(io: Io, path: string | undefined, flags: StepFlags): Promise<number> {
  if (flags.protocol === true) return serveProtocol(io, path, flags);
  const help = 'See "promptpack step --help".';
  if (path === undefined) throw new UsageError(`Missing required argument "pack". ${help}`);
  if (flags.run === undefined) throw new UsageError(`Required option "--run <file>" not specified. ${help}`);
  const kind = checkTurnFlags(path, flags);
  const limits = readLimits(flags);
  const opened = await openPack(io, path, flags);
  const turn = await readTurn(io, kind, flags, opened);
  const runnable = requireWorkflow(opened, "run");
  refuseUnknownVersion(runnable, flags.force);
  const workspace = flags.workspace === undefined ? undefined : resolve(io.cwd, flags.workspace);
  const shownWorkspace = displayPath(workspace ?? "", io.cwd);
  const context = turnContext(runnable, flags, workspace && shownWorkspace);
  const record = (run: StepRun) => {
    if (workspace !== undefined) writeWorkspace(workspace, shownWorkspace, run, limits.maxBytes);
  };
  const runPath = resolve(io.cwd, flags.run);
  const shown = displayPath(runPath, io.cwd);
  const file = RunFile.open(runPath, shown);
  try {
    const run = loadRun(runPath, shown, context, limits);
    if (run !== undefined) await printOutbox(io, file, run, record);
    const { runId = run?.runId, start } = flags;
    const outcome =
      run === undefined || runId === run.runId
        ? takeTurn(run, turn, context)
        : otherRun(`"${shown}" holds run "${run.runId}", not "${runId}"`, start);
    if (outcome.kind === "refused") {
      printMessage(io, `Refused: ${outcome.why}`);
      return 1;
    }
    if (outcome.kind === "ignored") {
      printMessage(io, `${outcome.isWarning ? "Warning" : "Ignored"}: ${outcome.why}`);
      return 0;
    }
    if (run === undefined) await warnBeforeRun(io, runnable);
    // A turn is not taken where its workspace cannot be made.
    record({ ...outcome.run, outbox: [] });
    file.write(serializeRun(outcome.run));
    if (outcome.note !== undefined) printMessage(io, outcome.note);
    await printOutbox(io, file, outcome.run, record);
    return 0;
  } finally {
    file.close();
  }
}

/** The only flags allowed with `--protocol`: everything else about the turn is in the request. */
const protocolFlags = ["protocol", "force", "maxSize", "maxDepth", "maxAliasNodes", "maxValues"];

async function serveProtocol(io: Io, path: string | undefined, flags: StepFlags): Promise<number> {
  const other = Object.keys(flags).find((name) => !protocolFlags.includes(name));
  if (other !== undefined)
    throw new UsageError(`"--protocol" reads the turn from standard input: leave out "${flagOf(other)}".`);
  if (path === "-") throw new UsageError("Standard input is the request: name the pack.");
  let response: StepResponse;
  try {
    response = await handleRequest(io, path, flags);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    response = errorResponse(error.lines.join(" ") || 'The pack cannot be read: run "promptpack lint".');
  }
  io.stdout.write(exactJson(response));
  return 0;
}

async function handleRequest(io: Io, path: string | undefined, flags: StepFlags): Promise<StepResponse> {
  const limits = readLimits(flags);
  const document = readDocument(await readAll(io.stdin, limits.maxBytes), "json", limits);
  const fault = document.faults.find(({ kind }) => kind !== "no-object");
  if (fault !== undefined) throw new UsageError(`The request cannot be read as JSON: ${fault.message}`);
  const request = readRequest(document.root, document.text);
  const named = path ?? request.config?.pack;
  if (named === undefined)
    throw new UsageError(
      'The request names no pack: set "pack" in its "config", or name it on the command line.',
    );
  const opened = requireWorkflow(await openPack(io, named, flags), "run");
  refuseUnknownVersion(opened, flags.force);
  const { workspace_dir: folder = "", context } = request;
  const job = context?.["root_job_id"];
  const ref = typeof job === "string" ? `job:${job}` : folder || undefined;
  const { response, run } = answerRequest(document.root, request, turnContext(opened, {}, ref), {
    goal: defaultGoal(opened),
    maxSteps: defaultMaxSteps(opened.workflow.budget),
    runId: (seed) => createHash("sha256").update(seed).digest("hex").slice(0, 26),
  });
  if (folder && run !== undefined) writeWorkspace(resolve(io.cwd, folder), folder, run, limits.maxBytes);
  return response;
}

function otherRun(why: string, start: true | undefined): TurnOutcome {
  return start === true ? refused(`${why}.`) : ignored(`${why}, so this turn is ignored.`, true);
}

/** Prints the pending events before removing them from the file: after a crash in between, they are printed again. */
async function printOutbox(
  { stdout }: Io,
  file: RunFile,
  run: StepRun,
  record: (run: StepRun) => void,
): Promise<void> {
  if (run.outbox.length === 0) return;
  record(run);
  stdout.write(run.outbox.map((event) => exactJson(event)).join(""));
  await stdout.settle?.();
  if (stdout.isLost === true)
    throw new UsageError(
      `The events of this turn could not be written: "${file.shown}" keeps them, and the next call prints them.`,
    );
  file.write(serializeRun({ ...run, outbox: [] }));
}

function loadRun(path: string, shown: string, { machine }: TurnContext, limits: Limits): StepRun | undefined {
  if (!existsSync(path)) return undefined;
  const fail = (why: string): never => {
    throw new UsageError(`"${shown}" is not a run file: ${why}`);
  };
  const document = readDocument(readRequiredFile(path, shown, limits.maxBytes), "json", limits);
  const [fault] = document.faults;
  if (fault !== undefined) fail(describeFileFault(fault, "run"));
  const run = readOnlyRun(document.root, fail);
  const names = machine.states.map(({ name }) => name);
  if (names.includes(run.state)) return run;
  const hint = didYouMean(run.state, names);
  throw new UsageError(
    `The run in "${shown}" is in state "${run.state}", which is not a state of the workflow.${hint}`,
  );
}

function turnContext(
  { pack, workflow, machine }: RunnableAnalysis,
  flags: Pick<StepFlags, "agent" | "set">,
  workspaceRef: string | undefined,
): TurnContext {
  const names = artifactNames(machine);
  const unknown = readWrites(flags).find(({ name }) => !names.includes(name))?.name;
  if (unknown !== undefined)
    throw new UsageError(`No state declares the artifact "${unknown}".${availableNames(unknown, names)}`);
  return {
    machine,
    workflow,
    // Looked up late: a run that an agent started needs no valid entry.
    get root() {
      return startState(pack, workflow, flags.agent).index;
    },
    budget: workflow.budget,
    now: new Date().toISOString(),
    workspaceRef,
    unlistedTool: (name, tool) => unlistedTool(pack, workflow.stateNamed(name), tool),
  };
}

/** Undefined where the pack leaves open what the prompts of the state may request. */
function unlistedTool(
  { toolUse, hasTools }: Pack,
  state: State | undefined,
  tool: string,
): string | undefined {
  if (state?.hasAllPrompts !== true || toolUse.isRuntimeTool(tool)) return undefined;
  const steps = state.composition?.allSteps ?? [];
  const ofSteps = steps.flatMap((step) => [step.tool ?? [], step.tools ?? []].flat());
  const listed = new Set(
    [...state.prompts.flatMap(({ tools }) => tools), ...ofSteps].map(({ text }) => text),
  );
  // A host may supply the tools of a pack that has none.
  if (listed.size === 0 && !hasTools) return undefined;
  if (state.prompts.some((prompt) => toolUse.mayList(prompt, tool))) return undefined;
  if ([...listed].some((name) => toolUse.isSame(name, tool))) return undefined;
  const names = listed.size === 0 ? "any tools" : `the tool "${tool}", only ${listNames([...listed], 12)}`;
  return `State "${state.name.text}" cannot request "${tool}": its prompt does not list ${names}.${didYouMean(tool, [...listed])}`;
}

type TurnKind = "start" | "event" | "result" | "done";

const requiredCompanions = [
  ["agent", "start"],
  ["goal", "start"],
  ["maxSteps", "start"],
  ["maxReframes", "start"],
  ["tool", "result"],
  ["attempt", "result"],
  ["toolResult", "result"],
  ["artifactPath", "result"],
  ["error", "result"],
  ["toolPayload", "request"],
  ["outcome", "done"],
] as const;

const flagOf = (name: string) => `--${name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;

function checkTurnFlags(path: string, flags: StepFlags): TurnKind {
  const [kind, other] = (["start", "event", "result"] as const).filter((name) => flags[name] !== undefined);
  if (other !== undefined || (kind === undefined && flags.done !== true))
    throw new UsageError(
      'A turn needs exactly one of "--start", "--event" and "--result", or "--done" alone.',
    );
  for (const [name, other] of requiredCompanions)
    if (flags[name] !== undefined && flags[other] === undefined)
      throw new UsageError(`"${flagOf(name)}" can only be used with "--${other}".`);
  if (flags.set !== undefined && flags.event === undefined && flags.done === undefined)
    throw new UsageError('"--set" can only be used with "--event" or "--done".');
  if (flags.error !== undefined && flags.result === "ok")
    throw new UsageError('"--error" can only be used with "--result error".');
  if (flags.request !== undefined && flags.done === true) throw conflictingFlags("--request", "--done");
  if (flags.reframe === true && kind !== "event" && kind !== "result")
    throw new UsageError('"--reframe" can only be used with "--event" or "--result".');
  if (flags.reframe === true && flags.done === true) throw conflictingFlags("--reframe", "--done");
  if ([path, flags.toolPayload, flags.toolResult].filter((value) => value === "-").length > 1)
    throw new UsageError('Only one of the pack, "--tool-payload" and "--tool-result" can be standard input.');
  return kind ?? "done";
}

async function readTurn(io: Io, kind: TurnKind, flags: StepFlags, opened: PackAnalysis): Promise<Turn> {
  const toolPayload = await readJsonFlag(io, "toolPayload", flags);
  const toolResult = await readJsonFlag(io, "toolResult", flags);
  const steps = (flags.step ?? []).map((text) => stepNumber("--step", text));
  const takers = [kind, "request" as const].filter((name) => name !== "start" && flags[name] !== undefined);
  if (steps.length > takers.length) {
    const each = takers.map((name) => `one for "--${name}"`).join(", and ");
    throw new UsageError(`There are too many "--step" flags: give ${each || 'none with "--start"'}.`);
  }
  const [step, next] = kind === "start" ? [undefined, ...steps] : steps;
  const readAction = () => readTurnAction(flags, toolPayload, next);
  if (kind === "start") return { input: readStart(flags, opened), action: readAction() };
  if (kind === "done") return { input: { kind, step: step ?? 0 }, action: readAction() };
  if (step === undefined) throw new UsageError(`"--${kind}" needs a "--step".`);
  return {
    input: kind === "event" ? readEvent(flags, step) : readResult(flags, step),
    action: readAction(),
    reframes: flags.reframe,
    answer: { result: readToolResult(flags, toolResult), error: flags.error },
  };
}

async function readJsonFlag(io: Io, name: "toolPayload" | "toolResult", flags: StepFlags) {
  const flag = flagOf(name);
  const text = flags[name];
  if (text === undefined) return undefined;
  const limits = readLimits(flags);
  const bytes = text === "-" ? await readAll(io.stdin, limits.maxBytes) : Buffer.from(text);
  const { root, faults } = readDocument(bytes, "json", limits);
  const fault = faults.find(({ kind }) => kind !== "no-object");
  if (fault !== undefined) throw new UsageError(`"${flag}" cannot be read as JSON: ${fault.message}`);
  if (root?.kind !== "mapping") throw new UsageError(`"${flag}" must be a JSON object.`);
  const reserved = reservedKeys.find((key) => name === "toolPayload" && root.get(key) !== undefined);
  if (reserved !== undefined)
    throw new UsageError(`"${flag}" cannot have "${reserved}", a key reserved for the run.`);
  return toValue(root) as JsonObject;
}

function defaultGoal({ file }: PackAnalysis): string {
  return `Run the workflow of "${file}"`;
}

function readStart(flags: StepFlags, opened: PackAnalysis): Turn["input"] {
  const { runId, goal, maxSteps, maxReframes } = flags;
  return {
    kind: "start",
    runId: runId ?? randomUUID(),
    goal: goal ?? defaultGoal(opened),
    maxSteps:
      maxSteps === undefined ? defaultMaxSteps(opened.workflow?.budget) : stepNumber("--max-steps", maxSteps),
    ...(maxReframes !== undefined && {
      maxReframes: parseWholeNumber("--max-reframes", maxReframes, 0, maxStepNumber),
    }),
  };
}

function readEvent(flags: StepFlags, step: number): Turn["input"] {
  const artifacts = readWrites(flags).map(({ name, value }) => [name, value] as const);
  return { kind: "event", event: flags.event ?? "", step, artifacts };
}

function readResult({ result, tool, attempt }: StepFlags, step: number): Turn["input"] {
  if (result !== "ok" && result !== "error")
    throw new UsageError(`"--result" must be ok or error, not "${result ?? ""}".`);
  if (tool === undefined) throw new UsageError('"--result" needs a "--tool".');
  return {
    kind: "result",
    status: result,
    step,
    tool,
    ...(attempt !== undefined && { attempt: stepNumber("--attempt", attempt) }),
  };
}

function readToolResult({ artifactPath }: StepFlags, toolResult?: JsonObject): JsonObject | undefined {
  if (artifactPath !== undefined && toolResult?.["artifact_path"] !== undefined)
    throw new UsageError('"--tool-result" has an "artifact_path": leave out "--artifact-path".');
  const result = artifactPath === undefined ? toolResult : { artifact_path: artifactPath, ...toolResult };
  const path = result?.["artifact_path"];
  if (path !== undefined && (typeof path !== "string" || normalizeArtifactPath(path) === undefined))
    throw new UsageError('The artifact path must be a relative path inside "artifacts/".');
  return result;
}

function readTurnAction(flags: StepFlags, toolPayload?: JsonObject, step?: number): Turn["action"] {
  const { request, done, event, outcome } = flags;
  // With an event, the values belong to the event.
  if (done === true)
    return { kind: "done", artifacts: event === undefined ? readWrites(flags) : [], outcome };
  if (request === undefined) return undefined;
  if (!/^[^\s]+$/u.test(request)) throw new UsageError('"--request" needs the name of a tool.');
  if (request === loopPlugin)
    throw new UsageError(
      `"--request" cannot name "${loopPlugin}": in RFC-103, no run may trigger the loop itself.`,
    );
  return { kind: "request", tool: request, step, toolPayload };
}

function readWrites({ set = [] }: Pick<StepFlags, "set">): readonly ArtifactWrite[] {
  return set.map(parseAssignment);
}

/** The `max_steps` in the example configuration of RFC-103. */
const usualMaxSteps = 20;
const maxStepNumber = 999_999_999;

/**
 * Each event and each tool request is a step, and `step >= max_steps` escalates: with room for every visit and every tool
 * call of the budget and one step more, the budget ends the run first.
 */
function defaultMaxSteps({ maxTotalVisits, maxToolCalls }: Partial<Budget> = {}): number {
  if (maxTotalVisits === undefined) return usualMaxSteps;
  return Math.min(maxTotalVisits.value + (maxToolCalls?.value ?? usualMaxSteps) + 1, maxStepNumber);
}

function stepNumber(flag: string, text: string): number {
  return parseWholeNumber(flag, text, 1, maxStepNumber);
}
