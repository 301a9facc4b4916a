import { normalizeArtifactPath } from "../../agentic/workspace.js";
import type { Limits } from "../../document/file-format.js";
import { toValue } from "../../document/node.js";
import { readDocument } from "../../document/read.js";
import type { Budget } from "../../pack/workflow.js";
import { loopPlugin, reservedKeys } from "../../routes/routes.js";
import { type Assignment, parseAssignment } from "../../simulate/event-list.js";
import type { JsonObject } from "../../step/step-run.js";
import type { Turn, TurnAction, TurnInput } from "../../step/take-turn.js";
import { type LimitFlags, parseWholeNumber } from "../config/flags.js";
import { conflictingFlags, type Io, readAll, UsageError } from "../terminal/io.js";

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
  readonly toolResult?: string;
  readonly artifactPath?: string;
  readonly error?: string;
  /** The number for the event or the result, then the one for the request. */
  readonly step?: readonly string[];
  readonly request?: string;
  readonly toolPayload?: string;
  readonly done?: true;
  readonly outcome?: string;
}

/** Each flag with the flag that it requires. */
const requiredCompanions = [
  ["agent", "start"],
  ["goal", "start"],
  ["maxSteps", "start"],
  ["tool", "result"],
  ["attempt", "result"],
  ["toolResult", "result"],
  ["artifactPath", "result"],
  ["error", "result"],
  ["toolPayload", "request"],
  ["outcome", "done"],
] as const;

/** The `max_steps` in the example configuration of RFC-103. */
const usualMaxSteps = 20;
const maxStepNumber = 999_999_999;

/**
 * Each event and each tool request is a step, and `step >= max_steps` escalates: with room for every visit and every tool
 * call of the budget and one step more, the budget ends the run first.
 */
export function defaultMaxSteps(budget: Budget | undefined): number {
  const { maxTotalVisits, maxToolCalls } = budget ?? {};
  if (maxTotalVisits === undefined) return usualMaxSteps;
  const steps = maxTotalVisits.value + (maxToolCalls?.value ?? usualMaxSteps) + 1;
  return Math.min(steps, maxStepNumber);
}

interface JsonFlags {
  readonly toolPayload: JsonObject | undefined;
  readonly toolResult: JsonObject | undefined;
}

export async function readJsonFlag(
  io: Io,
  flag: string,
  text: string | undefined,
  limits: Limits,
): Promise<JsonObject | undefined> {
  if (text === undefined) return undefined;
  const bytes = text === "-" ? await readAll(io.stdin, limits.maxBytes) : Buffer.from(text);
  const { root, faults } = readDocument(bytes, "json", limits);
  const fault = faults.find(({ kind }) => kind !== "no-object");
  if (fault !== undefined) throw new UsageError(`"${flag}" cannot be read as JSON: ${fault.message}`);
  if (root?.kind !== "mapping") throw new UsageError(`"${flag}" must be a JSON object.`);
  const reserved = reservedKeys.find((key) => flag === "--tool-payload" && root.get(key) !== undefined);
  if (reserved !== undefined)
    throw new UsageError(`"${flag}" cannot have "${reserved}", a key reserved for the run.`);
  return toValue(root) as JsonObject;
}

interface RunDefaults {
  readonly runId: () => string;
  readonly goal: string;
  readonly maxSteps: number;
}

export function checkTurnFlags(path: string, flags: StepFlags): void {
  if (countInputs(flags) !== 1 && !isEnd(flags)) {
    throw new UsageError(
      'A turn needs exactly one of "--start", "--event" and "--result", or "--done" alone.',
    );
  }
  for (const [name, other] of requiredCompanions) {
    const flag = name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
    if (flags[name] !== undefined && flags[other] === undefined)
      throw new UsageError(`"--${flag}" can only be used with "--${other}".`);
  }
  if (flags.set !== undefined && flags.event === undefined && flags.done === undefined)
    throw new UsageError('"--set" can only be used with "--event" or "--done".');
  if (flags.error !== undefined && flags.result === "ok")
    throw new UsageError('"--error" can only be used with "--result error".');
  if (flags.request !== undefined && flags.done === true) throw conflictingFlags("--request", "--done");
  const { toolPayload, toolResult } = flags;
  const readers = [path, toolPayload, toolResult].filter((value) => value === "-").length;
  if (readers > 1)
    throw new UsageError('Only one of the pack, "--tool-payload" and "--tool-result" can be standard input.');
}

