import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import type { Rule, RuleFor } from "../rules/rule.js";
import { runRules, RuleSet, type Check, type RunOptions } from "./diagnose.js";

type Subject = Rule["subject"];

export function rulesOf<Of extends Subject>(...subjects: readonly Of[]): RuleSet<RuleFor<Of>> {
  const wanted = new Set<Subject>(subjects);
  return new RuleSet(rules.filter((rule): rule is RuleFor<Of> => wanted.has(rule.subject)));
}

/** Asks a file that is no pack what is asked of every file, and what `ask` adds for its kind. */
export function runFileRules<Kind extends RuleFor<Exclude<Subject, "file">>>(
  document: Document,
  asked: RuleSet<RuleFor<"file"> | Kind>,
  options: RunOptions,
  ask: Check<Kind>,
): readonly Diagnostic[] {
  return runRules(
    document,
    asked,
    (rule) => (rule.subject === "file" ? rule.check(document, false) : ask(rule)),
    options,
  );
}
