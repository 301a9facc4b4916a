import { type Edge, knownEventsOf, type Machine, type MachineState } from "../machine/machine.js";
import { attempt, type RunStatus, statusAfter } from "../machine/run.js";
import { requestPrefix, transitionTool } from "../routes/routes.js";
import { didYouMean } from "../text/names.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import { listNames, pluralize } from "../text/wording.js";
import type { JsonObject, LoopEvent, PendingStep, StepRun } from "./step-run.js";

/** The input of a turn. Run files store it as JSON, so the names and order of its fields must not change. */
export type TurnInput =
  | { readonly kind: "start"; readonly runId: string; readonly goal: string; readonly maxSteps: number }
  | {
      readonly kind: "event";
      readonly event: string;
      readonly step: number;
      readonly artifacts: ArtifactWrites;
    }
  | {
      readonly kind: "result";
      readonly status: "ok" | "error";
      readonly step: number;
      readonly tool: string;
      readonly attempt?: number | undefined;
    }
  /** Ends a run whose workflow has ended; `step` is 0 before the first step. */
  | { readonly kind: "done"; readonly step: number };

export type TurnAction =
  | {
      readonly kind: "request";
      readonly tool: string;
      readonly step: number | undefined;
      readonly toolPayload?: JsonObject | undefined;
    }
  /** `artifacts` are those of the state in which the run ends. */
  | { readonly kind: "done"; readonly artifacts?: ArtifactWrites; readonly outcome?: string | undefined };

/** What a tool answered. Not part of the input: the answer to one attempt is the same turn whatever it says. */
export interface ToolAnswer {
  readonly result?: JsonObject | undefined;
  readonly error?: string | undefined;
}

export interface Turn {
  readonly input: TurnInput;
  readonly action: TurnAction | undefined;
  readonly answer?: ToolAnswer;
}

type ArtifactWrites = readonly (readonly [name: string, value: string])[];

export interface TurnContext {
  readonly machine: Machine;
  readonly root: number;
  /** `engine.budget`; undefined where there is no limit. */
  readonly maxTotalVisits: number | undefined;
  readonly maxToolCalls: number | undefined;
  readonly maxWallTimeSec: number | undefined;
  /** The artifacts after leaving a state that wrote these; throws if it does not declare one of them. */
  readonly applyWrites: (
    state: MachineState,
    before: ReadonlyMap<string, string>,
    writes: ArtifactWrites,
  ) => ReadonlyMap<string, string>;
  /** Why an event leads to no state after these spent ones; throws if that depends on an unreadable part. */
  readonly danglingTargetMessage: (edge: Edge, forced: readonly number[]) => string;
  readonly now: string;
}

/** The outcome of a turn; `ignored` if it was taken before or comes too late, `refused` if it is invalid. */
export type TurnOutcome =
  | { readonly kind: "taken"; readonly run: StepRun; readonly note?: string }
  | { readonly kind: "ignored" | "refused"; readonly why: string };

/** Identifies an input that is delivered again. */
export function inputKey(input: TurnInput): string {
  return JSON.stringify(input);
}

export function ignored(why: string): TurnOutcome {
  return { kind: "ignored", why };
}

export function refused(why: string): TurnOutcome {
  return { kind: "refused", why };
}

/** Takes one turn, validated in the order of RFC-103. `run` itself is not changed. */
export function takeTurn(run: StepRun | undefined, turn: Turn, context: TurnContext): TurnOutcome {
  const { input } = turn;
  if (input.kind === "start") {
    return run === undefined
      ? startRun(input, turn, context)
      : ignored(`Run "${run.runId}" has already started.`);
  }
  if (run === undefined) return refused('The run has not started: start it with "--start".');
  if (run.status !== "running") return ignored(`Run "${run.runId}" has ended (${run.status}).`);
  if (run.turns.includes(inputKey(input))) return ignored("This turn was already taken.");
  const next = new TurnInProgress(run, turn, context);
  if (input.kind === "done") return next.done(input.step);
  return input.kind === "event" ? next.event(input) : next.result(input);
}

