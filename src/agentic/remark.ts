import type { LogEvent } from "./log-event.js";
import type { RunTrail } from "./run-trail.js";

/** What was seen while a log was walked through. Each kind is one rule's to report. */
export type Remark =
  | { readonly kind: "first-step"; readonly request: LogEvent }
  | { readonly kind: "step-back"; readonly request: LogEvent; readonly after: LogEvent }
  | { readonly kind: "gap"; readonly request: LogEvent; readonly after: LogEvent }
  | { readonly kind: "reused"; readonly request: LogEvent; readonly first: LogEvent }
  | { readonly kind: "early-result"; readonly result: LogEvent; readonly request: LogEvent }
  | { readonly kind: "pending"; readonly event: LogEvent; readonly request: LogEvent }
  | {
      readonly kind: "double-advance";
      readonly request: LogEvent;
      readonly pending: LogEvent;
      readonly ignored: LogEvent;
    }
  | { readonly kind: "unknown-run"; readonly result: LogEvent }
  | { readonly kind: "late-result"; readonly result: LogEvent; readonly end: LogEvent }
  | { readonly kind: "stale-result"; readonly result: LogEvent; readonly last: LogEvent }
  /** `next` is what the loop did instead; nothing where the log ends. */
  | {
      readonly kind: "not-escalated";
      readonly result: LogEvent;
      readonly last: LogEvent;
      readonly next: LogEvent | undefined;
    }
  | { readonly kind: "after-error"; readonly event: LogEvent; readonly error: LogEvent }
  | { readonly kind: "duplicate"; readonly event: LogEvent; readonly first: LogEvent }
  | { readonly kind: "after-end"; readonly event: LogEvent; readonly end: LogEvent }
  | {
      readonly kind: "over-budget";
      readonly request: LogEvent;
      readonly next: LogEvent;
      readonly maxSteps: number;
    }
  | { readonly kind: "unanswered-start"; readonly start: LogEvent }
  | { readonly kind: "open"; readonly run: RunTrail };

export type RemarkKind = Remark["kind"];
export type RemarkOf<K extends RemarkKind> = Extract<Remark, { readonly kind: K }>;
