import { loopPlugin } from "../../routes/routes.js";
import { parseAssignment } from "../../simulate/event-list.js";
import type { TurnAction, TurnInput, Turn } from "../../step/turn.js";
import type { LimitFlags } from "../request/limits.js";
import { parseWholeNumber } from "../request/whole-number.js";
import { conflictingFlags, UsageError } from "../terminal/usage-error.js";

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
  /** That of the event or the result, then that of the request. */
  readonly step?: readonly string[];
  readonly request?: string;
  readonly done?: true;
}

/** What only means something beside another flag. */
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

/** What a new run is called and after, where the flags do not say. */
export interface RunDefaults {
  readonly runId: () => string;
  readonly goal: string;
}

export function readTurn(flags: StepFlags, defaults: RunDefaults): Turn {
  const steps = (flags.step ?? []).map((text) => stepNumber("--step", text));
  const given = steps.length;
  const inputs = [flags.start, flags.event, flags.result].filter((input) => input !== undefined).length;
  const isEnd = inputs === 0 && flags.done === true;
  if (inputs !== 1 && !isEnd) {
    throw new UsageError(
      'A turn needs exactly one of "--start", "--event" and "--result", or "--done" alone.',
    );
  }
  refuseLoneFlags(flags);
  if (flags.request !== undefined && flags.done === true) throw conflictingFlags("--request", "--done");
  const names = (["event", "result", "request"] as const).filter((name) => flags[name] !== undefined);
  const takers = isEnd ? ["done"] : names;
  if (given > takers.length) throw new UsageError(tooManySteps(takers));
  if (isEnd) return { input: { kind: "done", step: steps[0] ?? 0 }, action: undefined };
  const own = flags.start === true ? 0 : 1;
  if (given < own)
    throw new UsageError(`"--${flags.event === undefined ? "result" : "event"}" needs a "--step".`);
  return { input: readInput(flags, steps[0] ?? 0, defaults), action: readAct(flags, steps[own]) };
}

function tooManySteps(takers: readonly string[]): string {
  if (takers.length === 0) return '"--start" takes no "--step".';
  const each = takers.map((name) => `one for "--${name}"`);
  return `There are too many "--step" flags: give ${each.join(", and ")}.`;
}

function refuseLoneFlags(flags: StepFlags): void {
  for (const [name, other] of requiredCompanions) {
    if (flags[name] !== undefined && flags[other] === undefined)
      throw new UsageError(`"--${flagName(name)}" can only be used with "--${other}".`);
  }
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

function readAct({ request, done }: StepFlags, step: number | undefined): TurnAction | undefined {
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

/** `maxSteps` as it is on the command line. */
function flagName(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

function stepNumber(flag: string, text: string): number {
  return parseWholeNumber(flag, text, 1, maxStepNumber);
}
