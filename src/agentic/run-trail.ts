import {
  isCorrelated,
  tellsOutcome,
  type Correlated,
  type EndEvent,
  type LogEvent,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
} from "./log-event.js";

/** One step of a run, as the log shows it. */
export interface StepTrail {
  readonly step: number;
  /** The first request and its retries. */
  readonly requests: RequestEvent[];
  /** The results that were taken for answers, and what stood in for them. */
  readonly results: Correlated[];
}

/** A request and the result that answers it. */
export interface Answer {
  readonly request: RequestEvent;
  readonly result: Correlated;
}

/** What is known of a run at some point of the log. */
export class RunTrail {
  readonly steps: StepTrail[] = [];
  /** The request that waits for its result. */
  pending: RequestEvent | undefined;
  /** An event of something else that carries what is waited for: a result in all but name. */
  standIn: Correlated | undefined;
  /** An `error` result that the loop has not yet reacted to. */
  failed: Correlated | undefined;
  /** A result after which only an escalation may follow. */
  violation: ResultEvent | undefined;
  /** The last result that was to be ignored since one counted. */
  ignored: ResultEvent | undefined;
  readonly maxSteps: number | undefined;
  /** A request that used up the step budget. */
  spent: RequestEvent | undefined;
  end: EndEvent | undefined;
  last: LogEvent;
  /** An event of the run could not be read: nothing after it is claimed. */
  isUnclear = false;
  /** It took the name of a run that was still open: which of the two an event belongs to is not known. */
  isMixed = false;
  private readonly byStep = new Map<number, StepTrail>();

  constructor(
    readonly id: string,
    first: LogEvent,
    /** The starts that may have begun it; absent where they could be any. */
    readonly starts: readonly StartEvent[] | undefined,
    knownMaxSteps: number | undefined,
  ) {
    this.last = first;
    this.maxSteps = stepBudget(starts, knownMaxSteps);
  }

  get lastStep(): StepTrail | undefined {
    return this.steps.at(-1);
  }

  get lastRequest(): RequestEvent | undefined {
    return this.lastStep?.requests.at(-1);
  }

  stepNumbered(step: number): StepTrail | undefined {
    return this.byStep.get(step);
  }

  /** Whether this last request of its step has led to an `ok` result. */
  isDone(request: RequestEvent): boolean {
    const result = this.stepNumbered(request.step.value)?.results.at(-1);
    return result !== undefined && result.index > request.index && result.isOk;
  }

  take(request: RequestEvent): void {
    const step = request.step.value;
    let trail = this.byStep.get(step);
    if (trail === undefined) {
      trail = { step, requests: [], results: [] };
      this.byStep.set(step, trail);
      this.steps.push(trail);
    }
    trail.requests.push(request);
    if (step >= (this.maxSteps ?? Infinity)) this.spent = request;
    this.pending = request;
    this.standIn = undefined;
    this.failed = undefined;
  }

  answer(request: RequestEvent, result: Correlated): Answer {
    this.stepNumbered(request.step.value)?.results.push(result);
    this.pending = undefined;
    this.standIn = undefined;
    this.ignored = undefined;
    this.failed = result.isOk ? undefined : result;
    return { request, result };
  }

  /** RFC-103 lets the event that a plugin emits stand for its result. */
  hear(foreign: LogEvent): void {
    if (this.pending === undefined || !isCorrelated(foreign) || !tellsOutcome(foreign)) return;
    const { step, tool } = this.pending;
    if (foreign.step.value === step.value && foreign.tool.text === tool.text) this.standIn ??= foreign;
  }

  /** Lets go of what was waited for: the loop has gone on regardless, which has been said. */
  letGo(): void {
    this.pending = undefined;
    this.standIn = undefined;
    this.failed = undefined;
    this.violation = undefined;
    this.ignored = undefined;
  }
}

/** The largest of those that may be the run's. */
function stepBudget(
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
