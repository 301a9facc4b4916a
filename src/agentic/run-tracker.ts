import { getOrCreate } from "../text/collections.js";
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

/** The runs that a log has shown so far, and the starts that may still lead to one. */
export class RunTracker {
  /** In the order in which they began. */
  readonly runs: LoggedRun[] = [];
  readonly starts = new StartQueue();
  /** An event that may belong to any run could not be read. */
  isUnclear = false;
  private readonly byId = new Map<string, LoggedRun>();

  /** `maxSteps` is what is known besides the log. */
  constructor(private readonly maxSteps: (runId: string) => number | undefined) {}

  /** The last run of this name. */
  get(id: string): LoggedRun | undefined {
    return this.byId.get(id);
  }

  begin(id: string, first: LogEvent): LoggedRun {
    const run = this.track(id, first);
    this.runs.push(run);
    return run;
  }

  /** The trail of a run, whether or not it began in the log. */
  track(id: string, first: LogEvent): LoggedRun {
    const run = new LoggedRun(id, first, this.starts.claim(id), this.maxSteps(id));
    this.byId.set(id, run);
    return run;
  }

  /** Nothing is claimed of what the event may have been part of. */
  trackUnreadable(event: LogEvent): void {
    const id = event.runId?.text;
    if (id === undefined) {
      if (this.isUnclear) return;
      this.isUnclear = true;
      for (const run of this.runs) run.isUnclear = true;
    } else (this.get(id) ?? this.begin(id, event)).isUnclear = true;
  }

  /** Keeps the trail of an unclear run up to date, and says nothing. */
  trackUnclear(event: RequestEvent | ResultEvent | EndEvent): void {
    const id = event.runId.text;
    const run = this.get(id) ?? this.begin(id, event);
    run.isUnclear = true;
    run.last = event;
    if (event.kind === "request") run.addRequest(event);
    else if (event.kind === "result") run.stepNumbered(event.step.value)?.results.push(event);
    else run.end ??= event;
  }
}

/** One step of a run, as the log shows it. */
export interface LoggedStep {
  readonly step: number;
  /** The first request and its retries. */
  readonly requests: RequestEvent[];
  /** The results that were taken for answers, and what stood in for them. */
  readonly results: CorrelatedEvent[];
}

/** A request and the result that answers it. */
export interface Answer {
  readonly request: RequestEvent;
  readonly result: CorrelatedEvent;
}

/** What is known of a run at some point of the log. */
export class LoggedRun {
  readonly steps: LoggedStep[] = [];
  /** The request that waits for its result. */
  pending: RequestEvent | undefined;
  /** An event of something else that carries what is waited for: a result in all but name. */
  substitute: CorrelatedEvent | undefined;
  /** An `error` result that the loop has not yet reacted to. */
  failed: CorrelatedEvent | undefined;
  /** A result after which only an escalation may follow. */
  mismatch: ResultEvent | undefined;
  /** The last result that was to be ignored since one counted. */
  ignored: ResultEvent | undefined;
  readonly maxSteps: number | undefined;
  /** A request that used up the step budget. */
  budgetReachedBy: RequestEvent | undefined;
  end: EndEvent | undefined;
  last: LogEvent;
  /** An event of the run could not be read: nothing after it is claimed. */
  isUnclear = false;
  /** It took the name of a run that was still open: which of the two an event belongs to is not known. */
  sharesId = false;
  private readonly byStep = new Map<number, LoggedStep>();

  constructor(
    readonly id: string,
    first: LogEvent,
    /** The starts that may have begun it; absent where they could be any. */
    readonly starts: readonly StartEvent[] | undefined,
    knownMaxSteps: number | undefined,
  ) {
    this.last = first;
    this.maxSteps = largestStepBudget(starts, knownMaxSteps);
  }

  get lastStep(): LoggedStep | undefined {
    return this.steps.at(-1);
  }

  get lastRequest(): RequestEvent | undefined {
    return this.lastStep?.requests.at(-1);
  }

  stepNumbered(step: number): LoggedStep | undefined {
    return this.byStep.get(step);
  }

  /** Whether this last request of its step has led to an `ok` result. */
  hasSucceeded(request: RequestEvent): boolean {
    const result = this.stepNumbered(request.step.value)?.results.at(-1);
    return result !== undefined && result.index > request.index && result.isOk;
  }

