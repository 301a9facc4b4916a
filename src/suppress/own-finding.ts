import {
  withAdvice,
  type Diagnostic,
  type Fix,
  type Place,
  type Severity,
  type Words,
} from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rulePage } from "../words/tool.js";

export const ownRule = "unused-suppression";

/** A finding of the rule about the linting itself, in the file that holds the suppression. */
export function ownFinding(
  { lines }: Document,
  severity: Severity,
  { pointer, start, end }: Place,
  { fix, ...words }: Words & { readonly fix?: Fix | undefined },
): Diagnostic {
  return {
    rule: ownRule,
    severity,
    ...withAdvice(words),
    pointer,
    range: lines.range(start, end),
    ...(fix !== undefined && { fix }),
    ...rulePage(ownRule),
  };
}
