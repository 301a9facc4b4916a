import type { State } from "../pack/workflow.js";
import type { GuardInspection } from "./inspection.js";

export function inspectGuard({ maxVisits, onMaxVisits, isUnclear }: State): GuardInspection {
  return {
    maxVisits: maxVisits?.value ?? null,
    onMaxVisits: onMaxVisits?.text ?? null,
    guardClear: !isUnclear,
  };
}
