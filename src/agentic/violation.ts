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

/** An event by which the loop advances or ends a run. */
export type Action = RequestEvent | EndEvent;

interface ViolationFields {
  "first-step": { request: RequestEvent };
  "step-back": { request: RequestEvent; after: RequestEvent };
  gap: { request: RequestEvent; after: RequestEvent };
  reused: { request: RequestEvent; first: RequestEvent };
  /** `last` is the last request of a run that has begun, and waits for nothing. */
  "early-result": { result: ResultEvent; request: LogEvent; last: RequestEvent | undefined };
  pending: { event: Action; request: RequestEvent };
  "double-advance": { request: RequestEvent; pending: RequestEvent; ignored: ResultEvent };
  "unknown-run": { event: ResultEvent | EndEvent };
  "late-result": { result: ResultEvent; end: EndEvent };
  "stale-result": { result: ResultEvent; last: RequestEvent };
  /** `next` is what the loop did instead; absent at the end of the log. */
  "not-escalated": { result: ResultEvent; last: RequestEvent; next: Action | undefined };
  "after-error": { event: Action; error: CorrelatedEvent };
  duplicate: { event: StartEvent | Action; first: StartEvent | Action };
  "after-end": { event: Action; end: EndEvent };
  /** `next` is what the loop did instead of escalating; absent where the request itself is beyond the budget. */
  "over-budget": { request: RequestEvent; next: Action | undefined; maxSteps: number };
  "unanswered-start": { start: StartEvent };
  open: { run: LoggedRun };
}

export type ViolationKind = keyof ViolationFields;
/** A violation of the protocol. Each kind is reported by one rule. */
export type Violation = {
  [K in ViolationKind]: { readonly kind: K } & Readonly<ViolationFields[K]>;
}[ViolationKind];
export type ViolationOf<K extends ViolationKind> = Extract<Violation, { readonly kind: K }>;

export function quotedRun({ runId }: { readonly runId: LocatedString }): string {
  return `"${runId.text}"`;
}

export function quotedTool({ tool }: { readonly tool: LocatedString }): string {
  return `"${tool.text}"`;
}

export function stepOf({ step }: { readonly step: LocatedCount }): number {
  return step.value;
}

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

/** Names the tool as well where the step was requested before. */
export function describeActionAfter(event: Action, earlier: { readonly step: LocatedCount }): string {
  const isAgain = event.kind === "request" && stepOf(event) === stepOf(earlier);
  return isAgain ? `${describeAction(event)} of ${quotedTool(event)}` : describeAction(event);
}
