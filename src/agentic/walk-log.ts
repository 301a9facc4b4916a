import {
  isClear,
  type EndEvent,
  type LogEvent,
  type RequestEvent,
  type ResultEvent,
  type StartEvent,
} from "./log-event.js";
import type { RunTrail } from "./run-trail.js";
import { Walking, type Walked } from "./walking.js";

/** Walks through a log once, as the loop of RFC-103 would have lived it. `maxSteps` is what is known besides the log. */
export function walkLog(
  events: readonly LogEvent[],
  maxSteps: (runId: string) => number | undefined,
): Walked {
  const walk = new Walk(events, maxSteps);
  for (const event of events) walk.meet(event);
  walk.finish();
  return walk;
}

class Walk extends Walking {
  /** Two runs have gone by one name at the same time. */
  private hasMixed = false;

  meet(event: LogEvent): void {
    if (event.isForeign) return this.meetForeign(event);
    if (!isClear(event)) return this.meetUnclear(event);
    if (event.kind === "start" || event.kind === "trigger") return this.start(event);
    const id = event.runId.text;
    const run = this.byId.get(id);
    if (run?.isUnclear === true || (run === undefined && this.isUnclear)) return this.follow(event);
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
    const now = this.byId.get(id);
    if (now !== undefined) now.last = event;
  }

  /** What the log leaves open. */
  finish(): void {
    this.remarks = this.remarks.filter(
      (remark) => remark.kind !== "stale-result" || !this.heeded.has(remark.result),
    );
    for (const run of this.runs) {
      if (run.isUnclear) continue;
      const last = run.lastRequest;
      // A run whose name another took may have gone on under it.
      const isOpen = run.end === undefined && this.byId.get(run.id) === run;
      if (run.violation !== undefined && last !== undefined) {
        this.remarks.push({ kind: "not-escalated", result: run.violation, last, next: undefined });
      } else if (isOpen) this.remarks.push({ kind: "open", run });
    }
    if (this.isUnclear) return;
    for (const start of this.starts.unanswered()) this.remarks.push({ kind: "unanswered-start", start });
  }

  private start(event: StartEvent): void {
    const first = this.starts.add(event);
    if (first !== undefined) this.remarks.push({ kind: "duplicate", event, first });
  }

  private request(event: RequestEvent, run: RunTrail | undefined): void {
    const step = event.step.value;
    const last = run?.lastRequest;
    if (run === undefined || last === undefined) {
      if (run?.end !== undefined) {
        this.remarks.push({ kind: "after-end", event, end: run.end });
        return;
      }
      if (step !== 1) this.remarks.push({ kind: "first-step", request: event });
      this.take(event, run ?? this.begin(event.runId.text, event));
      return;
    }
    if (run.standIn?.isOk === false) this.settle(run);
    const earlier = run.stepNumbered(step)?.requests.at(-1);
    if (earlier !== undefined) this.requestAgain(event, run, earlier);
    else if (run.end !== undefined) this.remarks.push({ kind: "after-end", event, end: run.end });
    else {
      this.settle(run);
      if (!this.goesOn(event, run)) this.judgeStep(event, run, last);
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
      if (!this.goesOn(event, run) && !isSame)
        this.remarks.push({ kind: "after-error", event, error: failed });
      return this.take(event, run);
    }
    const isTwice = event.source === earlier.source;
    const isAlike = event.tool.text === earlier.tool.text && event.type?.text === earlier.type?.text;
    const mayBeNewRun = step === 1 && this.starts.mayBegin(run.id);
    // Once step 1 has its result, only the very same line is no second run.
    const isAgain =
      run.pending === earlier
        ? !mayBeNewRun
        : step !== 1 && repeatsKey(event, earlier) && run.isDone(earlier);
    const isDuplicate = run.end === undefined ? isTwice || (isAlike && isAgain) : isTwice && !mayBeNewRun;
    if (isDuplicate) this.remarks.push({ kind: "duplicate", event, first: earlier });
    else if (step === 1) {
      this.remarks.push({ kind: "reused", request: event, first: earlier });
      const next = this.begin(run.id, event);
      next.isMixed = run.end === undefined || run.isMixed;
      this.hasMixed ||= next.isMixed;
      this.take(event, next);
    } else if (run.end !== undefined) this.remarks.push({ kind: "after-end", event, end: run.end });
    else {
      this.remarks.push(
        run.pending === earlier
          ? { kind: "pending", event, request: earlier }
          : { kind: "step-back", request: event, after: run.lastRequest ?? earlier },
      );
      this.take(event, run);
    }
  }

  private judgeStep(event: RequestEvent, run: RunTrail, last: RequestEvent): void {
    const { pending, ignored, failed } = run;
    const [step, before] = [event.step.value, last.step.value];
    if (step < before) this.remarks.push({ kind: "step-back", request: event, after: last });
    else if (pending !== undefined && ignored !== undefined) {
      this.remarks.push({ kind: "double-advance", request: event, pending, ignored });
      this.heeded.add(ignored);
    } else if (pending !== undefined) this.remarks.push({ kind: "pending", event, request: pending });
    else if (failed !== undefined) this.remarks.push({ kind: "after-error", event, error: failed });
    else if (step > before + 1) this.remarks.push({ kind: "gap", request: event, after: last });
  }

  /** In the order of RFC-103: unknown run, ended run, old step, step ahead or wrong tool, status. */
  private result(result: ResultEvent, run: RunTrail | undefined): void {
    if (run === undefined) {
      if (!this.isEarly(result)) this.remarks.push({ kind: "unknown-run", event: result });
      return;
    }
    const { end, pending, lastRequest: last } = run;
    if (end !== undefined) {
      this.remarks.push({ kind: "late-result", result, end });
    } else if (pending !== undefined && result.step.value === pending.step.value) {
      if (result.tool.text === pending.tool.text) this.answers.push(run.answer(pending, result));
      else run.violation ??= result;
    } else if (last !== undefined && result.step.value <= last.step.value) {
      run.ignored = result;
      this.remarks.push({ kind: "stale-result", result, last });
    } else if (!this.isEarly(result)) run.violation ??= result;
  }

  private ending(event: EndEvent, known: RunTrail | undefined): void {
    const id = event.runId.text;
    // A run that uses no tool is first named by its end; a run_id taken twice may have claimed its start.
    const mayHaveBegun = this.hasMixed || this.starts.mayBegin(id) || this.requesting.has(id);
    const isUnknown = known === undefined && !mayHaveBegun;
    if (isUnknown) this.remarks.push({ kind: "unknown-run", event });
    const run = known ?? (isUnknown ? this.trail(id, event) : this.begin(id, event));
    const { end } = run;
    if (end !== undefined) {
      // RFC-103 lets a run end once; only a key that is to be dropped tells that this is the same end again.
      const isTwice = event.dedupeKey !== undefined && event.source === end.source;
      this.remarks.push(
        isTwice ? { kind: "duplicate", event, first: end } : { kind: "after-end", event, end },
      );
      return;
    }
    this.settle(run);
    if (event.kind === "completed" && !this.goesOn(event, run)) {
      const { pending, failed } = run;
      if (pending !== undefined) this.remarks.push({ kind: "pending", event, request: pending });
      else if (failed !== undefined) this.remarks.push({ kind: "after-error", event, error: failed });
    }
    run.letGo();
    run.end = event;
  }
}

function repeatsKey(event: RequestEvent, earlier: RequestEvent): boolean {
  return event.dedupeKey !== undefined && event.dedupeKey.text === earlier.dedupeKey?.text;
}
