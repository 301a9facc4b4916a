import {
  isCorrelated,
  hasOutcome,
  type CorrelatedEvent,
  type EndEvent,
  type LogEvent,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
} from "./log-event.js";

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