  addRequest(request: RequestEvent): void {
    const step = request.step.value;
    let trail = this.byStep.get(step);
    if (trail === undefined) {
      trail = { step, requests: [], results: [] };
      this.byStep.set(step, trail);
      this.steps.push(trail);
    }
    trail.requests.push(request);
    if (step >= (this.maxSteps ?? Infinity)) this.budgetReachedBy = request;
    this.pending = request;
    this.substitute = undefined;
    this.failed = undefined;
  }

  addResult(request: RequestEvent, result: CorrelatedEvent): Answer {
    this.stepNumbered(request.step.value)?.results.push(result);
    this.pending = undefined;
    this.substitute = undefined;
    this.ignored = undefined;
    this.failed = result.isOk ? undefined : result;
    return { request, result };
  }

  /** RFC-103 lets the event that a plugin emits stand for its result. */
  noteSubstitute(foreign: LogEvent): void {
    if (this.pending === undefined || !isCorrelated(foreign) || !hasOutcome(foreign)) return;
    const { step, tool } = this.pending;
    if (foreign.step.value === step.value && foreign.tool.text === tool.text) this.substitute ??= foreign;
  }

  /** Lets go of what was waited for: the loop has gone on regardless, which has been said. */
  clearPending(): void {
    this.pending = undefined;
    this.substitute = undefined;
    this.failed = undefined;
    this.mismatch = undefined;
    this.ignored = undefined;
  }
}

/** The largest of those that may be the run's. */
function largestStepBudget(
  starts: readonly StartEvent[] | undefined,
  known: number | undefined,
): number | undefined {
  if (starts?.length === 0) return known;
  let most: number | undefined;
  for (const { maxSteps } of starts ?? []) {
    const own = maxSteps?.value ?? known;
    if (own === undefined) return undefined;
    most = Math.max(most ?? 0, own);
  }
  return most;
}

/** More starts than this waiting at once could be anybody's. */
const maxWaiting = 16;

/**
 * The starts that may still be answered. Most name no run. Where several wait, a new run answers any of them, and those
 * that it may have answered stay in question for the next ones, until there are as many runs as starts.
 */
class StartQueue {
  private readonly byKey = new Map<string, StartEvent>();
  private readonly named = new Map<string, StartEvent[]>();
  /** Those that name no run; from `first` on they are in question, and runs have claimed so many of these. */
  private readonly unnamed: StartEvent[] = [];
  private first = 0;
  private claimed = 0;

  /** The earlier start that has the same dedupe key, if there is one: then this is the same start again. */
  add(start: StartEvent): StartEvent | undefined {
    const key = start.dedupeKey?.text;
    const earlier = key === undefined ? undefined : this.byKey.get(key);
    if (earlier !== undefined) return earlier;
    if (key !== undefined) this.byKey.set(key, start);
    this.listFor(start).push(start);
    return undefined;
  }

  /** Whether a start waits that may have asked for a run of this name. */
  mayStart(runId: string): boolean {
    return (this.named.get(runId)?.length ?? 0) > 0 || this.waiting > 0;
  }

  /** A new run begins: the starts that may have asked for it; nothing where they could be any. */
  claim(runId: string): readonly StartEvent[] | undefined {
    const own = this.named.get(runId)?.shift();
    if (own !== undefined) return [own];
    if (this.waiting === 0) return [];
    // The dispatcher is first in, first out: where too many are in question, those were the oldest.
    if (this.unnamed.length - this.first > maxWaiting) {
      this.first += this.claimed;
      this.claimed = 0;
    }
    const candidates = this.unnamed.slice(this.first, this.first + maxWaiting + 1);
    this.claimed++;
    if (this.waiting === 0) {
      this.first = this.unnamed.length;
      this.claimed = 0;
    }
    return candidates.length > maxWaiting ? undefined : candidates;
  }

  unanswered(): readonly StartEvent[] {
    const named = [...this.named.values()].flat();
    return [...named, ...this.unnamed.slice(this.first + this.claimed)];
  }

  private listFor({ runId }: StartEvent): StartEvent[] {
    if (runId === undefined) return this.unnamed;
    return getOrCreate(this.named, runId.text, () => []);
  }

  private get waiting(): number {
    return this.unnamed.length - this.first - this.claimed;
  }
}
