import { resultEvent, startEvent } from "./loop-events.js";
import { NextRun } from "./next-run.js";
import type { Pending, StepRun } from "./step-run.js";
import {
  ignored,
  isRemembered,
  refused,
  type Input,
  type TurnOutcome,
  type Setting,
  type Turn,
} from "./turn.js";

/** One turn, validated in the order of RFC-103. Nothing changes but in what is returned. */
export function takeTurn(run: StepRun | undefined, turn: Turn, setting: Setting): TurnOutcome {
  const { input } = turn;
  if (input.kind === "start") {
    return run === undefined
      ? begin(input, turn, setting)
      : ignored(`Run "${run.runId}" has already started.`);
  }
  if (run === undefined) return refused('The run has not started: start it with "--start".');
  if (run.status !== "running") return ignored(`Run "${run.runId}" has ended (${run.status}).`);
  if (isRemembered(input, run)) {
    const hint =
      input.kind === "result" && input.attempt === undefined && run.pending?.step === input.step
        ? '; if it is another attempt, say so with "--attempt"'
        : "";
    return ignored(`This turn was already taken${hint}.`);
  }
  const next = new NextRun(run, turn, setting);
  if (input.kind === "done") return takeEnd(next, input.step);
  return input.kind === "event" ? takeEvent(next, input) : takeResult(next, input);
}

function begin(input: Input & { kind: "start" }, turn: Turn, setting: Setting): TurnOutcome {
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
  const next = new NextRun(run, turn, setting);
  next.emit(startEvent(run));
  return next.act();
}

/** A workflow event is a step of its own, asked for and answered in one turn. */
function takeEvent(next: NextRun, input: Input & { kind: "event" }): TurnOutcome {
  const { run } = next;
  const { step } = input;
  if (step <= run.step && run.pending?.step !== step) return ignored(overAlready(step, run));
  if (run.pending !== undefined) return refused(stillWaits(run.pending));
  if (step > run.step + 1)
    return next.escalate("step_mismatch", `Step ${step} is ahead of step ${run.step + 1}.`);
  return next.fire(input);
}

function takeResult(next: NextRun, input: Input & { kind: "result" }): TurnOutcome {
  const { run } = next;
  const { step, tool, status } = input;
  const { pending } = run;
  const current = pending?.step ?? run.step + 1;
  if (step < current) return ignored(overAlready(step, run));
  if (pending === undefined || step > current) {
    return next.escalate("step_mismatch", `No result is expected for step ${step}.`);
  }
  if (input.attempt !== undefined && input.attempt < run.attempt) {
    return ignored(otherAttempt(input.attempt, run));
  }
  next.emit(resultEvent(run, input, next.now));
  if (tool !== pending.tool) {
    const note = `Step ${step} waits for "${pending.tool}", not for "${tool}".`;
    return next.escalate("pending_tool_mismatch", note);
  }
  if (input.attempt !== undefined && input.attempt > run.attempt)
    return refused(otherAttempt(input.attempt, run));
  if (status === "error") return next.retry(step);
  next.complete(step);
  return next.act();
}

function takeEnd(next: NextRun, step: number): TurnOutcome {
  const { run } = next;
  if (run.pending !== undefined) return refused(stillWaits(run.pending));
  if (step === 0 && run.step > 0) return refused(`The last step is ${run.step}: give it with "--step".`);
  if (step < run.step) return ignored(overAlready(step, run));
  if (step > run.step) return refused(`The last step is ${run.step}, not ${step}.`);
  return next.end();
}

function stillWaits({ step, tool }: Pending): string {
  return `Step ${step} still waits for "${tool}".`;
}

function otherAttempt(attempt: number, run: StepRun): string {
  return `This is the result of attempt ${attempt}, but attempt ${run.attempt} is pending.`;
}

function overAlready(step: number, run: StepRun): string {
  const now = run.pending === undefined ? `step ${run.step + 1} is next` : `the run is at step ${run.step}`;
  return `Step ${step} is over; ${now}.`;
}
