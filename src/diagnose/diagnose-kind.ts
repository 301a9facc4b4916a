import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import type { Rule, RuleAbout } from "../rules/rule.js";
import { diagnose, RuleSet, type Ask, type DiagnoseOptions } from "./diagnose.js";

type Subject = Rule["subject"];

export function rulesOf<Of extends Subject>(...subjects: readonly Of[]): RuleSet<RuleAbout<Of>> {
  const wanted = new Set<Subject>(subjects);
  return new RuleSet(rules.filter((rule): rule is RuleAbout<Of> => wanted.has(rule.subject)));
}

/** Asks a file that is no pack what is asked of every file, and what `ask` adds for its kind. */
export function diagnoseOther<Kind extends RuleAbout<Exclude<Subject, "file">>>(
  document: Document,
  asked: RuleSet<RuleAbout<"file"> | Kind>,
  options: DiagnoseOptions,
  ask: Ask<Kind>,
): readonly Diagnostic[] {
  return diagnose(
    document,
    asked,
    (rule) => (rule.subject === "file" ? rule.check(document, false) : ask(rule)),
    options,
  );
}
