import type { Levels } from "../diagnose/diagnose.js";
import type { Diagnostic, Suppression } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import { areLast, type CouldSpeak } from "./could-speak.js";
import { ownSeverity } from "./own-finding.js";
import { suppress } from "./suppress.js";

const ruleIds = new Set(rules.map(({ id }) => id));

/** Takes out what the comments of a linted file silence. */
export function applyComments(
  document: Document,
  diagnostics: readonly Diagnostic[],
  levels: Levels,
  couldSpeak: CouldSpeak,
): Suppression {
  return suppress(document, diagnostics, {
    ruleIds,
    couldSpeak,
    severity: areLast(diagnostics) ? "off" : ownSeverity(levels),
  });
}
