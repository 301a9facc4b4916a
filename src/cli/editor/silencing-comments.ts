import type { Diagnostic } from "../../diagnostic.js";
import type { FileReport } from "../../reporters/report.js";
import { markLength } from "./editor-linter.js";
import type { EditorEdit, EditorRange, TextDocument } from "./protocol.js";

/** Something that can be done about a finding. */
export interface Offer {
  readonly title: string;
  readonly edits: EditorEdit[];
  readonly isPreferred: boolean;
}

/** A comment that silences a finding. */
interface Silencer extends Offer {
  /** Whether that is all it does. */
  readonly silences: (finding: Diagnostic, before: FileReport, after: FileReport) => boolean;
}

export function silencersOf(document: TextDocument, { rule, range }: Diagnostic): readonly Silencer[] {
  const text = document.getText();
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const start = { line: range.start.line - 1, character: 0 };
  const line = document.getText({ start, end: { line: start.line + 1, character: 0 } });
  const indent = /^[ \t]*/u.exec(line)?.[0] ?? "";
  const insert = (at: EditorRange["start"], comment: string) => ({
    edits: [{ range: { start: at, end: at }, newText: `${comment}${lineBreak}` }],
    isPreferred: false,
  });
  return [
    {
      title: `Silence ${rule} here`,
      ...insert(start, `${indent}# promptpack-disable-next-line ${rule}`),
      silences: (finding, before, after) =>
        lost(finding, before, after)?.every((found) => found.range.start.line === range.start.line) === true,
    },
    {
      title: `Silence ${rule} in this file`,
      ...insert(document.positionAt(markLength(text)), `# promptpack-disable ${rule}`),
      silences: (finding, before, after) => lost(finding, before, after) !== undefined,
    },
  ];
}

/** The findings that are gone; nothing where the one that was to go is not among them, or another has come. */
function lost(finding: Diagnostic, before: FileReport, after: FileReport): readonly Diagnostic[] | undefined {
  const left = countsOf(before);
  const now = countsOf(after);
  if ([...now].some(([key, count]) => count > (left.get(key) ?? 0))) return undefined;
  const isGone = (found: Diagnostic) => (now.get(keyOf(found)) ?? 0) < (left.get(keyOf(found)) ?? 0);
  return isGone(finding) ? before.diagnostics.filter(isGone) : undefined;
}

function countsOf({ diagnostics }: FileReport): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const found of diagnostics) counts.set(keyOf(found), (counts.get(keyOf(found)) ?? 0) + 1);
  return counts;
}

function keyOf({ rule, pointer }: Diagnostic): string {
  return `${rule} ${pointer}`;
}
