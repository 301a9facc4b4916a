import { resultEvent, startEvent } from "./loop-events.js";
import { TurnInProgress } from "./next-run.js";
import type { PendingStep, StepRun } from "./step-run.js";
import {
  ignored,
  wasAlreadyTaken,
  refused,
  type TurnInput,
  type TurnOutcome,
  type TurnContext,
  type Turn,
} from "./turn.js";

/** One turn, validated in the order of RFC-103. Nothing changes but in what is returned. */
export function takeTurn(run: StepRun | undefined, turn: Turn, setting: TurnContext): TurnOutcome {
  const { input } = turn;
  if (input.kind === "start") {
    return run === undefined
      ? startRun(input, turn, setting)
      : ignored(`Run "${run.runId}" has already started.`);
  }
  if (run === undefined) return refused('The run has not started: start it with "--start".');
  if (run.status !== "running") return ignored(`Run "${run.runId}" has ended (${run.status}).`);
  if (wasAlreadyTaken(input, run)) {
    const hint =
      input.kind === "result" && input.attempt === undefined && run.pending?.step === input.step
        ? '; if it is another attempt, say so with "--attempt"'
        : "";
    return ignored(`This turn was already taken${hint}.`);
  }
  const next = new TurnInProgress(run, turn, setting);
  if (input.kind === "done") return handleDone(next, input.step);
  return input.kind === "event" ? handleEvent(next, input) : handleResult(next, input);
}

function startRun(input: TurnInput & { kind: "start" }, turn: Turn, setting: TurnContext): TurnOutcome {
  const entry = setting.machine.states[setting.root];
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
    turns: [],
    outbox: [],
  };
  const next = new TurnInProgress(run, turn, setting);
  next.emit(startEvent(run));
  return next.performAction();
}

/** A workflow event is a step of its own, asked for and answered in one turn. */
function handleEvent(next: TurnInProgress, input: TurnInput & { kind: "event" }): TurnOutcome {
  const { run } = next;
  const { step } = input;
  if (step <= run.step && run.pending?.step !== step) return ignored(stepOverMessage(step, run));
  if (run.pending !== undefined) return refused(stillWaitingMessage(run.pending));
  if (step > run.step + 1)
    return next.escalate("step_mismatch", `Step ${step} is ahead of step ${run.step + 1}.`);
  return next.fireEvent(input);
}

function handleResult(next: TurnInProgress, input: TurnInput & { kind: "result" }): TurnOutcome {
  const { run } = next;
  const { step, tool, status } = input;
  const { pending } = run;
  const current = pending?.step ?? run.step + 1;
  if (step < current) return ignored(stepOverMessage(step, run));
  if (pending === undefined || step > current) {
    return next.escalate("step_mismatch", `No result is expected for step ${step}.`);
  }
  if (input.attempt !== undefined && input.attempt < run.attempt) {
    return ignored(otherAttemptMessage(input.attempt, run));
  }
  next.emit(resultEvent(run, input, next.now));
  if (tool !== pending.tool) {
    const note = `Step ${step} waits for "${pending.tool}", not for "${tool}".`;
    return next.escalate("pending_tool_mismatch", note);
  }
  if (input.attempt !== undefined && input.attempt > run.attempt)
    return refused(otherAttemptMessage(input.attempt, run));
  if (status === "error") return next.retry(step);
  next.completeStep(step);
  return next.performAction();
}

function handleDone(next: TurnInProgress, step: number): TurnOutcome {
  const { run } = next;
  if (run.pending !== undefined) return refused(stillWaitingMessage(run.pending));
  if (step === 0 && run.step > 0) return refused(`The last step is ${run.step}: give it with "--step".`);
  if (step < run.step) return ignored(stepOverMessage(step, run));
  if (step > run.step) return refused(`The last step is ${run.step}, not ${step}.`);
  return next.endRun();
}

function stillWaitingMessage({ step, tool }: PendingStep): string {
  return `Step ${step} still waits for "${tool}".`;
}

function otherAttemptMessage(attempt: number, run: StepRun): string {
  return `This is the result of attempt ${attempt}, but attempt ${run.attempt} is pending.`;
}

function stepOverMessage(step: number, run: StepRun): string {
  const now = run.pending === undefined ? `step ${run.step + 1} is next` : `the run is at step ${run.step}`;
  return `Step ${step} is over; ${now}.`;
}
