import type { RequestEvent } from "./log-event.js";
import type { Deed, Remark } from "./remark.js";
import type { RunTrail } from "./run-trail.js";

/** What is wrong with a request of a new step, if anything is. */
export function judgeRequest(request: RequestEvent, run: RunTrail, last: RequestEvent): Remark | undefined {
  const { pending, ignored } = run;
  const [step, before] = [request.step.value, last.step.value];
  if (step < before) return { kind: "step-back", request, after: last };
  if (pending !== undefined && ignored !== undefined)
    return { kind: "double-advance", request, pending, ignored };
  const unfinished = judgeUnfinished(request, run);
  if (unfinished !== undefined || step <= before + 1) return unfinished;
  return { kind: "gap", request, after: last };
}

/** What the run should have waited for, or reacted to, before this. */
export function judgeUnfinished(event: Deed, { pending, failed }: RunTrail): Remark | undefined {
  if (pending !== undefined) return { kind: "pending", event, request: pending };
  return failed === undefined ? undefined : { kind: "after-error", event, error: failed };
}

/** The loop acts, although its step budget is spent. */
export function judgeSpent(deed: Deed, { spent, maxSteps }: RunTrail): Remark | undefined {
  if (spent === undefined || maxSteps === undefined) return undefined;
  const isRetry = deed.kind === "request" && deed.step.value === spent.step.value;
  return isRetry ? undefined : { kind: "over-budget", request: spent, next: deed, maxSteps };
}

/** The step that reached the budget was left out, from the run or from the log. */
export function judgeBeyond(request: RequestEvent, { maxSteps }: RunTrail): Remark | undefined {
  if (maxSteps === undefined || request.step.value <= maxSteps) return undefined;
  return { kind: "over-budget", request, next: undefined, maxSteps };
}

/** What a run that the log ends with has left undone; one that is not `current` may have gone on under its name. */
export function judgeLeft(run: RunTrail, current: RunTrail | undefined): Remark | undefined {
  const { violation, lastRequest: last } = run;
  if (violation !== undefined && last !== undefined)
    return { kind: "not-escalated", result: violation, last, next: undefined };
  return run.end === undefined && run === current ? { kind: "open", run } : undefined;
}

/** Whether a request of a step that was requested before is the same request once more. */
export function isSameAgain(
  request: RequestEvent,
  earlier: RequestEvent,
  run: RunTrail,
  mayBeNewRun: boolean,
): boolean {
  const isTwice = request.source === earlier.source;
  if (run.end !== undefined) return isTwice && !mayBeNewRun;
  if (isTwice) return true;
  const isAlike = request.tool.text === earlier.tool.text && request.type?.text === earlier.type?.text;
  if (!isAlike) return false;
  if (run.pending === earlier) return !mayBeNewRun;
  // Once step 1 has its result, only the very same line is no second run.
  return request.step.value !== 1 && repeatsKey(request, earlier) && run.isDone(earlier);
}

function repeatsKey(request: RequestEvent, earlier: RequestEvent): boolean {
  return request.dedupeKey !== undefined && request.dedupeKey.text === earlier.dedupeKey?.text;
}
