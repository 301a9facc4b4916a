import { deniesEnd } from "../meant/says-end.js";
import type { State } from "./workflow.js";

/** Whether a `terminal` that could not be read may have been meant as true. */
export function mayBeEnd({ node, unclear }: State): boolean {
  return unclear.has("terminal") && (node === undefined || !deniesEnd(node));
}
