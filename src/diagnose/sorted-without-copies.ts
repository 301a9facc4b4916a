import { compareDiagnostics, type Diagnostic, type Position } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { isWithin } from "../document/find-node.js";
import { isWrittenAt } from "../document/written.js";

/** Sorted; what is seen through two aliases of one anchor is said once. */
export function sortAndDedupe(document: Document, diagnostics: Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  const sorted = diagnostics.sort(compareDiagnostics);
  const told: Diagnostic[] = [];
  let start = 0;
  for (let end = 1; end <= sorted.length; end++) {
    if (isSamePlace(sorted[start], sorted[end])) continue;
    for (const found of withoutCopies(document, sorted.slice(start, end))) told.push(found);
    start = end;
  }
  return told;
}

/**
 * Of findings in one place, those of the value that is written there: the others are copies of it. Where it has none, each
 * alias has its own.
 */
function withoutCopies(document: Document, findings: readonly Diagnostic[]): readonly Diagnostic[] {
  if (findings.length < 2) return findings;
  const own = findings.find((found) => isOwn(document, found));
  const messages = new Set<string>();
  return findings.filter((found) => {
    if (!isWithin(found.pointer, own?.pointer ?? "") || messages.has(found.message)) return false;
    return messages.add(found.message);
  });
}

function isOwn({ root, aliases, lines }: Document, { pointer, range }: Diagnostic): boolean {
  if (root === undefined || aliases.targets.size === 0) return true;
  return isWrittenAt(root, pointer, lines.offset(range.start));
}

/** Findings of one rule in one place come right after each other once they are sorted. */
function isSamePlace(a: Diagnostic | undefined, b: Diagnostic | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.rule === b.rule &&
    isSamePosition(a.range.start, b.range.start) &&
    isSamePosition(a.range.end, b.range.end)
  );
}

function isSamePosition(a: Position, b: Position): boolean {
  return a.line === b.line && a.column === b.column;
}
