import type { LintingRule } from "./rule.js";

/** Its findings are in the config: they are made once all packs are linted. */
export const propertyUnknownName: LintingRule = {
  id: "property-unknown-name",
  subject: "linting",
  summary: "The states and events that a property names exist.",
  severity: "error",
  fix: "unsafe",
  source: "promptpack, properties",
};

/** Known once every head that a search finds is read. */
export const sourceUnused: LintingRule = {
  id: "source-unused",
  subject: "linting",
  summary: "Every prompt and tool below the head of a project is listed by a head.",
  severity: "info",
  source: "promptpack, sources",
};

export const unusedSuppression: LintingRule = {
  id: "unused-suppression",
  subject: "linting",
  summary: "Every suppression names a rule and silences something.",
  severity: "warning",
  fix: "safe",
  source: "promptpack, suppressions",
};
