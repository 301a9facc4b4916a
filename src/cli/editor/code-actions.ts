import type { Diagnostic, TextEdit } from "../../diagnostic.js";
import { lineChanges, linesOf } from "../../fix/line-changes.js";
import type { FileReport } from "../../reporters/report.js";
import { editorDiagnostic, editorRange } from "./editor-diagnostic.js";
import { markLength, type EditorLinter } from "./editor-linter.js";
import type { OpenFile } from "./open-files.js";
import {
  CodeActionKind,
  TextDocument,
  type CodeAction,
  type EditorEdit,
  type EditorRange,
} from "./protocol.js";

export const fixAllKind = `${CodeActionKind.SourceFixAll}.promptpack`;

type Linted = Extract<Awaited<ReturnType<EditorLinter["lint"]>>, { kind: "linted" }>;

/** Each comment is tried by linting, and nobody who marks the whole file wants to silence all of it. */
const mostTried = 10;

/** Puts edits into the shape that the editor takes. */
export type EditOf = (file: OpenFile, edits: EditorEdit[]) => NonNullable<CodeAction["edit"]>;

/** What can be done about the findings in a part of a file. */
export class CodeActions {
  constructor(
    private readonly linter: EditorLinter,
    private readonly editOf: EditOf,
  ) {}

  /** A fix, or a comment that silences the finding. */
  async quickFixes(file: OpenFile, { report, format }: Linted, range: EditorRange): Promise<CodeAction[]> {
    const touched = report.diagnostics.filter((found) => touches(editorRange(found.range), range));
    const isSilencable = format === "yaml" && touched.length <= mostTried;
    const actions = new Map<string, CodeAction>();
    for (const finding of touched) {
      const silencers = isSilencable ? await this.silencers(file, report, finding) : [];
      const diagnostics = [editorDiagnostic(file.uri, report.lines, finding)];
      for (const { title, edits, isPreferred } of [...fixes(file, finding), ...silencers]) {
        const edit = this.editOf(file, edits);
        const action = { title, kind: CodeActionKind.QuickFix, diagnostics, edit, isPreferred };
        // Two findings of one rule are silenced in the file by the same comment.
        const key = JSON.stringify(edits);
        if (!actions.has(key)) actions.set(key, action);
      }
    }
    return [...actions.values()];
  }

  /** All fixes that are certain, as one edit. */
  async fixAll(file: OpenFile): Promise<CodeAction[]> {
    const text = file.document.getText();
    const fixed = await this.linter.fix(file.path, text);
    if (fixed === text) return [];
    const edit = this.editOf(file, changedLines(file.document, fixed));
    return [{ title: "Fix everything that promptpack can fix", kind: fixAllKind, edit }];
  }

  /** Comments that do what they say: one that would not, or would hide more than it should, is not offered. */
  private async silencers(file: OpenFile, before: FileReport, finding: Diagnostic): Promise<Offer[]> {
    const offers: Offer[] = [];
    for (const offer of silencersOf(file.document, finding)) {
      const text = TextDocument.applyEdits(file.document, offer.edits);
      const after = await this.linter.lint(file.path, text);
      if (after.kind === "linted" && onlyLoses(before, after.report, finding)) offers.push(offer);
    }
    return offers;
  }
}

interface Offer {
  readonly title: string;
  readonly edits: EditorEdit[];
  readonly isPreferred: boolean;
}

function* fixes({ document }: OpenFile, { fix }: Diagnostic): Iterable<Offer> {
  if (fix === undefined) return;
  const isUnsafe = fix.unsafe === true;
  const title = fix.description.replace(/\.$/u, "");
  yield {
    title: isUnsafe ? `${title} (likely, not certain)` : title,
    edits: fix.edits.map((edit) => editorEdit(document, edit)),
    isPreferred: !isUnsafe,
  };
}

function editorEdit(document: TextDocument, { start, end, text }: TextEdit): EditorEdit {
  const mark = markLength(document.getText());
  const range = { start: document.positionAt(start + mark), end: document.positionAt(end + mark) };
  return { range, newText: text };
}

function silencersOf(document: TextDocument, { rule, range }: Diagnostic): readonly Offer[] {
  const text = document.getText();
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const start = { line: range.start.line - 1, character: 0 };
  const line = document.getText({ start, end: { line: start.line + 1, character: 0 } });
  const indent = /^[ \t]*/u.exec(line)?.[0] ?? "";
  const insert = (title: string, at: EditorRange["start"], comment: string): Offer => ({
    title,
    edits: [{ range: { start: at, end: at }, newText: `${comment}${lineBreak}` }],
    isPreferred: false,
  });
  return [
    insert(`Silence ${rule} here`, start, `${indent}# promptpack-disable-next-line ${rule}`),
    insert(
      `Silence ${rule} in this file`,
      document.positionAt(markLength(text)),
      `# promptpack-disable ${rule}`,
    ),
  ];
}

/** Whether a finding is gone, and no other has come. */
function onlyLoses(before: FileReport, after: FileReport, finding: Diagnostic): boolean {
  const left = countsOf(before);
  const now = countsOf(after);
  const key = keyOf(finding);
  if ((now.get(key) ?? 0) >= (left.get(key) ?? 0)) return false;
  return [...now].every(([each, count]) => count <= (left.get(each) ?? 0));
}

function countsOf({ diagnostics }: FileReport): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const found of diagnostics) counts.set(keyOf(found), (counts.get(keyOf(found)) ?? 0) + 1);
  return counts;
}

function keyOf({ rule, pointer }: Diagnostic): string {
  return `${rule} ${pointer}`;
}

function touches(a: EditorRange, b: EditorRange): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: EditorRange["start"], b: EditorRange["start"]): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** The lines that differ: the cursor stays where it is. */
function changedLines(document: TextDocument, after: string): EditorEdit[] {
  const old = linesOf(document.getText());
  const now = linesOf(after);
  const starts = [0];
  for (const line of old) starts.push((starts.at(-1) ?? 0) + line.length);
  const at = (line: number) => document.positionAt(starts[line] ?? 0);
  return lineChanges(old, now).map(({ from, to, newFrom, newTo }) => ({
    range: { start: at(from), end: at(to) },
    newText: now.slice(newFrom, newTo).join(""),
  }));
}
