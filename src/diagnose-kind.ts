import { diagnose, type Ask, type DiagnoseOptions } from "./diagnose.js";
import type { Diagnostic } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import { rules } from "./rules/index.js";
import type { Rule } from "./rules/rule.js";

export const rulesOf = (...subjects: readonly Rule["subject"][]): readonly Rule[] =>
  rules.filter(({ subject }) => subjects.includes(subject));

/** Asks a file that is no pack what is asked of every file, and what `ask` adds for its kind. */
export function diagnoseOther(
  document: Document,
  asked: readonly Rule[],
  options: DiagnoseOptions,
  ask: Ask,
): readonly Diagnostic[] {
  return diagnose(
    document,
    asked,
    (rule) =>
      rule.subject === "document" && rule.ofAnyKind === true ? rule.check(document, undefined) : ask(rule),
    options,
  );
}
