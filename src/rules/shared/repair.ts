import type { Fix } from "../../diagnostic.js";
import type { Edits } from "../../document/edit-ground.js";

/** The part of a finding that holds its repair, where there is one. */
export interface Repair {
  readonly fix?: Fix;
}

/** A repair that is certain to be meant. */
export function certainRepair(description: string, edits: Edits): Repair {
  return edits === undefined ? {} : { fix: { description, edits } };
}

/** A repair that is likely to be meant. */
export function likelyRepair(description: string, edits: Edits): Repair {
  return edits === undefined ? {} : { fix: { description, unsafe: true, edits } };
}
