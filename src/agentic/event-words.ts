import type { Text, Whole } from "../document/spelled-values.js";
import type { Deed } from "./remark.js";

/** How an event is spoken of. */
export function quotedRun({ runId }: { readonly runId: Text }): string {
  return `"${runId.text}"`;
}

export function quotedTool({ tool }: { readonly tool: Text }): string {
  return `"${tool.text}"`;
}

export function stepOf({ step }: { readonly step: Whole }): number {
  return step.value;
}

/** What the loop does. */
export function deedOf(event: Deed): string {
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
export function deedAfter(event: Deed, earlier: { readonly step: Whole }): string {
  const again = event.kind === "request" && stepOf(event) === stepOf(earlier);
  return again ? `${deedOf(event)} of ${quotedTool(event)}` : deedOf(event);
}
