import { isNull, type Node, toValue } from "../document/node.js";
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
  /** The inputs of turns since the last completed step, so that none is taken twice. */
  readonly turns: readonly string[];
  /** Events that may not have been emitted yet: the next turn emits them first. */
  readonly outbox: readonly LoopEvent[];
}

export interface PendingStep {
  readonly step: number;
  readonly tool: string;
}

export interface LoopEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly dedupe_key: string;
}

export function serializeRun(run: StepRun): string {
  const plain = {
    run_id: run.runId,
    status: run.status,
    goal: run.goal,
    state: run.state,
    visit_counts: Object.fromEntries(run.visitCounts),
    artifacts: Object.fromEntries(run.artifacts),
    step: run.step,
    max_steps: run.maxSteps,
    attempt: run.attempt,
    completed_steps: run.completedSteps,
    pending_step: run.pending?.step ?? null,
    pending_tool: run.pending?.tool ?? null,
    turns: run.turns,
    outbox: run.outbox,
  };
  return `${JSON.stringify(plain, null, 2)}\n`;
}

export class InvalidRunFile extends Error {
  override readonly name = "InvalidRunFile";
}

/** Reads a run file, validating every field. */
export function readRun(root: Node | undefined): StepRun {
  const fields = new FieldReader(root);
  const [step, tool] = [fields.get("pending_step"), fields.get("pending_tool")];
  const isPending = isSet(step) || isSet(tool);
  const run: StepRun = {
    runId: fields.text("run_id"),
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

  get(name: string): Node | undefined {
    return this.root?.kind === "mapping" ? this.root.get(name) : undefined;
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

  private scalar<T>(name: string, is: (value: unknown) => value is T, what: string): T {
    const node = this.get(name);
    const value = node?.kind === "scalar" ? node.value : undefined;
    if (!is(value)) throw new InvalidRunFile(`"${name}" must be ${what}`);
    return value;
  }
}

function isSet(node: Node | undefined): boolean {
  return node !== undefined && !isNull(node);
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
