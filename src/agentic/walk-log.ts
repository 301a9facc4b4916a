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
  /** In the order in which they began. */
  readonly runs: readonly LoggedRun[];
  readonly violations: readonly Violation[];
  readonly answers: readonly Answer[];
}

/** Walks through a log once, as the loop of RFC-103 would have lived it. `maxSteps` is what is known besides the log. */
export function walkLog(
  events: readonly LogEvent[],
  maxSteps: (runId: string) => number | undefined,
): WalkResult {
  const walk = new LogWalker(events, maxSteps);
  for (const event of events) walk.visit(event);
  return walk.finish();
}

class LogWalker {
  private readonly known: RunTracker;
  private readonly ahead: LogLookahead;
  private readonly violations: Violation[] = [];
  private readonly answers: Answer[] = [];
  private readonly overBudgetRuns = new Set<LoggedRun>();
  /** Two runs have gone by one name at the same time. */
  private hasSharedIds = false;

  constructor(events: readonly LogEvent[], maxSteps: (runId: string) => number | undefined) {
    this.known = new RunTracker(maxSteps);
    this.ahead = new LogLookahead(events);
  }

  visit(event: LogEvent): void {
    if (event.isForeign) return this.known.get(event.runId?.text ?? "")?.noteSubstitute(event);
    if (!isReadable(event)) return this.known.trackUnreadable(event);
    if (event.kind === "start" || event.kind === "trigger") return this.start(event);
    const id = event.runId.text;
    const run = this.known.get(id);
    if (run?.isUnclear === true || (run === undefined && this.known.isUnclear))
      return this.known.trackUnclear(event);
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
    const now = this.known.get(id);
    if (now !== undefined) now.last = event;
  }

  /** What the log leaves open. */
  finish(): WalkResult {
    for (const run of this.known.runs)
      if (!run.isUnclear) this.report(checkLeftOpen(run, this.known.get(run.id)));
    if (!this.known.isUnclear) {
      for (const start of this.known.starts.unanswered()) this.report({ kind: "unanswered-start", start });
    }
    // A stale result that a run advanced on: nobody can say that it is ignored.
    const heeded = new Set(
      this.violations.map((remark) => remark.kind === "double-advance" && remark.ignored),
    );
    const violations = this.violations.filter(
      (remark) => remark.kind !== "stale-result" || !heeded.has(remark.result),
    );
    return { runs: this.known.runs, violations, answers: this.answers };
  }

  private start(event: StartEvent): void {
    const first = this.known.starts.add(event);
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
      this.addRequest(event, run ?? this.known.begin(event.runId.text, event));
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

  /** A step that was requested before: a retry, the same request twice, or a mistake. */
  private requestAgain(event: RequestEvent, run: LoggedRun, earlier: RequestEvent): void {
    const step = event.step.value;
    const { failed } = run;
    if (run.end === undefined && failed?.step.value === step) {
      // RFC-103 issues the same request again; another tool is another request.
      const isSame = event.tool.text === earlier.tool.text;
      if (!this.reportMissingEscalation(event, run) && !isSame)
        this.report({ kind: "after-error", event, error: failed });
      return this.addRequest(event, run);
    }
    const mayBeNewRun = step === 1 && this.known.starts.mayStart(run.id);
    if (isDuplicateRequest(event, earlier, run, mayBeNewRun))
      this.report({ kind: "duplicate", event, first: earlier });
    else if (step === 1) {
      this.report({ kind: "reused", request: event, first: earlier });
      const next = this.known.begin(run.id, event);
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
      if (!this.reportEarlyResult(result)) this.report({ kind: "unknown-run", event: result });
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
    } else if (!this.reportEarlyResult(result)) run.mismatch ??= result;
  }

  private end(event: EndEvent, known: LoggedRun | undefined): void {
    const id = event.runId.text;
    // A run that uses no tool is first named by its end; a run_id taken twice may have claimed its start.
    const mayHaveBegun = this.hasSharedIds || this.known.starts.mayStart(id) || this.ahead.hasRequests(id);
    const isUnknown = known === undefined && !mayHaveBegun;
    if (isUnknown) this.report({ kind: "unknown-run", event });
    const run = known ?? (isUnknown ? this.known.track(id, event) : this.known.begin(id, event));
    const { end } = run;
    if (end !== undefined) {
      // RFC-103 lets a run end once; only a key that is to be dropped tells that this is the same end again.
      const isTwice = event.dedupeKey !== undefined && event.source === end.source;
      this.report(isTwice ? { kind: "duplicate", event, first: end } : { kind: "after-end", event, end });
      return;
    }
    this.acceptSubstitute(run);
    if (event.kind === "completed" && !this.reportMissingEscalation(event, run))
      this.report(checkUnfinished(event, run));
    run.clearPending();
    run.end = event;
  }

  /** The run goes on: what stands in for a result has been taken for it. */
  private acceptSubstitute(run: LoggedRun): void {
    const { pending, substitute } = run;
    if (pending !== undefined && substitute !== undefined)
      this.answers.push(run.addResult(pending, substitute));
  }

  /** The loop acts: whether that breaks a duty to escalate, which then explains everything else. */
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
    const early = this.ahead.takeEarlyResult(request);
    if (early !== undefined) run.addResult(request, early);
  }

