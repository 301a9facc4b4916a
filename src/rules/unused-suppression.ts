import type { SuppressionRule } from "./rule.js";

export const unusedSuppression: SuppressionRule = {
  id: "unused-suppression",
  subject: "linting",
  summary: "Every suppression names a rule and silences something.",
  severity: "warning",
  fix: "safe",
  source: "promptpack, suppressions",
};
