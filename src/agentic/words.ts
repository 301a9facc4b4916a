import type { LogEvent } from "./log-event.js";

/** How an event is spoken of. */
export function idOf(event: LogEvent): string {
  return `"${event.runId?.text ?? ""}"`;
}

export function toolOf(event: LogEvent): string {
  return `"${event.tool?.text ?? ""}"`;
}

export function stepOf(event: LogEvent): number {
  return event.step?.value ?? 0;
}

/** What the loop does with an event of its own. */
export function deedOf(event: LogEvent): string {
  switch (event.kind) {
    case "request":
      return `requests step ${stepOf(event)}`;
    case "completed":
      return "completes";
    case "escalated":
      return "escalates";
    default:
      return "goes on";
  }
}
