import {
  type EndEvent,
  isReadable,
  type LogEvent,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
} from "./log-event.js";
import { type Answer, type LoggedRun, RunTracker } from "./run-tracker.js";
import type { Action, Violation } from "./violation.js";

export interface WalkResult {
  readonly runs: readonly LoggedRun[];
  readonly violations: readonly Violation[];
  readonly answers: readonly Answer[];
  /** Whether some event could not be read, so that it is unknown what happened to its run. */
  readonly isUnclear: boolean;
}

/** Checks a log event by event. `maxSteps` gives a budget that is known from elsewhere. */
export function walkLog(
  events: readonly LogEvent[],
  maxSteps: (runId: string) => number | undefined,
): WalkResult {
  const walker = new LogWalker(events, maxSteps);
  for (const event of events) walker.visit(event);
  return walker.finish();
}

class LogWalker {
  private readonly tracker: RunTracker;
  private readonly lookahead: LogLookahead;
  private readonly violations: Violation[] = [];
  private readonly answers: Answer[] = [];
  private readonly overBudgetRuns = new Set<LoggedRun>();
  /** Whether two runs have had the same id at the same time. */
  private hasSharedIds = false;

  constructor(events: readonly LogEvent[], maxSteps: (runId: string) => number | undefined) {
    this.tracker = new RunTracker(maxSteps);
    this.lookahead = new LogLookahead(events);
  }

  visit(event: LogEvent): void {
    if (event.isForeign) return this.tracker.get(event.runId?.text ?? "")?.noteSubstitute(event);
    if (!isReadable(event)) return this.tracker.trackUnreadable(event);
    if (event.kind === "start" || event.kind === "trigger") return this.start(event);
    const id = event.runId.text;
    const run = this.tracker.get(id);
    if (run?.isUnclear === true || (run === undefined && this.tracker.isUnclear))
      return this.tracker.trackUnclear(event);
    switch (event.kind) {
      case "request":
        this.request(event, run);
        break;
      case "result":
        this.result(event, run);
        break;
      case "completed":
      case "escalated":
        this.end(event, run);
    }
    const current = this.tracker.get(id);
    if (current !== undefined) current.last = event;
  }

  finish(): WalkResult {
    for (const run of this.tracker.runs)
      if (!run.isUnclear) this.report(checkLeftOpen(run, this.tracker.get(run.id)));
    if (!this.tracker.isUnclear) {
      for (const start of this.tracker.starts.unanswered()) this.report({ kind: "unanswered-start", start });
    }
    // A stale result on which a run advanced was not ignored.
    const advancedOn = new Set(this.violations.map((each) => each.kind === "double-advance" && each.ignored));
    const violations = this.violations.filter(
      (each) => each.kind !== "stale-result" || !advancedOn.has(each.result),
    );
    const { runs } = this.tracker;
    const isUnclear = this.tracker.isUnclear || runs.some((run) => run.isUnclear);
    return { runs, violations, answers: this.answers, isUnclear };
  }

  private start(event: StartEvent): void {
    const first = this.tracker.starts.add(event);
    if (first !== undefined) this.report({ kind: "duplicate", event, first });
  }

  private request(event: RequestEvent, run: LoggedRun | undefined): void {
    const step = event.step.value;
    const last = run?.lastRequest;
    if (run === undefined || last === undefined) {
      if (run?.end !== undefined) {
        this.report({ kind: "after-end", event, end: run.end });
        return;
      }
      if (step !== 1) this.report({ kind: "first-step", request: event });
      this.addRequest(event, run ?? this.tracker.begin(event.runId.text, event));
      return;
    }
    if (run.substitute?.isOk === false) this.acceptSubstitute(run);
    const earlier = run.stepNumbered(step)?.requests.at(-1);
    if (earlier !== undefined) this.requestAgain(event, run, earlier);
    else if (run.end !== undefined) this.report({ kind: "after-end", event, end: run.end });
    else {
      this.acceptSubstitute(run);
      if (!this.reportMissingEscalation(event, run)) this.report(checkRequest(event, run, last));
      this.addRequest(event, run);
    }
  }

