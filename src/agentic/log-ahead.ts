import type { LogEvent, RequestEvent, ResultEvent } from "./log-event.js";

/** What the whole log says about a result whose request comes only after it. */
export class LogLookahead {
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
