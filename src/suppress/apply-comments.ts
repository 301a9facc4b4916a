import type { Diagnostic, Severity } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import { suppress, type Suppression } from "./suppress.js";

const ruleIds = rules.map(({ id }) => id);
const stoppers = new Set(
  rules.flatMap((rule) => (rule.subject === "document" && rule.stops !== undefined ? rule.id : [])),
);

/** Takes out what the comments of a linted file silence. Where linting stopped early, no comment is called stale. */
export function applyComments(
  document: Document,
  diagnostics: readonly Diagnostic[],
  levels: ReadonlyMap<string, Severity | "off">,
  docsBase: string | undefined,
): Suppression {
  const stopped = diagnostics.some(({ rule }) => stoppers.has(rule));
  return suppress(document, diagnostics, {
    ruleIds,
    isOn: (id) => levels.get(id) !== "off",
    severity: stopped ? "off" : (levels.get("unused-suppression") ?? "warning"),
    docs: docsBase === undefined ? undefined : `${docsBase}/docs/rules/unused-suppression.md`,
  });
}