  /** The step was requested before: a retry, a duplicate, or a violation. */
  private requestAgain(event: RequestEvent, run: LoggedRun, earlier: RequestEvent): void {
    const step = event.step.value;
    const { failed } = run;
    if (run.end === undefined && failed?.step.value === step) {
      // RFC-103 retries with the same request; another tool makes it a different one.
      const isSame = event.tool.text === earlier.tool.text;
      if (!this.reportMissingEscalation(event, run) && !isSame)
        this.report({ kind: "after-error", event, error: failed });
      return this.addRequest(event, run);
    }
    const mayBeNewRun = step === 1 && this.tracker.starts.mayStart(run.id);
    if (isDuplicateRequest(event, earlier, run, mayBeNewRun))
      this.report({ kind: "duplicate", event, first: earlier });
    else if (step === 1) {
      this.report({ kind: "reused", request: event, first: earlier });
      const next = this.tracker.begin(run.id, event);
      next.sharesId = run.end === undefined || run.sharesId;
      this.hasSharedIds ||= next.sharesId;
      this.addRequest(event, next);
    } else if (run.end !== undefined) this.report({ kind: "after-end", event, end: run.end });
    else {
      this.report(
        run.pending === earlier
          ? { kind: "pending", event, request: earlier }
          : { kind: "step-back", request: event, after: run.lastRequest ?? earlier },
      );
      this.addRequest(event, run);
    }
  }

  /** In the order of RFC-103: unknown run, ended run, old step, step ahead or wrong tool, status. */
  private result(result: ResultEvent, run: LoggedRun | undefined): void {
    if (run === undefined) {
      if (!this.reportEarlyResult(result, undefined)) this.report({ kind: "unknown-run", event: result });
      return;
    }
    const { end, pending, lastRequest: last } = run;
    if (end !== undefined) {
      this.report({ kind: "late-result", result, end });
    } else if (pending !== undefined && result.step.value === pending.step.value) {
      if (result.tool.text === pending.tool.text) this.answers.push(run.addResult(pending, result));
      else run.mismatch ??= result;
    } else if (last !== undefined && result.step.value <= last.step.value) {
      run.ignored = result;
      this.report({ kind: "stale-result", result, last });
    } else if (pending !== undefined) {
      // Kept for the request that it came before, which then has its result.
      this.lookahead.findLaterRequest(result);
      run.mismatch ??= result;
    } else if (!this.reportEarlyResult(result, last)) run.mismatch ??= result;
  }

  private end(event: EndEvent, known: LoggedRun | undefined): void {
    const id = event.runId.text;
    // The first event of a run without tools is its end; its start may have been claimed by a reused run_id.
    const mayHaveBegun =
      this.hasSharedIds || this.tracker.starts.mayStart(id) || this.lookahead.hasRequests(id);
    const isUnknown = known === undefined && !mayHaveBegun;
    if (isUnknown) this.report({ kind: "unknown-run", event });
    const run = known ?? (isUnknown ? this.tracker.track(id, event) : this.tracker.begin(id, event));
    const { end } = run;
    if (end !== undefined) {
      // A run ends once; only a dedupe key shows that this is the same end again.
      const isSame = event.dedupeKey !== undefined && event.source === end.source;
      this.report(isSame ? { kind: "duplicate", event, first: end } : { kind: "after-end", event, end });
      return;
    }
    this.acceptSubstitute(run);
    if (event.kind === "completed" && !this.reportMissingEscalation(event, run))
      this.report(checkUnfinished(event, run));
    run.clearPending();
    run.end = event;
  }

  /** The run continues, so the loop has accepted a foreign event as the result. */
  private acceptSubstitute(run: LoggedRun): void {
    const { pending, substitute } = run;
    if (pending !== undefined && substitute !== undefined)
      this.answers.push(run.addResult(pending, substitute));
  }

  /** Whether the run should have escalated instead, which explains any other violation. */
  private reportMissingEscalation(event: Action, run: LoggedRun): boolean {
    this.reportOverrun(checkStepBudget(event, run), run);
    const { mismatch, lastRequest: last } = run;
    if (mismatch === undefined || last === undefined) return false;
    this.report({ kind: "not-escalated", result: mismatch, last, next: event });
    run.clearPending();
    return true;
  }

  private addRequest(request: RequestEvent, run: LoggedRun): void {
    run.addRequest(request);
    this.reportOverrun(checkBeyondBudget(request, run), run);
    const early = this.lookahead.takeEarlyResult(request);
    if (early !== undefined) run.addResult(request, early);
  }

  private reportEarlyResult(result: ResultEvent, last: RequestEvent | undefined): boolean {
    const request = this.lookahead.findLaterRequest(result);
    if (request !== undefined) this.report({ kind: "early-result", result, request, last });
    return request !== undefined;
  }

  private reportOverrun(violation: Violation | undefined, run: LoggedRun): void {
    if (violation === undefined || this.overBudgetRuns.has(run)) return;
    this.overBudgetRuns.add(run);
    this.report(violation);
  }