function startRun(input: TurnInput & { kind: "start" }, turn: Turn, context: TurnContext): TurnOutcome {
  const entry = context.machine.states[context.root];
  if (entry === undefined) return refused("The workflow has no state to start in.");
  const run: StepRun = {
    runId: input.runId,
    status: "running",
    goal: input.goal,
    state: entry.name,
    visitCounts: new Map([[entry.name, 1]]),
    artifacts: new Map(),
    step: 0,
    maxSteps: input.maxSteps,
    attempt: 0,
    completedSteps: [],
    pending: undefined,
    createdAt: context.now,
    updatedAt: context.now,
    pendingSince: undefined,
    reframes: 0,
    toolCalls: 0,
    artifactPaths: [],
    reason: undefined,
    turns: [],
    outbox: [],
  };
  const next = new TurnInProgress(run, turn, context);
  next.emitStart();
  return next.performAction();
}

function stillWaitingMessage({ step, tool }: PendingStep): string {
  return `Step ${step} still waits for "${tool}".`;
}

function stepOverMessage(step: number, run: StepRun): string {
  const now = run.pending === undefined ? `step ${run.step + 1} is next` : `the run is at step ${run.step}`;
  return `Step ${step} is over; ${now}.`;
}

/** RFC 0009's word for a run that a guard or the budget has ended. */
const exhausted: RunStatus = "budget-exhausted";

class TurnInProgress {
  private readonly events: LoopEvent[] = [];

  constructor(
    private run: StepRun,
    private readonly turn: Turn,
    private readonly context: TurnContext,
  ) {}

  /** A workflow event is a step that is requested and answered in one turn. */
  event(input: TurnInput & { kind: "event" }): TurnOutcome {
    const { run } = this;
    const { step } = input;
    if (step <= run.step && run.pending?.step !== step) return ignored(stepOverMessage(step, run));
    if (run.pending !== undefined) return refused(stillWaitingMessage(run.pending));
    if (step > run.step + 1)
      return this.escalate("step_mismatch", `Step ${step} is ahead of step ${run.step + 1}.`);
    return this.fireEvent(input);
  }

  result(input: TurnInput & { kind: "result" }): TurnOutcome {
    const { run, turn } = this;
    const { step, tool, status, attempt: answered } = input;
    const { pending } = run;
    const current = pending?.step ?? run.step + 1;
    if (step < current) return ignored(stepOverMessage(step, run));
    if (pending === undefined || step > current)
      return this.escalate("step_mismatch", `No result is expected for step ${step}.`);
    const otherAttempt = `This is the result of attempt ${answered}, but attempt ${run.attempt} is pending.`;
    if (answered !== undefined && answered < run.attempt) return ignored(otherAttempt);
    this.emitResult(input, status, turn.answer);
    if (tool !== pending.tool) {
      const note = `Step ${step} waits for "${pending.tool}", not for "${tool}".`;
      return this.escalate("pending_tool_mismatch", note);
    }
    if (answered !== undefined && answered > run.attempt) return refused(otherAttempt);
    if (status === "error") return this.retry(step);
    this.addArtifactPath();
    this.completeStep(step);
    return this.performAction();
  }

  done(step: number): TurnOutcome {
    const { run } = this;
    if (run.pending !== undefined) return refused(stillWaitingMessage(run.pending));
    if (step === 0 && run.step > 0) return refused(`The last step is ${run.step}: give it with "--step".`);
    if (step < run.step) return ignored(stepOverMessage(step, run));
    if (step > run.step) return refused(`The last step is ${run.step}, not ${step}.`);
    if (this.isWorkflowOver) return this.completeRun();
    return refused(
      `The workflow does not end in state "${run.state}": "--done" alone is for a run whose workflow has ended.`,
    );
  }

  emitStart(): void {
    const { runId, goal, maxSteps } = this.run;
    const payload = { goal, context: { max_steps: maxSteps }, run_id: runId };
    this.events.push({ type: "agentic.start", payload, dedupe_key: `agentic:start:${runId}` });
  }

  private emit(type: string, key: string, payload: JsonObject): void {
    const { runId } = this.run;
    this.events.push({
      type,
      payload: { run_id: runId, ...payload },
      dedupe_key: `agentic:run:${runId}:${key}`,
    });
  }

  private emitRequest({ step, tool }: PendingStep, attempt: number, toolPayload?: JsonObject): void {
    this.emit(`${requestPrefix}${tool}`, `step:${step}:request`, {
      step,
      tool,
      tool_command: "handle",
      ...(toolPayload !== undefined && { tool_payload: toolPayload }),
      attempt,
      requested_at: this.context.now,
    });
  }

