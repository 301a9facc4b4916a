import type { ArtifactWrite } from "../machine/artifact-values.js";
import type { Machine } from "../machine/machine.js";
import { type BudgetLimit, type Failure, type Outcome, type RunBudget, RunState } from "../machine/run.js";
import type { Workflow } from "../pack/workflow.js";
import {
  requestPrefix,
  resultType,
  type StepOfTool,
  transitionTool,
  validateResult,
  type Verdict,
} from "../routes/routes.js";
import { undeclaredArtifact, unknownEventMessage } from "../simulate/drive-simulation.js";
import { lostRunText } from "../simulate/run-text.js";
import { didYouMean } from "../text/names.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import { BadInput, pluralize } from "../text/wording.js";
import {
  type JsonObject,
  type LoopEvent,
  newRun,
  nothingPending,
  pendingOf,
  type RunStart,
  type StepRun,
  usualMaxReframes,
} from "./step-run.js";

/** The input of a turn. Run files store it as JSON, so the names and order of its fields must not change. */
export type TurnInput =
  | ({ readonly kind: "start" } & RunStart)
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
      /** When the tool answered, which tells two errors of a step apart that give no attempt. */
      readonly at?: string | undefined;
    }
  /** Ends a run whose workflow has ended; `step` is 0 before the first step. */
  | { readonly kind: "done"; readonly step: number };

export type TurnAction =
  | {
      readonly kind: "request";
      readonly tool: string;
      /** The plugin that has the tool, where it has another name. */
      readonly plugin?: string | undefined;
      readonly step?: number | undefined;
      readonly toolPayload?: JsonObject | undefined;
    }
  /** `artifacts` are those of the state in which the run ends, unless an event has them. */
  | {
      readonly kind: "done";
      readonly artifacts?: readonly ArtifactWrite[];
      readonly outcome?: string | undefined;
    };

export interface Turn {
  readonly input: TurnInput;
  readonly action: TurnAction | undefined;
  /** Whether the loop has framed its goal anew. Like the action, this is what was decided, not what came in. */
  readonly reframes?: boolean | undefined;
  /** From a tool. Not part of the input, so that another answer to the same attempt is no new turn. */
  readonly answer?: { readonly result?: JsonObject | undefined; readonly error?: string | undefined };
}

type ArtifactWrites = readonly (readonly [name: string, value: string])[];

export interface TurnContext {
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly root: number;
  readonly budget: RunBudget | undefined;
  readonly now: string;
  readonly workspaceRef?: string | undefined;
  /** Why a state may not request a tool. */
  readonly unlistedTool?: (state: string, tool: string) => string | undefined;
}

/** The outcome of a turn; `ignored` if it was taken before or comes too late, `refused` if it is invalid. */
export type TurnOutcome =
  | { readonly kind: "taken"; readonly run: StepRun; readonly note?: string }
  | { readonly kind: "ignored"; readonly why: string; readonly isWarning: boolean }
  | { readonly kind: "refused"; readonly why: string };

/** Identifies an input that is delivered again. */
export function inputKey(input: TurnInput): string {
  return JSON.stringify(input);
}

export function ignored(why: string, isWarning = false): TurnOutcome {
  return { kind: "ignored", why, isWarning };
}

export function refused(why: string): TurnOutcome {
  return { kind: "refused", why };
}

export function takeTurn(run: StepRun | undefined, turn: Turn, context: TurnContext): TurnOutcome {
  const { input } = turn;
  if (input.kind === "start") {
    if (run !== undefined) return ignored(`Run "${run.runId}" has already started.`);
    const entry = context.machine.states[context.root]?.name;
    if (entry === undefined) return refused("The workflow has no state to start in.");
    return new TurnInProgress(newRun(input, entry, context.now), turn, context).start();
  }
  const tool = input.kind === "result" ? input.tool : transitionTool;
  const logged = run && { isOver: run.status !== "running", pending: pendingOf(run), lastStep: run.step };
  const verdict = validateResult(logged, { step: input.step, tool });
  if (run === undefined) return ignored(noRunMessage, true);
  if (verdict === "ended run") return ignored(`Run "${run.runId}" has ended (${run.status}).`);
  if (run.turns.includes(inputKey(input))) return ignored("This turn was already taken.");
  const next = new TurnInProgress(run, turn, context);
  if (input.kind === "done") return next.done(input.step);
  if (verdict === "old step") return next.ignoreOldStep(input.step);
  return input.kind === "event" ? next.event(input) : next.result(input, verdict);
}

