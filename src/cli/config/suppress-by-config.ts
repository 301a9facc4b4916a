import type { Diagnostic } from "../../diagnostic.js";
import type { Suppressed } from "../../reporters/report.js";
import { Coverage, PointerIndex } from "../../suppress/pointer-index.js";
import type { IgnoredFinding } from "./config.js";

/** Takes out what the config ignores. */
export function suppressByConfig(diagnostics: readonly Diagnostic[], entries: readonly IgnoredFinding[]) {
  if (entries.length === 0) return { kept: diagnostics, suppressed: [], used: new Set<IgnoredFinding>() };
  const index = new PointerIndex<IgnoredFinding>();
  const coverage = new Coverage<IgnoredFinding>();
  for (const entry of entries) index.add(entry.rule, entry.pointer, entry);
  const kept: Diagnostic[] = [];
  const suppressed: Suppressed[] = [];
  const used = new Set<IgnoredFinding>();
  for (const diagnostic of diagnostics) {
    const lists = index.covering(diagnostic.rule, diagnostic.pointer);
    const reason = coverage.use(lists, (entry) => used.add(entry));
    if (lists.length === 0) kept.push(diagnostic);
    else suppressed.push({ diagnostic, by: "config", ...(reason !== undefined && { reason }) });
  }
  return { kept, suppressed, used };
}
