import {
  isClear,
  type EndEvent,
  type LogEvent,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
} from "./log-event.js";
import {
  isSameAgain,
  judgeBeyond,
  judgeLeft,
  judgeRequest,
  judgeSpent,
  judgeUnfinished,
} from "./judge-deed.js";
import { KnownRuns } from "./known-runs.js";
import { LogAhead } from "./log-ahead.js";
import type { Deed, Remark } from "./remark.js";
import type { Answer, RunTrail } from "./run-trail.js";

export interface Walked {
  /** In the order in which they began. */
  readonly runs: readonly RunTrail[];
  readonly remarks: readonly Remark[];
  readonly answers: readonly Answer[];
}

/** Walks through a log once, as the loop of RFC-103 would have lived it. `maxSteps` is what is known besides the log. */
export function walkLog(
  events: readonly LogEvent[],
  maxSteps: (runId: string) => number | undefined,
): Walked {
  const walk = new Walk(events, maxSteps);
  for (const event of events) walk.meet(event);
  return walk.finish();
}

class Walk {
  private readonly known: KnownRuns;
  private readonly ahead: LogAhead;
  private readonly remarks: Remark[] = [];
  private readonly answers: Answer[] = [];
  private readonly overrun = new Set<RunTrail>();
  /** Two runs have gone by one name at the same time. */
  private hasMixed = false;

  constructor(events: readonly LogEvent[], maxSteps: (runId: string) => number | undefined) {
    this.known = new KnownRuns(maxSteps);
    this.ahead = new LogAhead(events);
  }

  meet(event: LogEvent): void {
    if (event.isForeign) return this.known.get(event.runId?.text ?? "")?.hear(event);
    if (!isClear(event)) return this.known.meetUnclear(event);
    if (event.kind === "start" || event.kind === "trigger") return this.start(event);
    const id = event.runId.text;
    const run = this.known.get(id);
    if (run?.isUnclear === true || (run === undefined && this.known.isUnclear))
      return this.known.follow(event);
    switch (event.kind) {
      case "request":
        this.request(event, run);
        break;
      case "result":
        this.result(event, run);
        break;
      case "completed":
      case "escalated":
        this.ending(event, run);
    }
    const now = this.known.get(id);
    if (now !== undefined) now.last = event;
  }

  /** What the log leaves open. */
  finish(): Walked {
    for (const run of this.known.runs) if (!run.isUnclear) this.say(judgeLeft(run, this.known.get(run.id)));
    if (!this.known.isUnclear) {
      for (const start of this.known.starts.unanswered()) this.say({ kind: "unanswered-start", start });
    }
    // A stale result that a run advanced on: nobody can say that it is ignored.
    const heeded = new Set(this.remarks.map((remark) => remark.kind === "double-advance" && remark.ignored));
    const remarks = this.remarks.filter(
      (remark) => remark.kind !== "stale-result" || !heeded.has(remark.result),
    );
    return { runs: this.known.runs, remarks, answers: this.answers };
  }

  private start(event: StartEvent): void {
    const first = this.known.starts.add(event);
    if (first !== undefined) this.say({ kind: "duplicate", event, first });
  }

  private request(event: RequestEvent, run: RunTrail | undefined): void {
    const step = event.step.value;
    const last = run?.lastRequest;
    if (run === undefined || last === undefined) {
      if (run?.end !== undefined) {
        this.say({ kind: "after-end", event, end: run.end });
        return;
      }
      if (step !== 1) this.say({ kind: "first-step", request: event });
      this.take(event, run ?? this.known.begin(event.runId.text, event));
      return;
    }
    if (run.standIn?.isOk === false) this.settle(run);
    const earlier = run.stepNumbered(step)?.requests.at(-1);
    if (earlier !== undefined) this.requestAgain(event, run, earlier);
    else if (run.end !== undefined) this.say({ kind: "after-end", event, end: run.end });
    else {
      this.settle(run);
      if (!this.goesOn(event, run)) this.say(judgeRequest(event, run, last));
      this.take(event, run);
    }
  }

