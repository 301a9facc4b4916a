import type { Document, Format } from "../../src/document/document.js";
import { readDocument } from "../../src/document/read.js";
import { applyFixes, type Fixed } from "../../src/fix/apply-fixes.js";
import type { Checked } from "../../src/fix/is-sound.js";
import { judge } from "../../src/judge.js";

export function checkPack(document: Document): Checked {
  return judge("<pack>", document, { kind: "pack" });
}

/** Repairs a pack as `--fix` does. */
export function fixPack(text: string, format: Format, unsafe = false): Fixed {
  return applyFixes(text, checkPack(readDocument(text, format)), {
    check: (other) => checkPack(readDocument(other, format)),
    wants: ({ fix }) => unsafe || fix.unsafe !== true,
  });
}

/** What is left, as rule ids. */
export function rulesLeft({ checked }: Fixed): readonly string[] {
  return checked.kept.map(({ rule }) => rule);
}
