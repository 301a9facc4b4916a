import type { Document, Format } from "../../src/document/document.js";
import { readDocument } from "../../src/document/read.js";
import { applyFixes, type Fixed, type Fixing } from "../../src/fix/apply-fixes.js";
import type { Checked } from "../../src/fix/is-sound.js";
import { judge } from "../../src/judge.js";

export function checkPack(document: Document): Checked {
  return judge("<pack>", document, { kind: "pack" });
}

interface FixedPack extends Fixed {
  /** What linting the fixed text gives. */
  readonly checked: Checked;
}

/** Fixes a pack as `--fix` does. */
export function fixPack(text: string, format: Format, unsafe = false): FixedPack {
  const check: Fixing["check"] = (other) => checkPack(readDocument(other, format));
  const wants: Fixing["wants"] = ({ fix }) => unsafe || fix.unsafe !== true;
  const fixed = applyFixes(text, check(text), { check, wants });
  return { ...fixed, checked: check(fixed.text) };
}

/** What is left, as rule ids. */
export function rulesLeft({ checked }: FixedPack): readonly string[] {
  return checked.kept.map(({ rule }) => rule);
}
