import { toDiagnostic, type Levels } from "../diagnose/diagnose.js";
import type { Diagnostic, Finding, Level, Severity } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { unusedSuppression } from "../rules/unused-suppression.js";

export const unusedSuppressionId = unusedSuppression.id;

/** How severe it is that a suppression is of no use. */
export function unusedSuppressionLevel(levels: Levels): Level {
  return levels.get(unusedSuppressionId) ?? unusedSuppression.severity;
}

/** A finding of the rule about the linting itself, in the file that holds the suppression. */
export function unusedSuppressionFinding(document: Document, severity: Severity, finding: Finding): Diagnostic {
  return toDiagnostic(document, unusedSuppression, severity, finding);
}