  /** A step that was requested before: a retry, the same request twice, or a mistake. */
  private requestAgain(event: RequestEvent, run: RunTrail, earlier: RequestEvent): void {
    const step = event.step.value;
    const { failed } = run;
    if (run.end === undefined && failed?.step.value === step) {
      // RFC-103 issues the same request again; another tool is another request.
      const isSame = event.tool.text === earlier.tool.text;
      if (!this.goesOn(event, run) && !isSame) this.say({ kind: "after-error", event, error: failed });
      return this.take(event, run);
    }
    const mayBeNewRun = step === 1 && this.known.starts.mayBegin(run.id);
    if (isSameAgain(event, earlier, run, mayBeNewRun)) this.say({ kind: "duplicate", event, first: earlier });
    else if (step === 1) {
      this.say({ kind: "reused", request: event, first: earlier });
      const next = this.known.begin(run.id, event);
      next.isMixed = run.end === undefined || run.isMixed;
      this.hasMixed ||= next.isMixed;
      this.take(event, next);
    } else if (run.end !== undefined) this.say({ kind: "after-end", event, end: run.end });
    else {
      this.say(
        run.pending === earlier
          ? { kind: "pending", event, request: earlier }
          : { kind: "step-back", request: event, after: run.lastRequest ?? earlier },
      );
      this.take(event, run);
    }
  }

  /** In the order of RFC-103: unknown run, ended run, old step, step ahead or wrong tool, status. */
  private result(result: ResultEvent, run: RunTrail | undefined): void {
    if (run === undefined) {
      if (!this.isEarly(result)) this.say({ kind: "unknown-run", event: result });
      return;
    }
    const { end, pending, lastRequest: last } = run;
    if (end !== undefined) {
      this.say({ kind: "late-result", result, end });
    } else if (pending !== undefined && result.step.value === pending.step.value) {
      if (result.tool.text === pending.tool.text) this.answers.push(run.answer(pending, result));
      else run.violation ??= result;
    } else if (last !== undefined && result.step.value <= last.step.value) {
      run.ignored = result;
      this.say({ kind: "stale-result", result, last });
    } else if (!this.isEarly(result)) run.violation ??= result;
  }

  private ending(event: EndEvent, known: RunTrail | undefined): void {
    const id = event.runId.text;
    // A run that uses no tool is first named by its end; a run_id taken twice may have claimed its start.
    const mayHaveBegun = this.hasMixed || this.known.starts.mayBegin(id) || this.ahead.requestsAnything(id);
    const isUnknown = known === undefined && !mayHaveBegun;
    if (isUnknown) this.say({ kind: "unknown-run", event });
    const run = known ?? (isUnknown ? this.known.trail(id, event) : this.known.begin(id, event));
    const { end } = run;
    if (end !== undefined) {
      // RFC-103 lets a run end once; only a key that is to be dropped tells that this is the same end again.
      const isTwice = event.dedupeKey !== undefined && event.source === end.source;
      this.say(isTwice ? { kind: "duplicate", event, first: end } : { kind: "after-end", event, end });
      return;
    }
    this.settle(run);
    if (event.kind === "completed" && !this.goesOn(event, run)) this.say(judgeUnfinished(event, run));
    run.letGo();
    run.end = event;
  }

  /** The run goes on: what stands in for a result has been taken for it. */
  private settle(run: RunTrail): void {
    const { pending, standIn } = run;
    if (pending !== undefined && standIn !== undefined) this.answers.push(run.answer(pending, standIn));
  }

  /** The loop acts: whether that breaks a duty to escalate, which then explains everything else. */
  private goesOn(event: Deed, run: RunTrail): boolean {
    this.sayOverrun(judgeSpent(event, run), run);
    const { violation, lastRequest: last } = run;
    if (violation === undefined || last === undefined) return false;
    this.say({ kind: "not-escalated", result: violation, last, next: event });
    run.letGo();
    return true;
  }

  private take(request: RequestEvent, run: RunTrail): void {
    run.take(request);
    this.sayOverrun(judgeBeyond(request, run), run);
    const early = this.ahead.keptFor(request);
    if (early !== undefined) run.answer(request, early);
  }

  /** Whether the request comes only after its result. */
  private isEarly(result: ResultEvent): boolean {
    const request = this.ahead.keepFor(result);
    if (request !== undefined) this.say({ kind: "early-result", result, request });
    return request !== undefined;
  }

  /** That a run is over its budget is said once. */
  private sayOverrun(remark: Remark | undefined, run: RunTrail): void {
    if (remark === undefined || this.overrun.has(run)) return;
    this.overrun.add(run);
    this.say(remark);
  }

  private say(remark: Remark | undefined): void {
    if (remark !== undefined) this.remarks.push(remark);
  }
}
