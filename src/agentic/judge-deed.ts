import type { RequestEvent } from "./log-event.js";
import type { Action, Violation } from "./remark.js";
import type { LoggedRun } from "./run-trail.js";

/** What is wrong with a request of a new step, if anything is. */
export function checkRequest(request: RequestEvent, run: LoggedRun, last: RequestEvent): Violation | undefined {
  const { pending, ignored } = run;
  const [step, before] = [request.step.value, last.step.value];
  if (step < before) return { kind: "step-back", request, after: last };
  if (pending !== undefined && ignored !== undefined)
    return { kind: "double-advance", request, pending, ignored };
  const unfinished = checkUnfinished(request, run);
  if (unfinished !== undefined || step <= before + 1) return unfinished;
  return { kind: "gap", request, after: last };
}

/** What the run should have waited for, or reacted to, before this. */
export function checkUnfinished(event: Action, { pending, failed }: LoggedRun): Violation | undefined {
  if (pending !== undefined) return { kind: "pending", event, request: pending };
  return failed === undefined ? undefined : { kind: "after-error", event, error: failed };
}

/** The loop acts, although its step budget is spent. */
export function checkStepBudget(deed: Action, { budgetReachedBy, maxSteps }: LoggedRun): Violation | undefined {
  if (budgetReachedBy === undefined || maxSteps === undefined) return undefined;
  const isRetry = deed.kind === "request" && deed.step.value === budgetReachedBy.step.value;
  return isRetry ? undefined : { kind: "over-budget", request: budgetReachedBy, next: deed, maxSteps };
}

/** The step that reached the budget was left out, from the run or from the log. */
export function checkBeyondBudget(request: RequestEvent, { maxSteps }: LoggedRun): Violation | undefined {
  if (maxSteps === undefined || request.step.value <= maxSteps) return undefined;
  return { kind: "over-budget", request, next: undefined, maxSteps };
}

/** What a run that the log ends with has left undone; one that is not `current` may have gone on under its name. */
export function checkLeftOpen(run: LoggedRun, current: LoggedRun | undefined): Violation | undefined {
  const { mismatch, lastRequest: last } = run;
  if (mismatch !== undefined && last !== undefined)
    return { kind: "not-escalated", result: mismatch, last, next: undefined };
  return run.end === undefined && run === current ? { kind: "open", run } : undefined;
}

/** Whether a request of a step that was requested before is the same request once more. */
export function isDuplicateRequest(
  request: RequestEvent,
  earlier: RequestEvent,
  run: LoggedRun,
  mayBeNewRun: boolean,
): boolean {
  const isTwice = request.source === earlier.source;
  if (run.end !== undefined) return isTwice && !mayBeNewRun;
  if (isTwice) return true;
  const isAlike = request.tool.text === earlier.tool.text && request.type?.text === earlier.type?.text;
  if (!isAlike) return false;
  if (run.pending === earlier) return !mayBeNewRun;
  // Once step 1 has its result, only the very same line is no second run.
  return request.step.value !== 1 && hasSameDedupeKey(request, earlier) && run.hasSucceeded(earlier);
}

function hasSameDedupeKey(request: RequestEvent, earlier: RequestEvent): boolean {
  return request.dedupeKey !== undefined && request.dedupeKey.text === earlier.dedupeKey?.text;
}
