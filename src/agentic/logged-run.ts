import { appendTo, getOrCreate } from "../text/collections.js";
import {
  type CorrelatedEvent,
  type EndEvent,
  hasOutcome,
  isCorrelated,
  type LogEvent,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
} from "./log-event.js";

export interface LoggedStep {
  readonly step: number;
  /** The first request and its retries. */
  readonly requests: RequestEvent[];
  /** Accepted results, and foreign events accepted in their place. */
  readonly results: CorrelatedEvent[];
}

export interface Answer {
  readonly request: RequestEvent;
  readonly result: CorrelatedEvent;
}

export class LoggedRun {
  readonly steps: LoggedStep[] = [];
  pending: RequestEvent | undefined;
  /** A foreign event with the fields of the missing result. */
  substitute: CorrelatedEvent | undefined;
  /** An `error` result that the loop has not yet reacted to. */
  failed: CorrelatedEvent | undefined;
  /** A result after which the run must escalate. */
  mismatch: ResultEvent | undefined;
  /** The latest stale result since the last accepted one. */
  ignored: ResultEvent | undefined;
  /** Infinity where it is not known. */
  readonly maxSteps: number;
  budgetReachedBy: RequestEvent | undefined;
  /** Whether its first step past the budget has been reported. */
  isOverBudget = false;
  end: EndEvent | undefined;
  /** Whether an event of the run could not be read, so that later ones are not checked. */
  isUnclear = false;
  /** Whether it took the id of an open run, so that later events could belong to either. */
  sharesId = false;
  last: LogEvent;
  readonly byStep = new Map<number, LoggedStep>();

  constructor(
    readonly id: string,
    readonly first: LogEvent,
    /** The starts that may have caused it; undefined where there are too many. */
    readonly starts: readonly StartEvent[] | undefined,
    knownMaxSteps: number | undefined,
  ) {
    this.maxSteps = largestMaxSteps(starts, knownMaxSteps);
    this.last = first;
  }

  get lastStep(): LoggedStep | undefined {
    return this.steps.at(-1);
  }

  get lastRequest(): RequestEvent | undefined {
    return this.lastStep?.requests.at(-1);
  }

  /** Whether the step of its latest request has an `ok` result. */
  hasSucceeded(request: RequestEvent): boolean {
    const result = this.byStep.get(request.step.value)?.results.at(-1);
    return result !== undefined && result.index > request.index && result.isOk;
  }

  addRequest(request: RequestEvent): void {
    const step = request.step.value;
    const logged = getOrCreate(this.byStep, step, () => {
      const created: LoggedStep = { step, requests: [], results: [] };
      this.steps.push(created);
      return created;
    });
    logged.requests.push(request);
    if (step >= this.maxSteps) this.budgetReachedBy = request;
    this.pending = request;
    this.substitute = undefined;
    this.failed = undefined;
  }

  addUnchecked(event: RequestEvent | ResultEvent | EndEvent): void {
    this.isUnclear = true;
    if (event.kind === "request") this.addRequest(event);
    else if (event.kind === "result") this.byStep.get(event.step.value)?.results.push(event);
    else this.end ??= event;
  }

  addResult(request: RequestEvent, result: CorrelatedEvent): Answer {
    this.byStep.get(request.step.value)?.results.push(result);
    this.pending = undefined;
    this.substitute = undefined;
    this.ignored = undefined;
    this.failed = result.isOk ? undefined : result;
    return { request, result };
  }

  /** RFC-103 accepts an event that a plugin emits as its result. */
  noteSubstitute(foreign: LogEvent): void {
    if (this.pending === undefined || !hasOutcome(foreign)) return;
    if (foreign.isUncorrelatedResult) this.substitute ??= foreign.answering(this.pending);
    if (!isCorrelated(foreign)) return;
    const { step, tool } = this.pending;
    if (foreign.step.value === step.value && foreign.tool.text === tool.text) this.substitute ??= foreign;
  }

  /** Forgets what was missing: the loop has continued, which has been reported. */
  clearPending(): void {
    this.pending = undefined;
    this.substitute = undefined;
    this.failed = undefined;
    this.mismatch = undefined;
    this.ignored = undefined;
  }
}

/** The largest budget that the run may have: no limit where one of its possible starts sets none. */
function largestMaxSteps(starts: readonly StartEvent[] | undefined, known = Infinity): number {
  if (starts === undefined) return Infinity;
  if (starts.length === 0) return known;
  return Math.max(0, ...starts.map(({ maxSteps }) => maxSteps?.value ?? known));
}

/** With more open starts than this, a run is not matched with any. */
const maxCandidates = 16;

/** Most starts name no run, so all open ones stay candidates for new runs until as many have begun. */
export class StartQueue {
  private readonly byKey = new Map<string, StartEvent>();
  private readonly waiting = new Map<string, StartEvent[]>();
  private readonly firstNamed = new Map<string, StartEvent>();
  /** Starts without a run id. Those from `first` on are candidates, and `claimed` runs have begun since. */
  private readonly unnamed: StartEvent[] = [];
  private first = 0;
  private claimed = 0;

  /** Returns the earlier start with the same dedupe key, which makes this one a duplicate. */
  add(start: StartEvent): StartEvent | undefined {
    const key = start.dedupeKey?.text;
    const earlier = key === undefined ? undefined : this.byKey.get(key);
    if (earlier !== undefined) return earlier;
    if (key !== undefined) this.byKey.set(key, start);
    const id = start.runId?.text;
    if (id === undefined) this.unnamed.push(start);
    else {
      appendTo(this.waiting, id, start);
      if (!this.firstNamed.has(id)) this.firstNamed.set(id, start);
    }
    return undefined;
  }

  named(runId: string): StartEvent | undefined {
    return this.firstNamed.get(runId);
  }

  mayStart(runId: string): boolean {
    return (this.waiting.get(runId)?.length ?? 0) > 0 || this.openCount > 0;
  }

  /** Returns the starts that a new run may belong to; undefined where there are too many. */
  claim(runId: string): readonly StartEvent[] | undefined {
    const own = this.waiting.get(runId)?.shift();
    if (own !== undefined) return [own];
    if (this.openCount === 0) return [];
    // The dispatcher is first in, first out, so the oldest candidates were claimed first.
    if (this.unnamed.length - this.first > maxCandidates) {
      this.first += this.claimed;
      this.claimed = 0;
    }
    const candidates = this.unnamed.slice(this.first, this.first + maxCandidates + 1);
    this.claimed++;
    if (this.openCount === 0) {
      this.first = this.unnamed.length;
      this.claimed = 0;
    }
    return candidates.length > maxCandidates ? undefined : candidates;
  }

  unanswered(): readonly StartEvent[] {
    return [...[...this.waiting.values()].flat(), ...this.unnamed.slice(this.first + this.claimed)];
  }

  private get openCount(): number {
    return this.unnamed.length - this.first - this.claimed;
  }
}

/** Finds requests that come after their results. */
export class LogLookahead {
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
