import type { Pack } from "../../pack/pack.js";
import { UsageError } from "../terminal/usage-error.js";
import type { OpenedPack } from "./open-pack.js";

/** What a pack lacks in which no workflow could be opened. */
export function missingWorkflowReason({ workflow }: Pack): string {
  return workflow === undefined ? "the pack has no workflow" : "the workflow has no states";
}

/** Nothing can be `done` with a pack without states. */
export function noStatesError({ file, pack }: OpenedPack, done: string): UsageError {
  return new UsageError(`"${file}" cannot be ${done}: ${missingWorkflowReason(pack)}.`);
}