  private emitResult(
    { step, tool }: PendingStep,
    status: "ok" | "error",
    { result, error }: ToolAnswer = {},
  ): void {
    this.emit("agentic.tool_result", `step:${step}:result`, {
      step,
      tool,
      status,
      ...(result !== undefined && { result }),
      ...(status === "ok" ? { error: null } : error !== undefined && { error }),
      completed_at: this.context.now,
    });
  }

  /** A completion lists the files that results named. */
  private addArtifactPath(): void {
    const path = this.turn.answer?.result?.["artifact_path"];
    const { artifactPaths } = this.run;
    if (typeof path === "string" && !artifactPaths.includes(path))
      this.run = { ...this.run, artifactPaths: [...artifactPaths, path] };
  }

  private completeStep(step: number): void {
    const { completedSteps } = this.run;
    this.run = {
      ...this.run,
      pending: undefined,
      attempt: 0,
      completedSteps: [...completedSteps, step],
      turns: [],
    };
  }

  performAction(): TurnOutcome {
    const { action } = this.turn;
    // A run whose workflow has ended in time may complete later.
    const isOver = this.isWorkflowOver && action?.kind !== "request";
    const overtime = isOver ? undefined : this.overtimeNote;
    if (overtime !== undefined) return this.escalate(exhausted, overtime);
    if (action === undefined)
      return this.finish(this.isWorkflowOver ? workflowOverNote(this.run) : undefined);
    if (action.kind === "done") return this.completeRun();
    const next = this.run.step + 1;
    if ((action.step ?? next) !== next) return refused(`The next step is ${next}, not ${action.step}.`);
    return this.request(next, action, 1);
  }

  /** After an error, a turn either retries the step or gives up. */
  private retry(step: number): TurnOutcome {
    const { action } = this.turn;
    if (action === undefined) return this.escalate("tool_error", `Step ${step} failed and was not retried.`);
    if (action.kind === "done")
      return refused(`Step ${step} failed, so the run is not done: retry the step, or give up.`);
    if ((action.step ?? step) !== step || action.tool !== this.run.pending?.tool) {
      return refused(`Step ${step} failed: only the same step with the same tool can be retried.`);
    }
    return this.request(step, action, this.run.attempt + 1);
  }

  private fireEvent({ event, step, artifacts }: TurnInput & { kind: "event" }): TurnOutcome {
    const { machine, maxTotalVisits } = this.context;
    const { state } = this;
    const known = state && knownEventsOf(state).byName;
    const edge = state?.edges[known?.get(event) ?? -1];
    if (state === undefined || edge === undefined) {
      if (state?.ends === true)
        return refused(`The workflow has ended in state "${state.name}": no event leads on from there.`);
      const names = [...(known?.keys() ?? [])];
      const only = names.length === 0 ? "" : `, only ${listNames(names, 12)}`;
      return refused(`State "${this.run.state}" has no event "${event}"${only}.${didYouMean(event, names)}`);
    }
    const after = this.context.applyWrites(state, this.run.artifacts, artifacts);
    if (this.overtimeNote !== undefined) return this.escalate(exhausted, this.overtimeNote);
    const visits = (index: number): number =>
      this.run.visitCounts.get(machine.states[index]?.name ?? "") ?? 0;
    let total = 0;
    for (const count of this.run.visitCounts.values()) total += count;
    if (maxTotalVisits !== undefined && total >= maxTotalVisits) {
      return this.escalate(exhausted, `The budget of ${pluralize(maxTotalVisits, "visit")} is used up.`);
    }
    if (step >= this.run.maxSteps) return this.escalateMaxSteps(step);
    const outcome = attempt(machine, edge.target, visits);
    // Refused rather than escalated: the run can continue once the pack is fixed.
    if (outcome.kind === "dangling") return refused(this.context.danglingTargetMessage(edge, outcome.forced));
    if (outcome.kind !== "entered")
      return this.escalate(statusAfter(outcome), `"${event}" enters no state: max_visits are used up.`);
    const entered = machine.states[outcome.state]?.name ?? "";
    const transition = { step, tool: transitionTool };
    this.emitRequest(transition, 1, { event });
    const forced = outcome.forced.map((index) => machine.states[index]?.name ?? "");
    const result = { from: state.name, to: entered, ...(forced.length > 0 && { forced }) };
    this.emitResult(transition, "ok", { result });
    this.run = {
      ...this.run,
      step,
      state: entered,
      visitCounts: new Map(this.run.visitCounts).set(entered, visits(outcome.state) + 1),
      artifacts: after,
    };
    this.completeStep(step);
    return this.performAction();
  }

