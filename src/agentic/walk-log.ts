import type { Finding, Place } from "../diagnostic.js";
import { validateResult } from "../routes/routes.js";
import { appendTo } from "../text/collections.js";
import { createGuesser, nameAdvice } from "../text/names.js";
import { pluralize } from "../text/wording.js";
import {
  type CorrelatedEvent,
  type EndEvent,
  isReadable,
  type LogEvent,
  quotedRun,
  quotedTool,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
  stepOf,
} from "./log-event.js";
import { type Answer, type LoggedRun, RunTracker } from "./run-tracker.js";

/** Checks a log event by event. `maxSteps` gives a budget that is known from elsewhere. */
export function walkLog(
  events: readonly LogEvent[],
  maxSteps: (runId: string) => number | undefined,
  isTruncated: boolean,
) {
  const walker = new LogWalker(events, maxSteps);
  for (const event of events) walker.visit(event);
  return walker.finish(isTruncated);
}

/** An event by which the loop advances or ends a run. */
type Action = RequestEvent | EndEvent;

class LogWalker {
  private readonly tracker: RunTracker;
  private readonly lookahead: LogLookahead;
  private readonly findings = new Map<string, Finding[]>();
  private readonly answers: Answer[] = [];
  private readonly overBudgetRuns = new Set<LoggedRun>();
  /** Results to ignore, each with the last request before it. */
  private readonly staleResults = new Map<ResultEvent, RequestEvent>();
  private readonly eventsOfUnknownRuns: (ResultEvent | EndEvent)[] = [];
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

  /** A log that is truncated may go on with the events that it lacks. */
  finish(isTruncated: boolean) {
    for (const [result, last] of this.staleResults) this.reportStaleResult(result, last);
    if (!isTruncated) this.reportMissingEvents();
    const { findings, answers } = this;
    const { runs } = this.tracker;
    /** Whether some event could not be read, so that it is unknown what happened to its run. */
    const isUnclear = this.tracker.isUnclear || runs.some((run) => run.isUnclear);
    return { runs, findings, answers, isUnclear };
  }

  private start(event: StartEvent): void {
    const first = this.tracker.starts.add(event);
    const key = event.dedupeKey?.text ?? "";
    if (first !== undefined)
      this.reportDuplicate(event, first, `A start with the dedupe key "${key}" was already sent`);
  }

  private request(event: RequestEvent, run: LoggedRun | undefined): void {
    const step = stepOf(event);
    const last = run?.lastRequest;
    if (run === undefined || last === undefined) {
      if (run?.end !== undefined) return this.reportAfterEnd(event, run.end);
      const message = `Run ${quotedRun(event)} begins with step ${step}; steps start at 1.`;
      if (step !== 1) this.report("agentic-step-order", event.step, message);
      this.addRequest(event, run ?? this.tracker.begin(event.runId.text, event));
      return;
    }
    if (run.substitute?.isOk === false) this.acceptSubstitute(run);
    const earlier = run.stepNumbered(step)?.requests.at(-1);
    if (earlier !== undefined) this.requestAgain(event, run, earlier);
    else if (run.end !== undefined) this.reportAfterEnd(event, run.end);
    else {
      this.acceptSubstitute(run);
      if (!this.reportMissingEscalation(event, run)) this.checkRequest(event, run, last);
      this.addRequest(event, run);
    }
  }

