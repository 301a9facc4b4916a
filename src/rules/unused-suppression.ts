import type { LintingRule } from "./rule.js";

export const unusedSuppression: LintingRule = {
  id: "unused-suppression",
  subject: "linting",
  summary: "Every suppression names a rule and silences something.",
  severity: "warning",
  fix: "safe",
  source: "promptpack, suppressions",
};
