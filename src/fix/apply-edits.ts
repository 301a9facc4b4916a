import type { Diagnostic, TextEdit } from "../diagnostic.js";
import { lowerBound, startOf } from "../document/line-map.js";

/** A finding that says how to fix it. */
export interface Fixable extends Diagnostic {
  readonly fix: NonNullable<Diagnostic["fix"]>;
}

export function isFixable(diagnostic: Diagnostic): diagnostic is Fixable {
  return diagnostic.fix !== undefined && diagnostic.fix.edits.length > 0;
}

/** The text with all edits made; they do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: replacing } of sortedEdits(edits)) {
    parts.push(text.slice(at, start), replacing);
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** Those whose edits keep clear of each other's; of two that do not, the first. */
export function withoutOverlappingFixes(findings: readonly Fixable[]): readonly Fixable[] {
  const taken = new OccupiedSpans();
  return findings.filter(({ fix }) => {
    if (!fix.edits.every((edit) => taken.isFree(edit))) return false;
    for (const edit of fix.edits) taken.occupy(edit);
    return true;
  });
}

/** Spans in the order of the text. Findings come nearly in that order, so that a new one mostly goes to the end. */
class OccupiedSpans {
  private readonly spans: TextEdit[] = [];

  /** Edits that touch are kept apart, too: whose text comes first would be a matter of chance. */
  isFree(edit: TextEdit): boolean {
    const next = lowerBound(this.spans, edit.start, startOf);
    const before = this.spans[next - 1];
    const after = this.spans[next];
    return (
      (before === undefined || before.end < edit.start) && (after === undefined || edit.end < after.start)
    );
  }

  occupy(edit: TextEdit): void {
    this.spans.splice(lowerBound(this.spans, edit.start, startOf), 0, edit);
  }
}

function sortedEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}