  private escalate(reason: string, note: string): TurnOutcome {
    this.emit("agent.escalated", "escalated", { reason, step: this.run.step });
    this.run = { ...this.run, status: "escalated", reason, pending: undefined, attempt: 0 };
    return this.finish(`${note} The run escalates.`);
  }

  private completeRun(): TurnOutcome {
    const { state } = this;
    const { artifacts = [], outcome } = this.turn.action?.kind === "done" ? this.turn.action : {};
    const before = this.run.artifacts;
    const output = state === undefined ? before : this.context.applyWrites(state, before, artifacts);
    this.run = { ...this.run, status: "done", artifacts: output };
    this.emit("agent.completed", "completed", {
      goal: this.run.goal,
      outcome: outcome ?? `Done in state "${this.run.state}".`,
      steps_taken: this.run.step,
      // RFC-103 lists the files in `artifacts/`; `output` are the final artifacts of the workflow (RFC 0009).
      artifacts: this.run.artifactPaths,
      ...(output.size > 0 && { output: Object.fromEntries(output) }),
    });
    const note = `The run is done in state "${this.run.state}", where the workflow does not end.`;
    return this.finish(this.isWorkflowOver ? undefined : note);
  }

  private get state(): MachineState | undefined {
    return this.context.machine.states.find(({ name }) => name === this.run.state);
  }

  private get isWorkflowOver(): boolean {
    return this.state?.ends === true;
  }

  /** Says that `max_wall_time_sec` has passed since the start. */
  private get overtimeNote(): string | undefined {
    const { maxWallTimeSec } = this.context;
    const seconds = secondsOf(this.context.now) - secondsOf(this.run.createdAt);
    if (maxWallTimeSec === undefined || seconds <= maxWallTimeSec) return undefined;
    const allowed = pluralize(maxWallTimeSec, "second");
    return `The budget of ${allowed} is used up: the run started ${pluralize(Math.floor(seconds), "second")} ago.`;
  }

  private request(
    step: number,
    { tool, toolPayload }: TurnAction & { kind: "request" },
    attempt: number,
  ): TurnOutcome {
    const { maxToolCalls } = this.context;
    const { toolCalls } = this.run;
    if (this.overtimeNote !== undefined) return this.escalate(exhausted, this.overtimeNote);
    if (maxToolCalls !== undefined && toolCalls >= maxToolCalls)
      return this.escalate(exhausted, `The budget of ${pluralize(maxToolCalls, "tool call")} is used up.`);
    if (attempt === 1 && step >= this.run.maxSteps) return this.escalateMaxSteps(step);
    const pending = { step, tool };
    this.emitRequest(pending, attempt, toolPayload);
    this.run = {
      ...this.run,
      step,
      pending,
      pendingSince: this.context.now,
      attempt,
      toolCalls: toolCalls + 1,
    };
    return this.finish();
  }

  /** RFC-103, error handling: `step >= max_steps` escalates. */
  private escalateMaxSteps(step: number): TurnOutcome {
    return this.escalate("max_steps", `Step ${step} reaches max_steps (${this.run.maxSteps}).`);
  }

  private finish(note?: string): TurnOutcome {
    const run: StepRun = {
      ...this.run,
      updatedAt: this.context.now,
      pendingSince: this.run.pending && this.run.pendingSince,
      turns: [...this.run.turns, inputKey(this.turn.input)],
      outbox: this.events,
    };
    return { kind: "taken", run, ...(note !== undefined && { note }) };
  }
}

function secondsOf(time: string): number {
  return parseTimestamp(time) ?? NaN;
}

function workflowOverNote({ state, step }: StepRun): string {
  const flags = step === 0 ? "--done" : `--done --step ${step}`;
  return `The workflow has ended in state "${state}", but the run goes on: end it with "${flags}".`;
}
