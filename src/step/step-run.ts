import { asMapping, isNull, type Node, toValue } from "../document/node.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import { listChoices } from "../text/wording.js";

export interface StepRun {
  readonly runId: string;
  readonly status: "running" | "done" | "escalated";
  readonly goal: string;
  readonly state: string;
  readonly visitCounts: ReadonlyMap<string, number>;
  readonly artifacts: ReadonlyMap<string, string>;
  /** The last step that has begun; 0 before the first. */
  readonly step: number;
  readonly maxSteps: number;
  /** The attempt at the pending step, from 1; 0 while nothing is pending. */
  readonly attempt: number;
  readonly completedSteps: readonly number[];
  readonly pending: PendingStep | undefined;
  /** Times in RFC 3339. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pendingSince: string | undefined;
  /** Not counted here, but kept for a loop that does. */
  readonly reframes: number;
  /** Requests of tools, including retries. */
  readonly toolCalls: number;
  readonly artifactPaths: readonly string[];
  readonly reason: string | undefined;
  /** The inputs of turns since the last completed step, so that none is taken twice. */
  readonly turns: readonly string[];
  /** Events that may not have been emitted yet: the next turn emits them first. */
  readonly outbox: readonly LoopEvent[];
}

export interface PendingStep {
  readonly step: number;
  readonly tool: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface LoopEvent {
  readonly type: string;
  readonly payload: JsonObject;
  readonly dedupe_key: string;
}

/** In the shape of RFC-103 (agent plugin state schema), with the fields of the workflow added. */
export function serializeRun(run: StepRun): string {
  const plain = {
    status: run.status,
    goal: run.goal,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    state: run.state,
    visit_counts: Object.fromEntries(run.visitCounts),
    artifacts: Object.fromEntries(run.artifacts),
    step: run.step,
    max_steps: run.maxSteps,
    attempt: run.attempt,
    reframes: run.reframes,
    completed_steps: run.completedSteps,
    pending_step: run.pending?.step ?? null,
    pending_tool: run.pending?.tool ?? null,
    pending_since: run.pendingSince ?? null,
    tool_calls: run.toolCalls,
    artifact_paths: run.artifactPaths,
    ...(run.reason !== undefined && { reason: run.reason }),
    turns: run.turns,
    outbox: run.outbox,
  };
  return `${JSON.stringify({ runs: { [run.runId]: plain }, last_run_id: run.runId }, null, 2)}\n`;
}

export class InvalidRunFile extends Error {
  override readonly name = "InvalidRunFile";
}

export function readRun(root: Node | undefined): StepRun {
  const runs = asMapping(asMapping(root)?.get("runs"))?.entries ?? [];
  const [only] = runs;
  if (only === undefined || runs.length > 1)
    throw new InvalidRunFile(`it has ${runs.length} runs, but a run file has one`);
  const fields = asMapping(only.value);
  const isSet = (name: string): boolean => fields?.get(name) !== undefined && !isNull(fields.get(name));
  const read = <T>(name: string, { is, what }: Shape<T>): T => {
    const node = fields?.get(name);
    const value = node && toValue(node);
    if (!is(value)) throw new InvalidRunFile(`"${name}" must be ${what}`);
    return value;
  };
  const readIfSet = <T>(name: string, shape: Shape<T>): T | undefined =>
    isSet(name) ? read(name, shape) : undefined;
  const isPending = isSet("pending_step") || isSet("pending_tool");
  const run: StepRun = {
    runId: only.key.text,
    status: read("status", status),
    goal: read("goal", text),
    state: read("state", text),
    visitCounts: new Map(Object.entries(read("visit_counts", objectOf(count)))),
    artifacts: new Map(Object.entries(read("artifacts", objectOf(text)))),
    step: read("step", count),
    maxSteps: read("max_steps", count),
    attempt: read("attempt", count),
    completedSteps: read("completed_steps", listOf(count)),
    pending: isPending ? { step: read("pending_step", count), tool: read("pending_tool", text) } : undefined,
    createdAt: read("created_at", time),
    updatedAt: read("updated_at", time),
    pendingSince: readIfSet("pending_since", time),
    reframes: read("reframes", count),
    toolCalls: read("tool_calls", count),
    artifactPaths: read("artifact_paths", listOf(text)),
    reason: readIfSet("reason", text),
    turns: read("turns", listOf(text)),
    outbox: read("outbox", listOf(event)),
  };
  if (isPending && run.status !== "running")
    throw new InvalidRunFile("the run has ended but still waits for a tool");
  if (run.pending !== undefined && run.pending.step !== run.step)
    throw new InvalidRunFile(`the run is at step ${run.step} but waits for step ${run.pending.step}`);
  return run;
}

/** What a field must be; `many` are several of these. */
interface Shape<T> {
  readonly is: (value: unknown) => value is T;
  readonly what: string;
  readonly many?: string;
}

const text: Shape<string> = { is: (value) => typeof value === "string", what: "a string", many: "strings" };

const count: Shape<number> = {
  is: (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  what: "a whole number",
  many: "whole numbers",
};

const time: Shape<string> = {
  is: (value): value is string => text.is(value) && parseTimestamp(value) !== undefined,
  what: "a date and time, as in RFC 3339",
};

const statuses = ["running", "done", "escalated"] as const;
const status: Shape<(typeof statuses)[number]> = {
  is: (value): value is (typeof statuses)[number] => statuses.some((each) => each === value),
  what: listChoices(statuses),
};

const event: Shape<LoopEvent> = {
  is: (value): value is LoopEvent => isObject(value) && "type" in value && "payload" in value,
  what: "an event",
  many: "events",
};

function listOf<T>({ is, many = "" }: Shape<T>): Shape<readonly T[]> {
  return { is: (value) => Array.isArray(value) && value.every(is), what: `a list of ${many}` };
}

function objectOf<T>({ is, many = "" }: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    is: (value): value is Record<string, T> => isObject(value) && Object.values(value).every(is),
    what: `an object of ${many}`,
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