  /** Whether the request comes only after its result. */
  private reportEarlyResult(result: ResultEvent): boolean {
    const request = this.ahead.findLaterRequest(result);
    if (request !== undefined) this.report({ kind: "early-result", result, request });
    return request !== undefined;
  }

  /** That a run is over its budget is said once. */
  private reportOverrun(remark: Violation | undefined, run: LoggedRun): void {
    if (remark === undefined || this.overBudgetRuns.has(run)) return;
    this.overBudgetRuns.add(run);
    this.report(remark);
  }

  private report(remark: Violation | undefined): void {
    if (remark !== undefined) this.violations.push(remark);
  }
}

/** What is wrong with a request of a new step, if anything is. */
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

/** What the run should have waited for, or reacted to, before this. */
function checkUnfinished(event: Action, { pending, failed }: LoggedRun): Violation | undefined {
  if (pending !== undefined) return { kind: "pending", event, request: pending };
  return failed === undefined ? undefined : { kind: "after-error", event, error: failed };
}

/** The loop acts, although its step budget is spent. */
function checkStepBudget(deed: Action, { budgetReachedBy, maxSteps }: LoggedRun): Violation | undefined {
  if (budgetReachedBy === undefined || maxSteps === undefined) return undefined;
  const isRetry = deed.kind === "request" && deed.step.value === budgetReachedBy.step.value;
  return isRetry ? undefined : { kind: "over-budget", request: budgetReachedBy, next: deed, maxSteps };
}

/** The step that reached the budget was left out, from the run or from the log. */
function checkBeyondBudget(request: RequestEvent, { maxSteps }: LoggedRun): Violation | undefined {
  if (maxSteps === undefined || request.step.value <= maxSteps) return undefined;
  return { kind: "over-budget", request, next: undefined, maxSteps };
}

/** What a run that the log ends with has left undone; one that is not `current` may have gone on under its name. */
function checkLeftOpen(run: LoggedRun, current: LoggedRun | undefined): Violation | undefined {
  const { mismatch, lastRequest: last } = run;
  if (mismatch !== undefined && last !== undefined)
    return { kind: "not-escalated", result: mismatch, last, next: undefined };
  return run.end === undefined && run === current ? { kind: "open", run } : undefined;
}

/** Whether a request of a step that was requested before is the same request once more. */
function isDuplicateRequest(
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

/** What the whole log says about a result whose request comes only after it. */
class LogLookahead {
  /** The last request of each step of each run. */
  private readonly lastRequests = new Map<string, LogEvent>();
  private readonly requestingRuns = new Set<string>();
  /** Requests that a result follows: one that came before them is another's. */
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

  /** Whether the run requests something, sooner or later. */
  hasRequests(runId: string): boolean {
    return this.requestingRuns.has(runId);
  }

  /** The request that this result came before; the result is kept for it. */
  findLaterRequest(result: ResultEvent): LogEvent | undefined {
    const key = stepKey(result);
    const request = this.lastRequests.get(key);
    if (request === undefined || request.index < result.index) return undefined;
    this.early.set(key, result);
    return request;
  }

  /** The result that came before this request and answers it. */
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
