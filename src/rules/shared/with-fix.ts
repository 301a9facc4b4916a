import type { Fix } from "../../diagnostic.js";
import type { Edits } from "../../document/edit/edit-ground.js";

/** The part of a finding that holds its fix, where there is one. */
export interface WithFix {
  readonly fix?: Fix;
}

/** A fix that is certain to be meant. */
export function safeFix(description: string, edits: Edits): WithFix {
  return edits === undefined ? {} : { fix: { description, edits } };
}

/** A fix that is likely to be meant. */
export function unsafeFix(description: string, edits: Edits): WithFix {
  return edits === undefined ? {} : { fix: { description, unsafe: true, edits } };
}