/** RFC-103 ignores a result of an unknown run, with a warning. */
const noRunMessage = 'The run has not started, so this turn is ignored: start it with "--start".';

class TurnInProgress {
  private readonly events: LoopEvent[] = [];
  private readonly state: RunState;
  private readonly pending: StepOfTool | undefined;

  constructor(
    private run: StepRun,
    private readonly turn: Turn,
    private readonly context: TurnContext,
  ) {
    const { machine, workflow, budget } = context;
    this.pending = pendingOf(run);
    this.state = new RunState(machine, budget);
    const indexOf = (name: string) => workflow.stateNamed(name)?.index;
    for (const [name, entries] of Object.entries(run.visit_counts)) this.state.count(indexOf(name), entries);
    this.state.artifacts = new Map(Object.entries(run.artifacts));
    this.state.toolCalls = run.tool_calls;
    this.state.seconds = secondsOf(context.now) - secondsOf(run.created_at);
    this.state.moveTo(indexOf(run.state) ?? -1);
  }

  start(): TurnOutcome {
    const { runId, goal, max_steps } = this.run;
    const payload = { goal, context: { max_steps }, run_id: runId };
    this.events.push({ type: "agentic.start", payload, dedupe_key: `agentic:start:${runId}` });
    return this.performAction();
  }

  /** A workflow event is a step that is requested and answered in one turn. */
  event({ event, step, artifacts }: TurnInput & { kind: "event" }): TurnOutcome {
    const { state, run, pending } = this;
    if (pending !== undefined) return stillWaiting(pending);
    if (step > run.step + 1)
      return this.escalate("step_mismatch", `Step ${step} is ahead of step ${run.step + 1}.`);
    const number = state.eventsByName.get(event);
    if (number === undefined && state.current.ends)
      return refused(`The workflow has ended in state "${run.state}": no event leads on from there.`);
    if (number === undefined) return refused(unknownEventMessage(state, event));
    const { own, output } = this.splitWrites(artifacts, state.peek(number));
    this.checkWrites(own);
    if (state.usedUpLimit() === undefined && step >= run.max_steps) {
      state.write(own);
      return this.escalateMaxSteps(step);
    }
    const { from, to, forced } = state.advance(number, { artifacts: own });
    if (state.limit !== undefined) return this.exhaust(state.limit);
    // Refused rather than escalated: the run can continue once the pack is fixed.
    if (state.status === "lost" && state.failure) return refused(this.lostRunMessage(state.failure));
    if (to === null)
      return this.escalate(state.status, `"${event}" enters no state: max_visits are used up.`);
    const transition = { step, tool: transitionTool };
    this.emitRequest(transition, 1, { event });
    this.emitResult(transition, "ok", { result: { from, to, ...(forced && { forced }) } });
    const visits = new Map(Object.entries(run.visit_counts)).set(to, state.visits(state.current.index));
    this.run = { ...run, step, state: to, visit_counts: Object.fromEntries(visits) };
    this.completeStep(step);
    state.write(output);
    return this.performAction();
  }

  result(input: TurnInput & { kind: "result" }, verdict: Verdict): TurnOutcome {
    const { run, turn, pending } = this;
    const { step, tool, status, attempt: answered } = input;
    if (verdict === "step ahead" || pending === undefined)
      return this.escalate("step_mismatch", `No result is expected for step ${step}.`);
    const otherAttempt = `This is the result of attempt ${answered}, but attempt ${run.attempt} is pending.`;
    if (answered !== undefined && answered < run.attempt) return ignored(otherAttempt);
    this.emitResult(input, status, turn.answer);
    if (verdict === "other tool") {
      const note = `Step ${step} waits for "${pending.tool}", not for "${tool}".`;
      return this.escalate("pending_tool_mismatch", note);
    }
    if (answered !== undefined && answered > run.attempt) return refused(otherAttempt);
    if (status === "error") return this.retry(pending);
    // A completion lists the files that results named.
    const path = turn.answer?.result?.["artifact_path"];
    if (typeof path === "string" && !run.artifact_paths.includes(path))
      this.run = { ...run, artifact_paths: [...run.artifact_paths, path] };
    this.completeStep(step);
    return this.performAction();
  }

  done(step: number): TurnOutcome {
    const { run, pending } = this;
    if (pending !== undefined) return stillWaiting(pending);
    if (step === 0 && run.step > 0) return refused(`The last step is ${run.step}: give it with "--step".`);
    if (step < run.step) return this.ignoreOldStep(step);
    if (step > run.step) return refused(`The last step is ${run.step}, not ${step}.`);
    if (this.state.current.ends) return this.completeRun();
    return refused(
      `The workflow does not end in state "${run.state}": "--done" alone is for a run whose workflow has ended.`,
    );
  }

