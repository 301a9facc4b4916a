import type { Diagnostic, TextEdit } from "../diagnostic.js";
import { lowerBound, startOf } from "../document/scan-text.js";
import { ruleNamed } from "../rules/index.js";

export interface Fixable extends Diagnostic {
  readonly fix: NonNullable<Diagnostic["fix"]>;
}

export function isFixable(diagnostic: Diagnostic): diagnostic is Fixable {
  return diagnostic.fix !== undefined && diagnostic.fix.edits.length > 0;
}

/** Whether the fixes of a finding are small edits that are tried when somebody asks. */
export function isProved({ rule, members }: Diagnostic): boolean {
  return members === undefined && ruleNamed(rule)?.fix === "proved";
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const { start, end, text: replacement } of sorted) {
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** Leaves out each finding whose edits overlap those of an earlier one. */
export function withoutOverlappingFixes(findings: readonly Fixable[]): readonly Fixable[] {
  // In text order. Findings are nearly in that order, so most insertions are at the end.
  const taken: TextEdit[] = [];
  const slotOf = ({ start }: TextEdit) => lowerBound(taken, start, startOf);
  // Edits that touch count as overlapping, since the order of their texts would be arbitrary.
  const isFree = (edit: TextEdit): boolean => {
    const before = taken[slotOf(edit) - 1];
    const after = taken[slotOf(edit)];
    return (
      (before === undefined || before.end < edit.start) && (after === undefined || edit.end < after.start)
    );
  };
  return findings.filter(({ fix: { edits } }) => {
    if (!edits.every(isFree)) return false;
    for (const edit of edits) taken.splice(slotOf(edit), 0, edit);
    return true;
  });
}
