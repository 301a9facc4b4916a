import type { SeemingUse } from "../../pack/seeming-uses.js";
import { insteadOf } from "./instead-of.js";

/** Advice about what looks like a use, and is none. */
export function seemingUseAdvice(use: SeemingUse): string {
  return use === "comment" ? '"#" after a space starts a comment: put the text in quotes.' : insteadOf(use);
}