  ignoreOldStep(step: number): TurnOutcome {
    const { run, pending } = this;
    const now = pending === undefined ? `step ${run.step + 1} is next` : `the run is at step ${run.step}`;
    return ignored(`Step ${step} is over; ${now}.`);
  }

  private emit(type: string, key: string, payload: JsonObject): void {
    const { runId } = this.run;
    this.events.push({
      type,
      payload: { run_id: runId, ...payload },
      dedupe_key: `agentic:run:${runId}:${key}`,
    });
  }

  private emitRequest(
    { step, tool }: StepOfTool,
    attempt: number,
    toolPayload?: JsonObject,
    plugin = tool,
  ): void {
    this.emit(`${requestPrefix}${plugin}`, `step:${step}:request`, {
      step,
      tool,
      tool_command: "handle",
      ...(toolPayload !== undefined && { tool_payload: toolPayload }),
      attempt,
      requested_at: this.context.now,
    });
  }

  private emitResult({ step, tool }: StepOfTool, status: "ok" | "error", answer: Turn["answer"] = {}): void {
    const { result, error } = answer;
    this.emit(resultType, `step:${step}:result`, {
      step,
      tool,
      status,
      ...(result !== undefined && { result }),
      ...(status === "ok" ? { error: null } : error !== undefined && { error }),
      completed_at: this.context.now,
    });
  }

  private completeStep(step: number): void {
    const completed_steps = [...this.run.completed_steps, step];
    this.run = { ...this.run, ...nothingPending, attempt: 0, completed_steps, turns: [] };
  }

  private performAction(): TurnOutcome {
    const { action } = this.turn;
    const { step, state } = this.run;
    const exceeded = this.reframe();
    if (exceeded !== undefined) return exceeded;
    // A run whose workflow has ended in time may complete later.
    const isOver = this.state.current.ends && action?.kind !== "request";
    if (!isOver && this.isOvertime) return this.exhaust("max_wall_time_sec");
    if (action?.kind === "done") return this.completeRun();
    if (action === undefined) {
      const flags = step === 0 ? "--done" : `--done --step ${step}`;
      const over = `The workflow has ended in state "${state}", but the run goes on: end it with "${flags}".`;
      return this.finish(this.state.current.ends ? over : undefined);
    }
    const next = step + 1;
    if ((action.step ?? next) !== next) return refused(`The next step is ${next}, not ${action.step}.`);
    return this.request(next, action, 1);
  }

  /** After an error, a turn either retries the step or gives up. */
  private retry({ step, tool }: StepOfTool): TurnOutcome {
    const { action } = this.turn;
    const exceeded = this.reframe();
    if (exceeded !== undefined) return exceeded;
    if (action === undefined) return this.escalate("tool_error", `Step ${step} failed and was not retried.`);
    if (action.kind === "done")
      return refused(`Step ${step} failed, so the run is not done: retry the step, or give up.`);
    if ((action.step ?? step) !== step || action.tool !== tool)
      return refused(`Step ${step} failed: only the same step with the same tool can be retried.`);
    return this.request(step, action, this.run.attempt + 1);
  }

  private reframe(): TurnOutcome | undefined {
    if (this.turn.reframes !== true) return undefined;
    const { reframes: before, max_reframes: limit } = this.run;
    const [reframes, most] = [before + 1, limit ?? usualMaxReframes];
    this.run = { ...this.run, reframes };
    if (reframes <= most) return undefined;
    return this.escalate("max_reframes", `Reframe ${reframes} exceeds max_reframes (${most}).`);
  }

  /** The state that ends the run gets what the one before does not declare; in the last turn, also what is given twice. */
  private splitWrites(artifacts: ArtifactWrites, outcome: Outcome) {
    const { state, turn } = this;
    const entered = outcome.kind === "entered" ? state.machine.states[outcome.state] : undefined;
    const isDone = turn.action?.kind === "done";
    const last = isDone || entered?.ends === true ? entered?.artifacts : undefined;
    const own: ArtifactWrite[] = [];
    const output: ArtifactWrite[] = [];
    for (const [name, value] of artifacts) {
      const isGiven = isDone && own.some((write) => write.name === name);
      const isForLast = isGiven || !state.declaredArtifacts.has(name);
      (isForLast && last?.has(name) === true ? output : own).push({ name, value });
    }
    return { own, output };
  }

  private checkWrites(writes: readonly ArtifactWrite[]): void {
    const wrong = undeclaredArtifact(this.state, writes);
    if (wrong !== undefined) throw new BadInput(wrong);
  }