  /** The step was requested before: a retry, a duplicate, or a violation. */
  private requestAgain(event: RequestEvent, run: LoggedRun, earlier: RequestEvent): void {
    const step = stepOf(event);
    const { failed } = run;
    if (run.end === undefined && failed !== undefined && stepOf(failed) === step) {
      // RFC-103 retries with the same request; another tool makes it a different one.
      const isSame = event.tool.text === earlier.tool.text;
      if (!this.reportMissingEscalation(event, run) && !isSame) this.reportAfterError(event, failed);
      return this.addRequest(event, run);
    }
    const mayBeNewRun = step === 1 && this.tracker.starts.mayStart(run.id);
    if (isDuplicateRequest(event, earlier, run, mayBeNewRun)) {
      const what = `Step ${step} of run ${quotedRun(event)} was already requested, with no error in between`;
      this.reportDuplicate(event, earlier, what);
    } else if (step === 1) {
      const message = `Step 1 of run ${quotedRun(event)} was requested before, and this is not a retry: a new run needs a run_id of its own.`;
      this.report("agentic-run-id-reused", event.runId, message, [earlier, "the run begins here"]);
      const next = this.tracker.begin(run.id, event);
      next.sharesId = run.end === undefined || run.sharesId;
      this.hasSharedIds ||= next.sharesId;
      this.addRequest(event, next);
    } else if (run.end !== undefined) this.reportAfterEnd(event, run.end);
    else {
      if (run.pending === earlier) this.reportPending(event, earlier);
      else this.reportStepBack(event, run.lastRequest ?? earlier);
      this.addRequest(event, run);
    }
  }

  private checkRequest(request: RequestEvent, run: LoggedRun, last: RequestEvent): void {
    const { pending, ignored } = run;
    const [step, before] = [stepOf(request), stepOf(last)];
    if (step < before) return this.reportStepBack(request, last);
    if (pending !== undefined && ignored !== undefined) {
      // A stale result on which a run advances was not ignored.
      this.staleResults.delete(ignored);
      const message = `Run ${quotedRun(request)} advances to step ${step} on a result it had to ignore, while step ${stepOf(pending)} still waits for ${quotedTool(pending)}.`;
      const related = [[ignored, "the result to ignore"] as const, [pending, noResultYet] as const];
      return this.report("agentic-double-advance", request.step, message, ...related);
    }
    if (this.reportUnfinished(request, run) || step <= before + 1) return;
    const missed = step - before - 1;
    const message = `Run ${quotedRun(request)} goes from step ${before} to step ${step}: ${pluralize(missed, "step")} ${missed === 1 ? "is" : "are"} missing, from the run or from the log.`;
    this.report("agentic-step-gap", request.step, message, requestedHere(last));
  }

