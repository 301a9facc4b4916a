import type { Finding, Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { itemsOf } from "../document/node.js";
import { type Routes, validateResult } from "../routes/routes.js";
import { appendTo } from "../text/collections.js";
import { createGuesser, nameAdvice } from "../text/names.js";
import { pluralize } from "../text/wording.js";
import {
  type CorrelatedEvent,
  type EndEvent,
  isReadable,
  LogEvent,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
} from "./log-event.js";
import { type Answer, LoggedRun, LogLookahead, StartQueue } from "./logged-run.js";
import { type PluginState, type Workspace } from "./loop-files.js";

export interface LogSurroundings {
  readonly routes?: Routes | undefined;
  readonly state?: PluginState | undefined;
  readonly workspace?: Workspace | undefined;
}

type Action = RequestEvent | EndEvent;

/** A log of RFC-103 events, walked event by event, and the violations of the protocol found in it. */
export class AgenticLog {
  readonly events: readonly LogEvent[];
  readonly runs: LoggedRun[] = [];
  readonly answers: Answer[] = [];
  /** Whether a line cannot be read: the log may go on after it. */
  readonly isTruncated: boolean;
  private readonly byId = new Map<string, LoggedRun>();
  private readonly starts = new StartQueue();
  private readonly lookahead: LogLookahead;
  private readonly reported = new Map<string, Finding[]>();
  /** Results to ignore, each with the last request before it. */
  private readonly staleResults = new Map<ResultEvent, RequestEvent>();
  private readonly eventsOfUnknownRuns: (ResultEvent | EndEvent)[] = [];
  /** Starts with the run id of an earlier run. */
  private readonly repeatedStarts = new Set<StartEvent>();
  private previous: LogEvent | undefined;
  /** Whether two runs have had the same id at the same time. */
  private hasSharedIds = false;
  /** Whether an unreadable event may belong to any run. */
  private isUnclear = false;

  constructor(
    readonly document: Document,
    readonly surroundings: LogSurroundings = {},
  ) {
    const { root, text, faults } = document;
    this.isTruncated = faults.length > 0;
    this.events = itemsOf(root).flatMap((node, index) =>
      node.kind === "mapping" ? new LogEvent(index, node, text.slice(node.start, node.end)) : [],
    );
    this.lookahead = new LogLookahead(this.events);
    for (const event of this.events) {
      this.visit(event);
      this.previous = event;
    }
    for (const [result, last] of this.staleResults) this.reportStaleResult(result, last);
    if (!this.isTruncated) this.reportMissingEvents();
  }

  findings(rule: string): readonly Finding[] {
    return this.reported.get(rule) ?? [];
  }

  /** Whether it is known of every run how far it got. */
  get isClear(): boolean {
    return !this.isTruncated && !this.isUnclear && !this.runs.some((run) => run.isUnclear);
  }

  private visit(event: LogEvent): void {
    const run = this.byId.get(event.runId?.text ?? "");
    if (event.isForeign) {
      // One job runs at a time, so the event of a plugin follows its request.
      const { previous } = this;
      const isAnswer = event.isUncorrelatedResult && previous?.kind === "request";
      return (isAnswer ? this.byId.get(previous.runId?.text ?? "") : run)?.noteSubstitute(event);
    }
    if (!isReadable(event)) return this.noteUnreadable(event, run);
    if (event.kind === "start" || event.kind === "trigger") return this.start(event);
    const id = event.runId.text;
    if (run?.isUnclear ?? this.isUnclear) (run ?? this.begin(id, event)).addUnchecked(event);
    else if (event.kind === "request") this.request(event, run);
    else if (event.kind === "result") this.result(event, run);
    else this.end(event, run);
    const current = this.byId.get(id);
    if (current !== undefined) current.last = event;
  }

  private noteUnreadable(event: LogEvent, run: LoggedRun | undefined): void {
    const id = event.runId?.text;
    if (id !== undefined) (run ?? this.begin(id, event)).isUnclear = true;
    else if (!this.isUnclear) {
      this.isUnclear = true;
      for (const each of this.runs) each.isUnclear = true;
    }
  }

  /** Begins a run; one that is not listed may have begun before the log. */
  private begin(id: string, first: LogEvent, isListed = true): LoggedRun {
    const { routes, state } = this.surroundings;
    const run = new LoggedRun(id, first, this.starts.claim(id), state?.maxSteps(id) ?? routes?.maxSteps);
    this.byId.set(id, run);
    if (isListed) this.runs.push(run);
    return run;
  }

  private start(event: StartEvent): void {
    const { runId } = event;
    const named = runId && (this.starts.named(runId.text) ?? this.byId.get(runId.text)?.first);
    const first = this.starts.add(event);
    const what = `A start with the dedupe key "${event.dedupeKey?.text ?? ""}" was already sent`;
    if (first !== undefined) return this.reportDuplicate(event, first, what);
    if (runId === undefined || named === undefined) return;
    this.repeatedStarts.add(event);
    const message = `Run "${runId.text}" has already begun: a new run needs a run_id of its own.`;
    this.report("agentic-run-id-reused", runId, message, [named, "the run begins here"]);
  }

  private request(event: RequestEvent, run: LoggedRun | undefined): void {
    const step = event.step.value;
    const last = run?.lastRequest;
    if (run === undefined || last === undefined) {
      if (run?.end !== undefined) return this.reportAfterEnd(event, run.end);
      const message = `Run "${event.runId.text}" begins with step ${step}; steps start at 1.`;
      if (step !== 1) this.report("agentic-step-order", event.step, message);
      return this.addRequest(event, run ?? this.begin(event.runId.text, event));
    }
    if (run.substitute?.isOk === false) this.acceptSubstitute(run);
    const earlier = run.byStep.get(step)?.requests.at(-1);
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
    const step = event.step.value;
    const { failed } = run;
    if (run.end === undefined && failed !== undefined && failed.step.value === step) {
      // RFC-103 retries with the same request; another tool makes it a different one.
      const isSame = event.tool.text === earlier.tool.text;
      if (!this.reportMissingEscalation(event, run) && !isSame) this.reportAfterError(event, failed);
      return this.addRequest(event, run);
    }
    const mayBeNewRun = step === 1 && this.starts.mayStart(run.id);
    if (isDuplicateRequest(event, earlier, run, mayBeNewRun)) {
      const what = `Step ${step} of run "${event.runId.text}" was already requested, with no error in between`;
      this.reportDuplicate(event, earlier, what);
    } else if (step === 1 && (isAlike(event, earlier) || mayBeNewRun || run.end !== undefined)) {
      const message = `Step 1 of run "${event.runId.text}" was requested before, and this is not a retry: a new run needs a run_id of its own.`;
      const next = this.begin(run.id, event);
      const isReported = next.starts?.some((start) => this.repeatedStarts.has(start)) === true;
      if (!isReported)
        this.report("agentic-run-id-reused", event.runId, message, [earlier, "the run begins here"]);
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
    const [step, before] = [request.step.value, last.step.value];
    if (step < before) return this.reportStepBack(request, last);
    if (pending !== undefined && ignored !== undefined) {
      // A stale result on which a run advances was not ignored.
      this.staleResults.delete(ignored);
      const message = `Run "${request.runId.text}" advances to step ${step} on a result it had to ignore, while step ${pending.step.value} still waits for "${pending.tool.text}".`;
      const related = [[ignored, "the result to ignore"] as const, [pending, noResultYet] as const];
      return this.report("agentic-double-advance", request.step, message, ...related);
    }
    if (this.reportUnfinished(request, run) || step <= before + 1) return;
    const missed = step - before - 1;
    const message = `Run "${request.runId.text}" goes from step ${before} to step ${step}: ${pluralize(missed, "step")} ${missed === 1 ? "is" : "are"} missing, from the run or from the log.`;
    this.report("agentic-step-gap", request.step, message, requestedHere(last));
  }

  private result(result: ResultEvent, run: LoggedRun | undefined): void {
    const correlated = (event: CorrelatedEvent) => ({ step: event.step.value, tool: event.tool.text });
    const { end, pending, lastRequest: last } = run ?? {};
    const lastStep = last?.step.value ?? 0;
    const state = run && { isOver: end !== undefined, pending: pending && correlated(pending), lastStep };
    const verdict = validateResult(state, correlated(result));
    if (run === undefined) {
      if (!this.reportEarlyResult(result, undefined)) this.eventsOfUnknownRuns.push(result);
    } else if (end !== undefined) {
      const message = `Run "${result.runId.text}" has ended, so this result for step ${result.step.value} is ignored.`;
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
    const mayHaveBegun = this.hasSharedIds || this.starts.mayStart(id) || this.lookahead.hasRequests(id);
    const isUnknown = known === undefined && !mayHaveBegun;
    if (isUnknown) this.eventsOfUnknownRuns.push(event);
    const run = known ?? this.begin(id, event, !isUnknown);
    const { end } = run;
    if (end !== undefined) {
      // A run ends once; only a dedupe key shows that this is the same end again.
      const isSame = event.dedupeKey !== undefined && event.source === end.source;
      const what = `The end of run "${event.runId.text}" was already reported, with the same content`;
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
    const { pending, substitute: result } = run;
    if (pending !== undefined && result !== undefined) this.answers.push(run.addResult(pending, result));
  }

  private addRequest(request: RequestEvent, run: LoggedRun): void {
    run.addRequest(request);
    const { maxSteps } = run;
    // The step that reached the budget may be missing from the run or the log.
    const why = `is beyond max_steps (${maxSteps}): the run should have escalated before`;
    if (request.step.value > maxSteps) this.reportOverrun(run, request, why);
    const early = this.lookahead.takeEarlyResult(request);
    if (early !== undefined) run.addResult(request, early);
  }

  /** Reports what could still come after the end of the log. */
  private reportMissingEvents(): void {
    const guess = createGuesser();
    const ids = this.runs.map(({ id }) => id);
    for (const event of this.eventsOfUnknownRuns) {
      const message = `No run "${event.runId.text}" has begun, so ${unknownRunConsequences[event.kind]}.`;
      const advice = nameAdvice(event.runId.text, ids, guess);
      appendTo(this.reported, "agentic-unknown-run", { at: event.runId, message, advice });
    }
    for (const run of this.runs) if (!run.isUnclear) this.reportLeftOpen(run);
    if (this.isUnclear) return;
    for (const start of this.starts.unanswered())
      if (!this.repeatedStarts.has(start))
        this.report("agentic-run-open", start.at, "The log ends before a run follows this start.");
  }

  private reportLeftOpen(run: LoggedRun): void {
    const { id, mismatch, lastRequest, pending, end, last } = run;
    if (mismatch !== undefined && lastRequest !== undefined)
      return this.reportNotEscalated(mismatch, lastRequest, undefined);
    // Another run may have continued it under the same id.
    if (end !== undefined || run !== this.byId.get(id)) return;
    const waits =
      pending === undefined ? "" : `: step ${pending.step.value} waits for "${pending.tool.text}"`;
    this.report("agentic-run-open", last.at, `Run "${id}" is still open at the end of the log${waits}.`);
  }

  private reportStepBack(request: RequestEvent, after: RequestEvent): void {
    const again = request.step.value === after.step.value;
    const when = again ? "again, which already has its result" : `after step ${after.step.value}`;
    const message = `Run "${request.runId.text}" requests step ${request.step.value} ${when}; step numbers must go up.`;
    this.report("agentic-step-order", request.step, message, requestedHere(after));
  }

  private reportStaleResult(result: ResultEvent, last: RequestEvent): void {
    const isLast = result.step.value === last.step.value;
    const why = isLast ? "already has its result" : `is over (the run is at step ${last.step.value})`;
    const message = `Step ${result.step.value} of run "${result.runId.text}" ${why}, so this result is ignored.`;
    this.report("agentic-stale-result", result.step, message, requestedHere(last));
  }

  private reportDuplicate(event: StartEvent | Action, first: StartEvent | Action, what: string): void {
    const message = `${what}: this duplicate should be dropped.`;
    this.report("agentic-duplicate", event.dedupeKey ?? event.at, message, [first, "the first one"]);
  }

  private reportAfterEnd(event: Action, end: EndEvent): void {
    const message = `Run "${event.runId.text}" ${describeAction(event)} after it has ${end.kind}.`;
    this.report("agentic-after-end", event.at, message, [end, "the run ends here"]);
  }

  private reportPending(event: Action, request: RequestEvent): void {
    const message = `Run "${event.runId.text}" ${describeAction(event)} while step ${request.step.value} still waits for "${request.tool.text}".`;
    this.report("agentic-pending", event.at, message, [request, noResultYet]);
  }

  private reportAfterError(event: Action, error: CorrelatedEvent): void {
    const message = `Run "${event.runId.text}" ${describeAction(event)} although step ${error.step.value} of "${error.tool.text}" failed: it may only retry that step or escalate.`;
    this.report("agentic-after-error", event.at, message, [error, `step ${error.step.value} fails here`]);
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
    const isRetry = event.kind === "request" && reached?.step.value === event.step.value;
    if (reached !== undefined && !isRetry) {
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
    const isAhead = result.step.value !== last.step.value;
    const fault = isAhead
      ? `Run "${result.runId.text}" is at step ${last.step.value}, and this is a result for step ${result.step.value}`
      : `Step ${last.step.value} of run "${result.runId.text}" waits for "${last.tool.text}", and this is a result from "${result.tool.text}"`;
    const instead = next === undefined ? "the log shows no escalation" : `it ${describeAction(next)}`;
    const message = `${fault}: the run must escalate, but ${instead}.`;
    const related = [requestedHere(last), ...(next === undefined ? [] : [doneHere(next)])];
    this.report("agentic-not-escalated", isAhead ? result.step : result.tool, message, ...related);
  }

  /** `last` is the last request of a run that has begun, and waits for nothing. */
  private reportEarlyResult(result: ResultEvent, last: RequestEvent | undefined): boolean {
    const request = this.lookahead.findLaterRequest(result);
    if (request === undefined) return false;
    const must = last === undefined ? "" : `: the run is at step ${last.step.value}, so it must escalate`;
    const message = `The result of step ${result.step.value} of run "${result.runId.text}" comes before its request${must}.`;
    this.report("agentic-result-before-request", result.step, message, [request, "the request"]);
    return true;
  }

  private reportOverrun(run: LoggedRun, request: RequestEvent, why: string, ...related: Related[]): void {
    if (run.isOverBudget) return;
    run.isOverBudget = true;
    const message = `Step ${request.step.value} of run "${request.runId.text}" ${why}.`;
    this.report("agentic-max-steps", request.step, message, ...related);
  }

  private report(rule: string, at: Place, message: string, ...related: readonly Related[]): void {
    const places = related.map(([event, what]) => ({ at: event.at, message: what }));
    appendTo(this.reported, rule, { at, message, ...(places.length > 0 && { related: places }) });
  }
}

type Related = readonly [event: LogEvent, what: string];

const noResultYet = "this request has no result yet";

function requestedHere(request: RequestEvent): Related {
  return [request, `step ${request.step.value} is requested here`];
}

function doneHere(event: Action): Related {
  return [event, `the run ${describeAction(event)} here`];
}

function describeAction(event: Action): string {
  if (event.kind === "request") return `requests step ${event.step.value}`;
  return event.kind === "completed" ? "completes" : "escalates";
}

const unknownRunConsequences = {
  result: "its result is ignored",
  completed: "it cannot complete",
  escalated: "it cannot escalate",
} as const;

function isAlike(request: RequestEvent, earlier: RequestEvent): boolean {
  return request.tool.text === earlier.tool.text && request.type?.text === earlier.type?.text;
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
  if (!isAlike(request, earlier)) return false;
  if (run.pending === earlier) return !mayBeNewRun;
  // Once step 1 has its result, only an identical line is a duplicate; others begin a second run.
  const key = request.dedupeKey?.text;
  const hasSameKey = key !== undefined && key === earlier.dedupeKey?.text;
  return request.step.value !== 1 && hasSameKey && run.hasSucceeded(earlier);
}