  /** Throws if it depends on an unreadable part of the pack that no state was entered. */
  private lostRunMessage(failure: Failure): string {
    const why = lostRunText(failure);
    const name = failure.forced === undefined ? failure.target : failure.exit;
    if (name === undefined) throw new BadInput(`The run cannot go on: ${why}`);
    return `${why}${didYouMean(name, this.context.workflow.stateNames())}`;
  }

  private escalate(reason: string, note: string): TurnOutcome {
    this.emit("agent.escalated", "escalated", { reason, step: this.run.step, ...this.output });
    this.run = { ...this.run, ...nothingPending, attempt: 0, status: "escalated", reason };
    return this.finish(`${note} The run escalates.`);
  }

  private exhaust(limit: BudgetLimit): TurnOutcome {
    const { maxTotalVisits, maxToolCalls, maxWallTimeSec } = this.context.budget ?? {};
    const started = `: the run started ${pluralize(Math.floor(this.state.seconds), "second")} ago`;
    const [allowed, noun, detail] = {
      max_total_visits: [maxTotalVisits, "visit", ""] as const,
      max_tool_calls: [maxToolCalls, "tool call", ""] as const,
      max_wall_time_sec: [maxWallTimeSec, "second", started] as const,
    }[limit];
    const note = `The budget of ${pluralize(allowed?.value ?? 0, noun)} is used up${detail}.`;
    // RFC 0009's word for a run that the budget has ended.
    return this.escalate("budget-exhausted", note);
  }

  /** RFC-103, error handling: `step >= max_steps` escalates. */
  private escalateMaxSteps(step: number): TurnOutcome {
    return this.escalate("max_steps", `Step ${step} reaches max_steps (${this.run.max_steps}).`);
  }

  /** The final artifacts of the workflow (RFC 0009). */
  private get output() {
    const { artifacts } = this.state;
    return artifacts.size > 0 && { output: Object.fromEntries(artifacts) };
  }

  private completeRun(): TurnOutcome {
    const { action } = this.turn;
    const { artifacts = [], outcome } = action?.kind === "done" ? action : {};
    this.checkWrites(artifacts);
    this.state.write(artifacts);
    this.run = { ...this.run, status: "done" };
    this.emit("agent.completed", "completed", {
      goal: this.run.goal,
      outcome: outcome ?? `Done in state "${this.run.state}".`,
      steps_taken: this.run.step,
      // The files in `artifacts/`.
      artifacts: this.run.artifact_paths,
      ...this.output,
    });
    const note = `The run is done in state "${this.run.state}", where the workflow does not end.`;
    return this.finish(this.state.current.ends ? undefined : note);
  }

  private get isOvertime(): boolean {
    return this.state.seconds > (this.context.budget?.maxWallTimeSec?.value ?? Infinity);
  }

  private request(
    step: number,
    { tool, plugin = tool, toolPayload }: TurnAction & { kind: "request" },
    attempt: number,
  ): TurnOutcome {
    // A retry repeats what was requested before.
    const unlisted = attempt === 1 ? this.context.unlistedTool?.(this.run.state, tool) : undefined;
    if (unlisted !== undefined) return refused(unlisted);
    const tool_calls = this.run.tool_calls + 1;
    if (this.isOvertime) return this.exhaust("max_wall_time_sec");
    if (this.state.usedUpLimit({ toolCalls: 1 }) === "max_tool_calls") return this.exhaust("max_tool_calls");
    if (attempt === 1 && step >= this.run.max_steps) return this.escalateMaxSteps(step);
    this.emitRequest({ step, tool }, attempt, toolPayload, plugin);
    const pending = { pending_step: step, pending_tool: tool, pending_since: this.context.now, attempt };
    this.run = { ...this.run, step, ...pending, tool_calls };
    return this.finish();
  }

  private finish(note?: string): TurnOutcome {
    const { now, workspaceRef = this.run.workspace_ref } = this.context;
    const run: StepRun = {
      ...this.run,
      workspace_ref: workspaceRef,
      artifacts: Object.fromEntries(this.state.artifacts),
      updated_at: now,
      turns: [...this.run.turns, inputKey(this.turn.input)],
      outbox: this.events,
    };
    return { kind: "taken", run, ...(note !== undefined && { note }) };
  }
}

function stillWaiting({ step, tool }: StepOfTool): TurnOutcome {
  return refused(`Step ${step} still waits for "${tool}".`);
}

function secondsOf(time: string): number {
  return parseTimestamp(time) ?? NaN;
}
