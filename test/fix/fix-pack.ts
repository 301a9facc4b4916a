import { applyComments } from "../../src/suppress/apply-comments.js";
import type { Document, Format } from "../../src/document/document.js";
import { readDocument } from "../../src/document/read.js";
import { applyFixes, type Fixed } from "../../src/fix/apply-fixes.js";
import type { Checked } from "../../src/fix/is-sound.js";
import { lintDocument } from "../../src/lint.js";
import { rules } from "../../src/rules/index.js";

const levels = new Map(rules.map(({ id, severity }) => [id, severity]));

export function checkPack(document: Document): Checked {
  const { diagnostics } = lintDocument(document);
  const { kept, suppressed } = applyComments(document, diagnostics, levels);
  return { root: document.root, kept, suppressed: suppressed.map(({ diagnostic }) => diagnostic) };
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
