import { asMapping, isNull, type Node, toValue } from "../document/node.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import { listChoices } from "../text/wording.js";

/** The state of a run between two turns. */
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
  /** Times in RFC 3339. Runs of earlier versions have none until their next turn. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly pendingSince: string | undefined;
  /** Not counted here, but kept for a loop that does. */
  readonly reframes: number;
  /** Requests of tools, including retries. */
  readonly toolCalls: number;
  /** The artifact files that results named. */
  readonly artifactPaths: readonly string[];
  /** Why the run escalated. */
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

/** Reads a run file, validating every field. In files of earlier versions, the run itself is the root. */
export function readRun(root: Node | undefined): StepRun {
  const runs = asMapping(asMapping(root)?.get("runs"))?.entries;
  const [only, ...others] = runs ?? [];
  if (runs !== undefined && (only === undefined || others.length > 0))
    throw new InvalidRunFile(`it has ${runs.length} runs, but a run file has one`);
  const fields = new FieldReader(only?.value ?? root);
  const isPending = fields.isSet("pending_step") || fields.isSet("pending_tool");
  const run: StepRun = {
    runId: only?.key.text ?? fields.text("run_id"),
    status: fields.choice("status", ["running", "done", "escalated"]),
    goal: fields.text("goal"),
    state: fields.text("state"),
    visitCounts: fields.map("visit_counts", isCount, "a whole number"),
    artifacts: fields.map("artifacts", isText, "a string"),
    step: fields.count("step"),
    maxSteps: fields.count("max_steps"),
    attempt: fields.count("attempt"),
    completedSteps: fields.list("completed_steps", isCount, "whole numbers"),
    pending: isPending
      ? { step: fields.count("pending_step"), tool: fields.text("pending_tool") }
      : undefined,
    createdAt: fields.time("created_at"),
    updatedAt: fields.time("updated_at"),
    pendingSince: fields.time("pending_since"),
    reframes: fields.isSet("reframes") ? fields.count("reframes") : 0,
    toolCalls: fields.isSet("tool_calls") ? fields.count("tool_calls") : 0,
    artifactPaths: fields.isSet("artifact_paths") ? fields.list("artifact_paths", isText, "strings") : [],
    reason: fields.isSet("reason") ? fields.text("reason") : undefined,
    turns: fields.list("turns", isText, "strings"),
    outbox: fields.list("outbox", isEvent, "events"),
  };
  if (isPending && run.status !== "running")
    throw new InvalidRunFile("the run has ended but still waits for a tool");
  if (run.pending !== undefined && run.pending.step !== run.step)
    throw new InvalidRunFile(`the run is at step ${run.step} but waits for step ${run.pending.step}`);
  return run;
}

class FieldReader {
  constructor(private readonly root: Node | undefined) {}

  isSet(name: string): boolean {
    const node = this.get(name);
    return node !== undefined && !isNull(node);
  }

  time(name: string): string | undefined {
    if (!this.isSet(name)) return undefined;
    const text = this.text(name);
    if (parseTimestamp(text) === undefined)
      throw new InvalidRunFile(`"${name}" must be a date and time, as in RFC 3339`);
    return text;
  }

  text(name: string): string {
    return this.scalar(name, isText, "a string");
  }

  count(name: string): number {
    return this.scalar(name, isCount, "a whole number");
  }

  choice<T extends string>(name: string, choices: readonly T[]): T {
    const text = this.text(name);
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) throw new InvalidRunFile(`"${name}" must be ${listChoices(choices)}`);
    return chosen;
  }

  list<T>(name: string, is: (value: unknown) => value is T, what: string): readonly T[] {
    const node = this.get(name);
    const value = node?.kind === "sequence" ? toValue(node) : undefined;
    if (!Array.isArray(value) || !value.every(is))
      throw new InvalidRunFile(`"${name}" must be a list of ${what}`);
    return value;
  }

  map<T>(name: string, is: (value: unknown) => value is T, what: string): ReadonlyMap<string, T> {
    const node = this.get(name);
    if (node?.kind !== "mapping") throw new InvalidRunFile(`"${name}" must be an object`);
    return new Map(
      node.entries.map(({ key, value }) => {
        const plain = value.kind === "scalar" ? value.value : undefined;
        if (!is(plain)) throw new InvalidRunFile(`"${name}" must have ${what} for "${key.text}"`);
        return [key.text, plain];
      }),
    );
  }

  private get(name: string): Node | undefined {
    return this.root?.kind === "mapping" ? this.root.get(name) : undefined;
  }

  private scalar<T>(name: string, is: (value: unknown) => value is T, what: string): T {
    const node = this.get(name);
    const value = node?.kind === "scalar" ? node.value : undefined;
    if (!is(value)) throw new InvalidRunFile(`"${name}" must be ${what}`);
    return value;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isEvent(value: unknown): value is LoopEvent {
  return typeof value === "object" && value !== null && "type" in value && "payload" in value;
}
