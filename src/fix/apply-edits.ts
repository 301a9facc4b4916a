import type { Diagnostic, TextEdit } from "../diagnostic.js";
import { lowerBound, startOf } from "../document/scan-text.js";

export interface Fixable extends Diagnostic {
  readonly fix: NonNullable<Diagnostic["fix"]>;
}

export function isFixable(diagnostic: Diagnostic): diagnostic is Fixable {
  return diagnostic.fix !== undefined && diagnostic.fix.edits.length > 0;
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
  const taken = new OccupiedSpans();
  return findings.filter(({ fix }) => {
    if (!fix.edits.every((edit) => taken.isFree(edit))) return false;
    for (const edit of fix.edits) taken.occupy(edit);
    return true;
  });
}

/** Spans in text order. Findings are nearly in that order, so most insertions are at the end. */
class OccupiedSpans {
  private readonly spans: TextEdit[] = [];

  /** Edits that touch count as overlapping, since the order of their texts would be arbitrary. */
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
