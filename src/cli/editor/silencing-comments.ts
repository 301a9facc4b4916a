import type { Diagnostic } from "../../diagnostic.js";
import type { FileReport } from "../../reporters/report.js";
import { EditorPositions } from "./editor-places.js";
import type { EditorEdit, EditorRange, TextDocument } from "./protocol.js";

/** Something that can be done about a finding. */
export interface QuickFixOffer {
  readonly title: string;
  readonly edits: EditorEdit[];
  readonly isPreferred: boolean;
}

/** A comment that silences a rule. */
interface SuppressionOffer extends QuickFixOffer {
  /** Whether it does just that. */
  readonly suppressesOnly: (before: FileReport, after: FileReport) => boolean;
}

/** `line` is where the entry begins that the finding is in: a comment inside of a text would be a part of it. */
export function suppressionOffers(
  document: TextDocument,
  { rule, pointer, range }: Diagnostic,
  line = range.start.line,
): readonly SuppressionOffer[] {
  const lineBreak = document.getText().includes("\r\n") ? "\r\n" : "\n";
  const places = new EditorPositions(document);
  const start = places.position({ line, column: 1 });
  const text = document.getText({ start, end: { line: start.line + 1, character: 0 } });
  const indent = /^[ \t]*/u.exec(text)?.[0] ?? "";
  const isHere = (found: Diagnostic) => found.range.start.line === line || found.pointer === pointer;
  const insert = (at: EditorRange["start"], comment: string) => ({
    edits: [{ range: { start: at, end: at }, newText: `${comment}${lineBreak}` }],
    isPreferred: false,
  });
  return [
    {
      title: `Silence ${rule} ${line === range.start.line ? "here" : "in this text"}`,
      ...insert(start, `${indent}# promptpack-disable-next-line ${rule}`),
      suppressesOnly: (before, after) => onlyRemoves(before, after, (found) => found.rule === rule && isHere(found)),
    },
    {
      title: `Silence ${rule} in this file`,
      ...insert(places.position({ line: 1, column: 1 }), `# promptpack-disable ${rule}`),
      suppressesOnly: (before, after) => onlyRemoves(before, after, (found) => found.rule === rule),
    },
  ];
}

/** Whether these findings are gone, and otherwise nothing has changed. */
function onlyRemoves(before: FileReport, after: FileReport, isMeant: (found: Diagnostic) => boolean): boolean {
  const expected = countByKey(before.diagnostics.filter((found) => !isMeant(found)));
  const left = countByKey(after.diagnostics);
  return left.size === expected.size && [...left].every(([key, count]) => expected.get(key) === count);
}

function countByKey(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const found of diagnostics) counts.set(findingKey(found), (counts.get(findingKey(found)) ?? 0) + 1);
  return counts;
}

function findingKey({ rule, pointer }: Diagnostic): string {
  return `${rule} ${pointer}`;
}