function countInputs({ start, event, result }: StepFlags): number {
  return [start, event, result].filter((input) => input !== undefined).length;
}

function isEnd(flags: StepFlags): boolean {
  return countInputs(flags) === 0 && flags.done === true;
}

export function readTurn(flags: StepFlags, json: JsonFlags, defaults: RunDefaults): Turn {
  const steps = (flags.step ?? []).map((text) => stepNumber("--step", text));
  const given = steps.length;
  const names = (["event", "result", "request"] as const).filter((name) => flags[name] !== undefined);
  const takers = isEnd(flags) ? ["done"] : names;
  if (given > takers.length) {
    const each = takers.map((name) => `one for "--${name}"`).join(", and ");
    throw new UsageError(`There are too many "--step" flags: give ${each || 'none with "--start"'}.`);
  }
  if (isEnd(flags))
    return { input: { kind: "done", step: steps[0] ?? 0 }, action: readAction(flags, json, undefined) };
  const own = flags.start === true ? 0 : 1;
  if (given < own)
    throw new UsageError(`"--${flags.event === undefined ? "result" : "event"}" needs a "--step".`);
  return {
    input: readInput(flags, steps[0] ?? 0, defaults),
    action: readAction(flags, json, steps[own]),
    answer: { result: readToolResult(flags, json), error: flags.error },
  };
}

function readToolResult({ artifactPath }: StepFlags, { toolResult }: JsonFlags): JsonObject | undefined {
  if (artifactPath !== undefined && toolResult?.["artifact_path"] !== undefined)
    throw new UsageError('"--tool-result" has an "artifact_path": leave out "--artifact-path".');
  const result = artifactPath === undefined ? toolResult : { artifact_path: artifactPath, ...toolResult };
  const path = result?.["artifact_path"];
  if (path !== undefined && (typeof path !== "string" || normalizeArtifactPath(path) === undefined))
    throw new UsageError('The artifact path must be a relative path inside "artifacts/".');
  return result;
}

function readInput(flags: StepFlags, step: number, defaults: RunDefaults): TurnInput {
  if (flags.start === true) {
    return {
      kind: "start",
      runId: flags.runId ?? defaults.runId(),
      goal: flags.goal ?? defaults.goal,
      maxSteps: flags.maxSteps === undefined ? defaults.maxSteps : stepNumber("--max-steps", flags.maxSteps),
    };
  }
  if (flags.event !== undefined) {
    const artifacts = readWrites(flags).map(({ name, value }) => [name, value] as const);
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

function readWrites({ set = [] }: StepFlags): readonly Assignment[] {
  return set.map(parseAssignment);
}

function readAction(
  flags: StepFlags,
  { toolPayload }: JsonFlags,
  step: number | undefined,
): TurnAction | undefined {
  const { request, done, event, outcome } = flags;
  // An event has the values itself.
  if (done === true)
    return { kind: "done", artifacts: event === undefined ? readWrites(flags) : [], outcome };
  if (request === undefined) return undefined;
  if (!/^[^\s]+$/u.test(request)) throw new UsageError('"--request" needs the name of a tool.');
  if (request === loopPlugin) {
    throw new UsageError(
      `"--request" cannot name "${loopPlugin}": in RFC-103, no run may trigger the loop itself.`,
    );
  }
  return { kind: "request", tool: request, step, toolPayload };
}

function stepNumber(flag: string, text: string): number {
  return parseWholeNumber(flag, text, 1, maxStepNumber);
}
