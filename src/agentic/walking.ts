import {
  tellsOutcome,
  isCorrelated,
  type EndEvent,
  type LogEvent,
  type RequestEvent,
  type ResultEvent,
} from "./log-event.js";
import type { Deed, Remark } from "./remark.js";
import { RunTrail, type Answer } from "./run-trail.js";
import { StartQueue } from "./start-queue.js";

export interface Walked {
  /** In the order in which they began. */
  readonly runs: readonly RunTrail[];
  readonly remarks: readonly Remark[];
  readonly answers: readonly Answer[];
}

/** What is known at some point of a walk through a log, whichever run it is about. */
export abstract class Walking implements Walked {
  readonly runs: RunTrail[] = [];
  remarks: Remark[] = [];
  readonly answers: Answer[] = [];
  protected readonly byId = new Map<string, RunTrail>();
  protected readonly starts = new StartQueue();
  /** The last request of each step of each run: whether a result's request is still to come. */
  protected readonly lastRequests = new Map<string, LogEvent>();
  /** The runs that request something, sooner or later. */
  protected readonly requesting = new Set<string>();
  /** Requests that a result follows: one that came before them is another's. */
  private readonly answered = new Set<LogEvent>();
  /** Results that came before their request. */
  protected readonly early = new Map<string, ResultEvent>();
  /** Stale results that a run advanced on: nobody can say that they are ignored. */
  protected readonly heeded = new Set<ResultEvent>();
  /** An event that may belong to any run could not be read. */
  protected isUnclear = false;

  constructor(
    events: readonly LogEvent[],
    protected readonly knownMaxSteps: (runId: string) => number | undefined,
  ) {
    for (const event of events) {
      const request = this.lastRequests.get(keyOf(event));
      if (event.kind === "request") {
        this.lastRequests.set(keyOf(event), event);
        this.requesting.add(event.runId?.text ?? "");
      } else if (event.kind === "result" && request !== undefined) this.answered.add(request);
    }
  }

  /** Nothing is claimed of what the event may have been part of. */
  protected meetUnclear(event: LogEvent): void {
    const id = event.runId?.text;
    if (id === undefined) {
      if (this.isUnclear) return;
      this.isUnclear = true;
      for (const run of this.runs) run.isUnclear = true;
    } else (this.byId.get(id) ?? this.begin(id, event)).isUnclear = true;
  }

  /** RFC-103 lets the event that a plugin emits stand for its result. */
  protected meetForeign(event: LogEvent): void {
    const run = this.byId.get(event.runId?.text ?? "");
    if (run?.pending === undefined || !isCorrelated(event) || !tellsOutcome(event)) return;
    const { step, tool } = run.pending;
    if (event.step.value === step.value && event.tool.text === tool.text) run.standIn ??= event;
  }

  /** The run goes on: what stands in for a result has been taken for it. */
  protected settle(run: RunTrail): void {
    const { pending, standIn } = run;
    if (pending !== undefined && standIn !== undefined) this.answers.push(run.answer(pending, standIn));
  }

  /** Keeps the table of an unclear run up to date, and says nothing. */
  protected follow(event: RequestEvent | ResultEvent | EndEvent): void {
    const id = event.runId.text;
    const run = this.byId.get(id) ?? this.begin(id, event);
    run.isUnclear = true;
    run.last = event;
    if (event.kind === "request") run.take(event);
    else if (event.kind === "result") run.stepNumbered(event.step.value)?.results.push(event);
    else run.end ??= event;
  }

  protected begin(id: string, first: LogEvent): RunTrail {
    const run = this.trail(id, first);
    this.runs.push(run);
    return run;
  }

  /** The trail of a run, whether or not it began in the log. */
  protected trail(id: string, first: LogEvent): RunTrail {
    const run = new RunTrail(id, first, this.starts.claim(id));
    this.byId.set(id, run);
    return run;
  }

  /** The loop acts: whether that breaks a duty to escalate, which then explains everything else. */
  protected goesOn(event: Deed, run: RunTrail): boolean {
    const { violation, spent, lastRequest: last } = run;
    const maxSteps = this.maxSteps(run);
    if (
      spent !== undefined &&
      maxSteps !== undefined &&
      !(event.kind === "request" && event.step.value === spent.step.value) &&
      !run.isOverrun
    ) {
      run.isOverrun = true;
      this.remarks.push({ kind: "over-budget", request: spent, next: event, maxSteps });
    }
    if (violation === undefined || last === undefined) return false;
    this.remarks.push({ kind: "not-escalated", result: violation, last, next: event });
    run.letGo();
    return true;
  }

  protected take(request: RequestEvent, run: RunTrail): void {
    run.take(request);
    const maxSteps = this.maxSteps(run);
    if (maxSteps !== undefined && request.step.value >= maxSteps) {
      run.spent = request;
      // The step that reached the budget was left out, from the run or from the log.
      if (request.step.value > maxSteps && !run.isOverrun) {
        run.isOverrun = true;
        this.remarks.push({ kind: "over-budget", request, next: undefined, maxSteps });
      }
    }
    const early = this.early.get(keyOf(request));
    this.early.delete(keyOf(request));
    if (early === undefined || this.answered.has(request)) return;
    if (early.tool.text === request.tool.text) run.answer(request, early);
  }

  /** The step budget; the largest of those that may be the run's. */
  protected maxSteps({ id, starts }: RunTrail): number | undefined {
    const known = this.knownMaxSteps(id);
    if (starts?.length === 0) return known;
    let most: number | undefined;
    for (const { maxSteps } of starts ?? []) {
      const own = maxSteps?.value ?? known;
      if (own === undefined) return undefined;
      most = Math.max(most ?? 0, own);
    }
    return most;
  }

  /** Whether the request comes only after its result. */
  protected isEarly(result: ResultEvent): boolean {
    const key = keyOf(result);
    const request = this.lastRequests.get(key);
    if (request === undefined || request.index < result.index) return false;
    this.early.set(key, result);
    this.remarks.push({ kind: "early-result", result, request });
    return true;
  }
}

function keyOf(event: LogEvent): string {
  return `${event.step?.value ?? 0} ${event.runId?.text ?? ""}`;
}
