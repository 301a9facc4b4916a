import { asMapping, isNull, type Node, toValue } from "../document/node.js";
import { parseTimestamp } from "../text/parse-scalar.js";

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
  const read = <T>(name: string, isValid: Guard<T>): T => {
    const node = fields?.get(name);
    const value = node && toValue(node);
    if (!isValid(value)) throw new InvalidRunFile(`"${name}" is missing or has a wrong value`);
    return value;
  };
  const readIfSet = <T>(name: string, isValid: Guard<T>): T | undefined =>
    isSet(name) ? read(name, isValid) : undefined;
  const isPending = isSet("pending_step") || isSet("pending_tool");
  const run: StepRun = {
    runId: only.key.text,
    status: read("status", isStatus),
    goal: read("goal", isText),
    state: read("state", isText),
    visitCounts: new Map(Object.entries(read("visit_counts", isMapOf(isCount)))),
    artifacts: new Map(Object.entries(read("artifacts", isMapOf(isText)))),
    step: read("step", isCount),
    maxSteps: read("max_steps", isCount),
    attempt: read("attempt", isCount),
    completedSteps: read("completed_steps", isListOf(isCount)),
    pending: isPending
      ? { step: read("pending_step", isCount), tool: read("pending_tool", isText) }
      : undefined,
    createdAt: read("created_at", isTime),
    updatedAt: read("updated_at", isTime),
    pendingSince: readIfSet("pending_since", isTime),
    reframes: read("reframes", isCount),
    toolCalls: read("tool_calls", isCount),
    artifactPaths: read("artifact_paths", isListOf(isText)),
    reason: readIfSet("reason", isText),
    turns: read("turns", isListOf(isText)),
    outbox: read("outbox", isListOf(isEvent)),
  };
  if (isPending && run.status !== "running")
    throw new InvalidRunFile("the run has ended but still waits for a tool");
  if (run.pending !== undefined && run.pending.step !== run.step)
    throw new InvalidRunFile(`the run is at step ${run.step} but waits for step ${run.pending.step}`);
  return run;
}

type Guard<T> = (value: unknown) => value is T;

const isText: Guard<string> = (value) => typeof value === "string";

const isCount: Guard<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isTime: Guard<string> = (value): value is string =>
  isText(value) && parseTimestamp(value) !== undefined;

const isStatus: Guard<StepRun["status"]> = (value) =>
  value === "running" || value === "done" || value === "escalated";

const isEvent: Guard<LoopEvent> = (value): value is LoopEvent =>
  isObject(value) && "type" in value && "payload" in value;

function isListOf<T>(is: Guard<T>): Guard<readonly T[]> {
  return (value) => Array.isArray(value) && value.every(is);
}

function isMapOf<T>(is: Guard<T>): Guard<Readonly<Record<string, T>>> {
  return (value): value is Record<string, T> => isObject(value) && Object.values(value).every(is);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
