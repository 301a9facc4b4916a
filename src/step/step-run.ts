import type { StepOfTool } from "../routes/routes.js";
import { asMapping, type Node, toValue } from "../document/node.js";
import { parseTimestamp } from "../text/parse-scalar.js";

type Guard<T> = (value: unknown) => value is T;

const isText: Guard<string> = (value) => typeof value === "string";
const isCount: Guard<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
/** In RFC 3339. */
const isTime: Guard<string> = (value): value is string =>
  isText(value) && parseTimestamp(value) !== undefined;
const isStatus: Guard<"running" | "done" | "escalated"> = (value) =>
  value === "running" || value === "done" || value === "escalated";
const isEvent: Guard<LoopEvent> = (value): value is LoopEvent =>
  isObject(value) && "type" in value && isText(value.type) && "payload" in value && isObject(value.payload);

function isListOf<T>(is: Guard<T>): Guard<readonly T[]> {
  return (value) => Array.isArray(value) && value.every(is);
}

function isMapOf<T>(is: Guard<T>): Guard<Readonly<Record<string, T>>> {
  return (value): value is Record<string, T> => isObject(value) && Object.values(value).every(is);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function orNothing<T>(is: Guard<T>): Guard<T | null | undefined> {
  return (value) => value === undefined || value === null || is(value);
}

/** The fields of a run in the order of a run file: those of RFC-103 (agent plugin state schema) and of the workflow. */
const fields = {
  status: isStatus,
  goal: isText,
  created_at: isTime,
  updated_at: isTime,
  state: isText,
  visit_counts: isMapOf(isCount),
  artifacts: isMapOf(isText),
  /** The last step that has begun; 0 before the first. */
  step: isCount,
  max_steps: isCount,
  /** The attempt at the pending step, from 1; 0 while nothing is pending. */
  attempt: isCount,
  reframes: isCount,
  /** Absent from runs that began before reframes were counted. */
  max_reframes: orNothing(isCount),
  completed_steps: isListOf(isCount),
  pending_step: orNothing(isCount),
  pending_tool: orNothing(isText),
  pending_since: orNothing(isTime),
  /** Requests of tools, including retries. */
  tool_calls: isCount,
  artifact_paths: isListOf(isText),
  workspace_ref: orNothing(isText),
  reason: orNothing(isText),
  /** The inputs of turns since the last completed step, so that none is taken twice. */
  turns: isListOf(isText),
  /** How many decisions of the configuration were used, with `--protocol`. */
  decisions_taken: orNothing(isCount),
  /** Events that may not have been emitted yet: the next turn emits them first. */
  outbox: isListOf(isEvent),
};

type Checked<Check> = Check extends Guard<infer T> ? T : never;
export type StepRun = { readonly [Name in keyof typeof fields]: Checked<(typeof fields)[Name]> } & {
  readonly runId: string;
};

export type JsonObject = Readonly<Record<string, unknown>>;

export interface LoopEvent {
  readonly type: string;
  readonly payload: JsonObject;
  readonly dedupe_key: string;
}

export interface RunStart {
  readonly runId: string;
  readonly goal: string;
  readonly maxSteps: number;
  readonly maxReframes?: number | undefined;
}

/** The `max_reframes` in the example configuration of RFC-103. */
export const usualMaxReframes = 2;

export function newRun(
  { runId, goal, maxSteps, maxReframes = usualMaxReframes }: RunStart,
  state: string,
  now: string,
): StepRun {
  return {
    runId,
    status: "running",
    goal,
    created_at: now,
    updated_at: now,
    state,
    visit_counts: Object.fromEntries([[state, 1]]),
    artifacts: {},
    step: 0,
    max_steps: maxSteps,
    attempt: 0,
    reframes: 0,
    max_reframes: maxReframes,
    completed_steps: [],
    ...nothingPending,
    tool_calls: 0,
    artifact_paths: [],
    workspace_ref: undefined,
    reason: undefined,
    turns: [],
    decisions_taken: undefined,
    outbox: [],
  };
}

export const nothingPending = { pending_step: null, pending_tool: null, pending_since: null };

export function pendingOf({ pending_step: step, pending_tool: tool }: StepRun): StepOfTool | undefined {
  return typeof step === "number" && typeof tool === "string" ? { step, tool } : undefined;
}

export function serializeRun({ runId, ...run }: StepRun): string {
  return `${JSON.stringify({ runs: { [runId]: run }, last_run_id: runId }, null, 2)}\n`;
}

/** The run of a run file, which has one. */
export function readOnlyRun(root: Node | undefined, fail: (why: string) => never): StepRun {
  const [only, ...others] = asMapping(asMapping(root)?.get("runs"))?.entries ?? [];
  if (only === undefined || others.length > 0)
    return fail(`it has ${only === undefined ? 0 : others.length + 1} runs, but a run file has one.`);
  return readRun(only.key.text, only.value, fail);
}

export function readRun(runId: string, value: Node, fail: (why: string) => never): StepRun {
  const failAt = (name: string): never => fail(`"${name}" is missing or has a wrong value.`);
  const node = asMapping(value);
  const values = Object.entries(fields).map(([name, isValid]) => {
    const field = node?.get(name);
    const value = field && toValue(field);
    return [name, isValid(value) ? value : failAt(name)];
  });
  const run = { runId, ...Object.fromEntries(values) } as StepRun;
  const step = run.pending_step ?? undefined;
  const tool = run.pending_tool ?? undefined;
  if (step === undefined && tool === undefined) return run;
  if (step === undefined) failAt("pending_step");
  if (tool === undefined) failAt("pending_tool");
  if (run.status !== "running") fail("the run has ended but still waits for a tool.");
  if (step !== run.step) fail(`the run is at step ${run.step} but waits for step ${step}.`);
  return run;
}