  private report(violation: Violation | undefined): void {
    if (violation !== undefined) this.violations.push(violation);
  }
}

function checkRequest(request: RequestEvent, run: LoggedRun, last: RequestEvent): Violation | undefined {
  const { pending, ignored } = run;
  const [step, before] = [request.step.value, last.step.value];
  if (step < before) return { kind: "step-back", request, after: last };
  if (pending !== undefined && ignored !== undefined)
    return { kind: "double-advance", request, pending, ignored };
  const unfinished = checkUnfinished(request, run);
  if (unfinished !== undefined || step <= before + 1) return unfinished;
  return { kind: "gap", request, after: last };
}

/** Checks that the last step has a result, and that an error was handled. */
function checkUnfinished(event: Action, { pending, failed }: LoggedRun): Violation | undefined {
  if (pending !== undefined) return { kind: "pending", event, request: pending };
  return failed === undefined ? undefined : { kind: "after-error", event, error: failed };
}

/** Checks that the loop does not continue after it has reached its step budget. */
function checkStepBudget(next: Action, { budgetReachedBy, maxSteps }: LoggedRun): Violation | undefined {
  if (budgetReachedBy === undefined || maxSteps === undefined) return undefined;
  const isRetry = next.kind === "request" && next.step.value === budgetReachedBy.step.value;
  return isRetry ? undefined : { kind: "over-budget", request: budgetReachedBy, next, maxSteps };
}

/** The step that reached the budget may be missing from the run or the log. */
function checkBeyondBudget(request: RequestEvent, { maxSteps }: LoggedRun): Violation | undefined {
  if (maxSteps === undefined || request.step.value <= maxSteps) return undefined;
  return { kind: "over-budget", request, next: undefined, maxSteps };
}

/** Checks a run at the end of the log. One that is not `current` may have continued under the same id. */
function checkLeftOpen(run: LoggedRun, current: LoggedRun | undefined): Violation | undefined {
  const { mismatch, lastRequest: last } = run;
  if (mismatch !== undefined && last !== undefined)
    return { kind: "not-escalated", result: mismatch, last, next: undefined };
  return run.end === undefined && run === current ? { kind: "open", run } : undefined;
}

function isDuplicateRequest(
  request: RequestEvent,
  earlier: RequestEvent,
  run: LoggedRun,
  mayBeNewRun: boolean,
): boolean {
  const isSame = request.source === earlier.source;
  if (run.end !== undefined) return isSame && !mayBeNewRun;
  if (isSame) return true;
  const isAlike = request.tool.text === earlier.tool.text && request.type?.text === earlier.type?.text;
  if (!isAlike) return false;
  if (run.pending === earlier) return !mayBeNewRun;
  // Once step 1 has its result, only an identical line is a duplicate; others begin a second run.
  const key = request.dedupeKey?.text;
  const hasSameKey = key !== undefined && key === earlier.dedupeKey?.text;
  return request.step.value !== 1 && hasSameKey && run.hasSucceeded(earlier);
}

/** Finds requests that come after their results. */
class LogLookahead {
  private readonly lastRequests = new Map<string, LogEvent>();
  private readonly requestingRuns = new Set<string>();
  /** Requests followed by a result: an earlier result is not theirs. */
  private readonly answered = new Set<LogEvent>();
  private readonly early = new Map<string, ResultEvent>();

  constructor(events: readonly LogEvent[]) {
    for (const event of events) {
      const request = this.lastRequests.get(stepKey(event));
      if (event.kind === "request") {
        this.lastRequests.set(stepKey(event), event);
        this.requestingRuns.add(event.runId?.text ?? "");
      } else if (event.kind === "result" && request !== undefined) this.answered.add(request);
    }
  }

  /** Whether the run has a request anywhere in the log. */
  hasRequests(runId: string): boolean {
    return this.requestingRuns.has(runId);
  }

  /** Returns the request that this result came before, and keeps the result for it. */
  findLaterRequest(result: ResultEvent): LogEvent | undefined {
    const key = stepKey(result);
    const request = this.lastRequests.get(key);
    if (request === undefined || request.index < result.index) return undefined;
    this.early.set(key, result);
    return request;
  }

  /** Returns the earlier result that answers this request. */
  takeEarlyResult(request: RequestEvent): ResultEvent | undefined {
    const key = stepKey(request);
    const result = this.early.get(key);
    this.early.delete(key);
    return this.answered.has(request) || result?.tool.text !== request.tool.text ? undefined : result;
  }
}

function stepKey(event: LogEvent): string {
  return `${event.step?.value ?? 0} ${event.runId?.text ?? ""}`;
}
