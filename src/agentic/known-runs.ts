import type { EndEvent, LogEvent, RequestEvent, ResultEvent } from "./log-event.js";
import { LoggedRun } from "./run-trail.js";
import { StartQueue } from "./start-queue.js";

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
