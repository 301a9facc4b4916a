import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { lastingPointer } from "../../document/lasting-pointer.js";

/** The pointers by which findings are known again in the next run. */
export function lastingPointers(
  root: Document["root"],
  found: readonly Diagnostic[],
): ReadonlyMap<Diagnostic, string> {
  return new Map(found.map((each) => [each, lastingPointer(root, each.pointer)]));
}
