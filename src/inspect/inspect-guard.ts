import type { State } from "../pack/workflow.js";
import type { GuardInspection } from "./inspection.js";

export function inspectGuard({ maxVisits, onMaxVisits, unclear }: State): GuardInspection {
  const parts = ["state", "max_visits", "on_max_visits"] as const;
  return {
    maxVisits: maxVisits?.value ?? null,
    onMaxVisits: onMaxVisits?.text ?? null,
    guardClear: !parts.some((part) => unclear.has(part)),
  };
}
