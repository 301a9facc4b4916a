import type { LocatedString, LocatedCount } from "../document/spelled-values.js";
import type { Action } from "./remark.js";

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
