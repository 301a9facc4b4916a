import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import type { Need } from "../../rules/rule.js";
import { mayReportIn } from "../../suppress/may-report.js";
import type { IgnoredFinding } from "../config/config.js";
import type { Settings } from "../config/settings.js";

interface ReplayInputFlags {
  readonly routes?: string;
  readonly state?: string;
  readonly workspace?: string;
  readonly budget: boolean;
}

/**
 * The entries of `ignore` for a record that may be needed again, though they silence nothing now. Whatever is found in
 * a record may hide the rest of it, and so may what the flags leave out.
 */
export function possiblyNeededEntries(
  document: Document,
  found: readonly Diagnostic[],
  { levels, ignoredFindings }: Settings,
  flags: ReplayInputFlags,
): readonly IgnoredFinding[] {
  if (found.length > 0 || !flags.budget) return ignoredFindings;
  const mayReport = mayReportIn(document, found, levels, missingInputs(flags));
  return ignoredFindings.filter(({ rule }) => !mayReport(rule));
}

function missingInputs({ routes, state, workspace }: ReplayInputFlags): ReadonlySet<Need> {
  const lacking = new Set<Need>();
  if (routes === undefined) lacking.add("routes of the record");
  if ((routes ?? state) === undefined) lacking.add("max steps");
  if (workspace === undefined) lacking.add("workspace");
  return lacking;
}
