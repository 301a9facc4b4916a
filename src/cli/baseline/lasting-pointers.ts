import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { earlyNames, lastingPointer } from "../../document/lasting-pointer.js";
import type { FileReport } from "../../reporters/report.js";

/** The pointers by which findings are known again in the next run, and by which earlier baselines know them. */
export function lastingPointers(
  root: Document["root"],
  found: readonly Diagnostic[],
): Pick<FileReport, "lastingPointers" | "earlierPointers"> {
  return {
    lastingPointers: new Map(found.map((each) => [each, lastingPointer(root, each.pointer)])),
    earlierPointers: new Map(found.map((each) => [each, lastingPointer(root, each.pointer, earlyNames)])),
  };
}