  private result(result: ResultEvent, run: LoggedRun | undefined): void {
    const correlated = (event: CorrelatedEvent) => ({ step: stepOf(event), tool: event.tool.text });
    const { end, pending, lastRequest: last } = run ?? {};
    const lastStep = last === undefined ? 0 : stepOf(last);
    const state = run && { isOver: end !== undefined, pending: pending && correlated(pending), lastStep };
    const verdict = validateResult(state, correlated(result));
    if (run === undefined) {
      if (!this.reportEarlyResult(result, undefined)) this.eventsOfUnknownRuns.push(result);
    } else if (end !== undefined) {
      const message = `Run ${quotedRun(result)} has ended, so this result for step ${stepOf(result)} is ignored.`;
      this.report("agentic-late-result", result.runId, message, [end, "the run ends here"]);
    } else if (pending !== undefined && verdict === "expected")
      this.answers.push(run.addResult(pending, result));
    else if (last !== undefined && verdict === "old step") {
      run.ignored = result;
      this.staleResults.set(result, last);
    } else if (verdict === "other tool") run.mismatch ??= result;
    else if (pending !== undefined) {
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
    if (isUnknown) this.eventsOfUnknownRuns.push(event);
    const run = known ?? (isUnknown ? this.tracker.track(id, event) : this.tracker.begin(id, event));
    const { end } = run;
    if (end !== undefined) {
      // A run ends once; only a dedupe key shows that this is the same end again.
      const isSame = event.dedupeKey !== undefined && event.source === end.source;
      const what = `The end of run ${quotedRun(event)} was already reported, with the same content`;
      return isSame ? this.reportDuplicate(event, end, what) : this.reportAfterEnd(event, end);
    }
    this.acceptSubstitute(run);
    if (event.kind === "completed" && !this.reportMissingEscalation(event, run))
      this.reportUnfinished(event, run);
    run.clearPending();
    run.end = event;
  }

  /** The run continues, so the loop has accepted a foreign event as the result. */
  private acceptSubstitute(run: LoggedRun): void {
    const { pending, substitute } = run;
    if (pending !== undefined && substitute !== undefined)
      this.answers.push(run.addResult(pending, substitute));
  }

  private addRequest(request: RequestEvent, run: LoggedRun): void {
    run.addRequest(request);
    const { maxSteps } = run;
    // The step that reached the budget may be missing from the run or the log.
    if (maxSteps !== undefined && stepOf(request) > maxSteps)
      this.reportOverrun(
        run,
        request,
        `is beyond max_steps (${maxSteps}): the run should have escalated before`,
      );
    const early = this.lookahead.takeEarlyResult(request);
    if (early !== undefined) run.addResult(request, early);
  }

  /** Reports what could still come after the end of the log. */
  private reportMissingEvents(): void {
    const guess = createGuesser();
    const ids = this.tracker.runs.map(({ id }) => id);
    for (const event of this.eventsOfUnknownRuns) {
      const message = `No run ${quotedRun(event)} has begun, so ${unknownRunConsequences[event.kind]}.`;
      const advice = nameAdvice(event.runId.text, ids, guess);
      appendTo(this.findings, "agentic-unknown-run", { at: event.runId, message, advice });
    }
    for (const run of this.tracker.runs) if (!run.isUnclear) this.reportLeftOpen(run);
    if (this.tracker.isUnclear) return;
    for (const { at } of this.tracker.starts.unanswered())
      this.report("agentic-run-open", at, "The log ends before a run follows this start.");
  }

  private reportLeftOpen(run: LoggedRun): void {
    const { id, mismatch, lastRequest, pending, end, last } = run;
    if (mismatch !== undefined && lastRequest !== undefined)
      return this.reportNotEscalated(mismatch, lastRequest, undefined);
    // Another run may have continued it under the same id.
    if (end !== undefined || run !== this.tracker.get(id)) return;
    const waits = pending === undefined ? "" : `: step ${stepOf(pending)} waits for ${quotedTool(pending)}`;
    this.report("agentic-run-open", last.at, `Run "${id}" is still open at the end of the log${waits}.`);
  }

  private reportStepBack(request: RequestEvent, after: RequestEvent): void {
    const again = stepOf(request) === stepOf(after);
    const when = again ? "again, which already has its result" : `after step ${stepOf(after)}`;
    const message = `Run ${quotedRun(request)} requests step ${stepOf(request)} ${when}; step numbers must go up.`;
    this.report("agentic-step-order", request.step, message, requestedHere(after));
  }

  private reportStaleResult(result: ResultEvent, last: RequestEvent): void {
    const isLast = stepOf(result) === stepOf(last);
    const why = isLast ? "already has its result" : `is over (the run is at step ${stepOf(last)})`;
    const message = `Step ${stepOf(result)} of run ${quotedRun(result)} ${why}, so this result is ignored.`;
    this.report("agentic-stale-result", result.step, message, requestedHere(last));
  }

  private reportDuplicate(event: StartEvent | Action, first: StartEvent | Action, what: string): void {
    const message = `${what}: this duplicate should be dropped.`;
    this.report("agentic-duplicate", event.dedupeKey ?? event.at, message, [first, "the first one"]);
  }

  private reportAfterEnd(event: Action, end: EndEvent): void {
    const message = `Run ${quotedRun(event)} ${describeAction(event)} after it has ${end.kind}.`;
    this.report("agentic-after-end", event.at, message, [end, "the run ends here"]);
  }

  private reportPending(event: Action, request: RequestEvent): void {
    const message = `Run ${quotedRun(event)} ${describeAction(event)} while step ${stepOf(request)} still waits for ${quotedTool(request)}.`;
    this.report("agentic-pending", event.at, message, [request, noResultYet]);
  }

  private reportAfterError(event: Action, error: CorrelatedEvent): void {
    const message = `Run ${quotedRun(event)} ${describeAction(event)} although step ${stepOf(error)} of ${quotedTool(error)} failed: it may only retry that step or escalate.`;
    this.report("agentic-after-error", event.at, message, [error, `step ${stepOf(error)} fails here`]);
  }

  /** Reports whether the last step lacks its result, or an error was not handled. */
  private reportUnfinished(event: Action, { pending, failed }: LoggedRun): boolean {
    if (pending !== undefined) this.reportPending(event, pending);
    else if (failed !== undefined) this.reportAfterError(event, failed);
    return (pending ?? failed) !== undefined;
  }

  /** Reports whether the run should have escalated instead, which explains any other violation. */
  private reportMissingEscalation(event: Action, run: LoggedRun): boolean {
    const { mismatch, lastRequest: last, budgetReachedBy: reached, maxSteps } = run;
    const isRetry = event.kind === "request" && reached?.step.value === stepOf(event);
    if (reached !== undefined && maxSteps !== undefined && !isRetry) {
      const why = `has reached max_steps (${maxSteps}): the run must escalate, but it ${describeAction(event)}`;
      this.reportOverrun(run, reached, why, doneHere(event));
    }
    if (mismatch === undefined || last === undefined) return false;
    this.reportNotEscalated(mismatch, last, event);
    run.clearPending();
    return true;
  }

  /** `next` is what the loop did instead; absent at the end of the log. */
  private reportNotEscalated(result: ResultEvent, last: RequestEvent, next: Action | undefined): void {
    const isAhead = stepOf(result) !== stepOf(last);
    const fault = isAhead
      ? `Run ${quotedRun(result)} is at step ${stepOf(last)}, and this is a result for step ${stepOf(result)}`
      : `Step ${stepOf(last)} of run ${quotedRun(result)} waits for ${quotedTool(last)}, and this is a result from ${quotedTool(result)}`;
    const instead = next === undefined ? "the log shows no escalation" : `it ${describeAction(next)}`;
    const message = `${fault}: the run must escalate, but ${instead}.`;
    const related = [requestedHere(last), ...(next === undefined ? [] : [doneHere(next)])];
    this.report("agentic-not-escalated", isAhead ? result.step : result.tool, message, ...related);
  }

  /** `last` is the last request of a run that has begun, and waits for nothing. */
  private reportEarlyResult(result: ResultEvent, last: RequestEvent | undefined): boolean {
    const request = this.lookahead.findLaterRequest(result);
    if (request === undefined) return false;
    const must = last === undefined ? "" : `: the run is at step ${stepOf(last)}, so it must escalate`;
    const message = `The result of step ${stepOf(result)} of run ${quotedRun(result)} comes before its request${must}.`;
    this.report("agentic-result-before-request", result.step, message, [request, "the request"]);
    return true;
  }

  private reportOverrun(run: LoggedRun, request: RequestEvent, why: string, ...related: Related[]): void {
    if (this.overBudgetRuns.has(run)) return;
    this.overBudgetRuns.add(run);
    const message = `Step ${stepOf(request)} of run ${quotedRun(request)} ${why}.`;
    this.report("agentic-max-steps", request.step, message, ...related);
  }

  private report(rule: string, at: Place, message: string, ...related: readonly Related[]): void {
    const places = related.map(([event, what]) => ({ at: event.at, message: what }));
    appendTo(this.findings, rule, { at, message, ...(places.length > 0 && { related: places }) });
  }
}

type Related = readonly [event: LogEvent, what: string];

const noResultYet = "this request has no result yet";

function requestedHere(request: RequestEvent): Related {
  return [request, `step ${stepOf(request)} is requested here`];
}

function doneHere(event: Action): Related {
  return [event, `the run ${describeAction(event)} here`];
}

function describeAction(event: Action): string {
  if (event.kind === "request") return `requests step ${stepOf(event)}`;
  return event.kind === "completed" ? "completes" : "escalates";
}

const unknownRunConsequences = {
  result: "its result is ignored",
  completed: "it cannot complete",
  escalated: "it cannot escalate",
} as const;

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
