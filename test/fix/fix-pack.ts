import type { Format } from "../../src/document/file-format.js";
import type { Document } from "../../src/document/document.js";
import { readDocument } from "../../src/document/read.js";
import { applyFixes, type CheckedText, type FixOptions, type FixResult } from "../../src/fix/apply-fixes.js";
import { Analysis } from "../../src/analysis.js";
import { targetOf } from "../../src/runtimes/index.js";

const target = targetOf({ runtimes: [] });

export function checkPack(document: Document): CheckedText {
  return new Analysis("<pack>", document).lint({ kind: "pack", target });
}

interface FixedPack extends FixResult {
  /** What linting the fixed text gives. */
  readonly checked: CheckedText;
}

/** Fixes a pack as `--fix` does. */
export function fixPack(text: string, format: Format, unsafe = false): FixedPack {
  const check: FixOptions["check"] = (other) => checkPack(readDocument(other, format));
  const shouldFix: FixOptions["shouldFix"] = ({ fix }) => unsafe || fix.unsafe !== true;
  const fixed = applyFixes(text, check(text), { check, shouldFix });
  return { ...fixed, checked: check(fixed.text) };
}

/** What is left, as rule ids. */
export function rulesLeft({ checked }: FixedPack): readonly string[] {
  return checked.kept.map(({ rule }) => rule);
}
