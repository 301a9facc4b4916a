import type { LocatedCount, LocatedString } from "../document/node.js";
import type {
  CorrelatedEvent,
  EndEvent,
  LogEvent,
  RequestEvent,
  ResultEvent,
  StartEvent,
} from "./log-event.js";
import type { LoggedRun } from "./run-tracker.js";

/** What the loop does for a run. */
export type Action = RequestEvent | EndEvent;

/** What was seen while a log was walked through. Each kind is one rule's to report. */
export type Violation =
  | { readonly kind: "first-step"; readonly request: RequestEvent }
  | { readonly kind: "step-back"; readonly request: RequestEvent; readonly after: RequestEvent }
  | { readonly kind: "gap"; readonly request: RequestEvent; readonly after: RequestEvent }
  | { readonly kind: "reused"; readonly request: RequestEvent; readonly first: RequestEvent }
  | { readonly kind: "early-result"; readonly result: ResultEvent; readonly request: LogEvent }
  | { readonly kind: "pending"; readonly event: Action; readonly request: RequestEvent }
  | {
      readonly kind: "double-advance";
      readonly request: RequestEvent;
      readonly pending: RequestEvent;
      readonly ignored: ResultEvent;
    }
  | { readonly kind: "unknown-run"; readonly event: ResultEvent | EndEvent }
  | { readonly kind: "late-result"; readonly result: ResultEvent; readonly end: EndEvent }
  | { readonly kind: "stale-result"; readonly result: ResultEvent; readonly last: RequestEvent }
  /** `next` is what the loop did instead; nothing where the log ends. */
  | {
      readonly kind: "not-escalated";
      readonly result: ResultEvent;
      readonly last: RequestEvent;
      readonly next: Action | undefined;
    }
  | { readonly kind: "after-error"; readonly event: Action; readonly error: CorrelatedEvent }
  | { readonly kind: "duplicate"; readonly event: StartEvent | Action; readonly first: StartEvent | Action }
  | { readonly kind: "after-end"; readonly event: Action; readonly end: EndEvent }
  /** `next` is what the loop did instead of escalating; nothing where the request itself is beyond the budget. */
  | {
      readonly kind: "over-budget";
      readonly request: RequestEvent;
      readonly next: Action | undefined;
      readonly maxSteps: number;
    }
  | { readonly kind: "unanswered-start"; readonly start: StartEvent }
  | { readonly kind: "open"; readonly run: LoggedRun };

export type ViolationKind = Violation["kind"];
export type ViolationOf<K extends ViolationKind> = Extract<Violation, { readonly kind: K }>;

/** How an event is spoken of. */
export function quotedRun({ runId }: { readonly runId: LocatedString }): string {
  return `"${runId.text}"`;
}

export function quotedTool({ tool }: { readonly tool: LocatedString }): string {
  return `"${tool.text}"`;
}

export function stepOf({ step }: { readonly step: LocatedCount }): number {
  return step.value;
}

/** What the loop does. */
export function describeAction(event: Action): string {
  switch (event.kind) {
    case "request":
      return `requests step ${stepOf(event)}`;
    case "completed":
      return "completes";
    case "escalated":
      return "escalates";
  }
}

/** The same; where it is a step that was asked for before, with its tool. */
export function describeActionAfter(event: Action, earlier: { readonly step: LocatedCount }): string {
  const again = event.kind === "request" && stepOf(event) === stepOf(earlier);
  return again ? `${describeAction(event)} of ${quotedTool(event)}` : describeAction(event);
}
