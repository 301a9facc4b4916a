import { setImmediate } from "node:timers/promises";
import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { Key } from "../../document/node.js";
import { findNode } from "../../document/pointers.js";
import { isProved } from "../../fix/apply-edits.js";
import { findHunks, splitLines } from "../../fix/unified-diff.js";
import type { FileReport } from "../../reporters/report.js";
import { getOrCreate } from "../../text/collections.js";
import { escapeInvisible } from "../../text/escape.js";
import { type EditorClient, toEditorDiagnostic } from "./editor-client.js";
import { type LintOutcome, type OpenFile, overlaps } from "./open-files.js";
import * as lsp from "./protocol.js";

export const fixAllKind = `${lsp.CodeActionKind.SourceFixAll}.promptpack`;

/** Comments and edits are tried by linting, which would take too long for all findings of a selected file. */
const maxTried = 10;

export async function codeActions(
  client: EditorClient,
  file: OpenFile,
  report: FileReport,
  { range, context }: lsp.CodeActionParams,
  isStale: () => boolean,
): Promise<lsp.CodeAction[]> {
  // Without kinds, editors ask whenever the cursor moves: too often to compute all fixes.
  const kinds = context.only?.length ? context.only : [lsp.CodeActionKind.QuickFix];
  const isWanted = (kind: string) => kinds.some((each) => each === "" || `${kind}.`.startsWith(`${each}.`));
  const { QuickFix } = lsp.CodeActionKind;
  const actions = isWanted(QuickFix) ? await quickFixes(client, file, report, range, isStale) : [];
  const fixed = isWanted(fixAllKind) ? await file.fix() : file.text;
  if (fixed === file.text) return actions;
  const edit = client.toWorkspaceEdit(file, changedLines(file.document, fixed));
  return [...actions, { title: "Fix everything that promptpack can fix", kind: fixAllKind, edit }];
}

async function quickFixes(
  client: EditorClient,
  file: OpenFile,
  report: FileReport,
  range: lsp.Range,
  isStale: () => boolean,
): Promise<lsp.CodeAction[]> {
  const findings = report.diagnostics.filter((found) => overlaps(file.range(found.range), range));
  const mayTry = findings.length <= maxTried;
  const actions = new Map<string, lsp.CodeAction>();
  for (const finding of findings) {
    const diagnostics = [toEditorDiagnostic(file, finding, report.lines)];
    const suppressions = mayTry && file.format === "yaml" ? await suppressionOffers(file, finding) : [];
    const proved = mayTry && isProved(finding) ? await file.provedFixes(finding) : [];
    const fixes = [finding, ...proved].flatMap((each) => fixOffers(file, each));
    for (const { title, edits, isPreferred, suppresses } of [...fixes, ...suppressions]) {
      if (suppresses !== undefined) {
        // The editor may have sent a cancellation.
        await setImmediate();
        if (isStale()) return [];
        // Only comments that suppress the finding and hide nothing else.
        const expected = keysOf(report.diagnostics.filter((found) => !suppresses(found)));
        const works = (after: LintOutcome) =>
          after.kind === "linted" && keysOf(after.report.diagnostics) === expected;
        if (!(await file.tryEdits(edits, works))) continue;
      }
      const edit = client.toWorkspaceEdit(file, edits);
      const action = { title, kind: lsp.CodeActionKind.QuickFix, diagnostics, edit, isPreferred };
      // One comment at the top of the file suppresses all findings of a rule.
      getOrCreate(actions, JSON.stringify(edits), () => action);
    }
  }
  return [...actions.values()];
}

interface QuickFixOffer {
  readonly title: string;
  readonly edits: lsp.TextEdit[];
  readonly isPreferred: boolean;
  /** The findings that its comment should suppress. */
  readonly suppresses?: (found: Diagnostic) => boolean;
}

function fixOffers(file: OpenFile, finding: Diagnostic): readonly QuickFixOffer[] {
  const { fix } = finding;
  if (fix === undefined) return [];
  const title = escapeInvisible(fix.description.replace(/\.$/u, ""));
  const edits = fix.edits.map((edit) => file.edit(edit));
  if (fix.unsafe !== true) return [{ title, edits, isPreferred: true }];
  // The title of an edit that was proved says what it does.
  const doubt = isProved(finding) ? "" : " (likely, not certain)";
  return [{ title: `${title}${doubt}`, edits, isPreferred: false }];
}

/** Edits only the lines that differ, so that the cursor keeps its place. */
function changedLines(document: lsp.TextDocument, after: string): lsp.TextEdit[] {
  const before = document.getText();
  const lines = splitLines(after);
  const starts = [0];
  for (const line of splitLines(before)) starts.push((starts.at(-1) ?? 0) + line.length);
  const startOf = (line: number) => document.positionAt(starts[line - 1] ?? 0);
  return findHunks(before, after).map(({ oldStart, oldLines, newStart, newLines }) => ({
    range: { start: startOf(oldStart), end: startOf(oldStart + oldLines) },
    newText: lines.slice(newStart - 1, newStart - 1 + newLines).join(""),
  }));
}

async function suppressionOffers(
  file: OpenFile,
  { rule, pointer, range }: Diagnostic,
): Promise<readonly QuickFixOffer[]> {
  // Above the key or item: inside of a multi-line string, a comment would be text.
  const analysis = await file.pack();
  const { document } = file.partOf(analysis?.project) ?? analysis ?? {};
  const line = lineOf(document, pointer) ?? range.start.line;
  const lineBreak = file.text.includes("\r\n") ? "\r\n" : "\n";
  const start = file.startOfLine(line);
  const text = file.document.getText({ start, end: { line: start.line + 1, character: 0 } });
  const indent = /^[ \t]*/u.exec(text)?.[0] ?? "";
  const isHere = (found: Diagnostic) => found.range.start.line === line || found.pointer === pointer;
  const offer = (where: string, at: lsp.Position, comment: string, isThere: typeof isHere) => ({
    title: `Silence ${rule} ${where}`,
    edits: [{ range: { start: at, end: at }, newText: `${comment} ${rule}${lineBreak}` }],
    isPreferred: false,
    suppresses: (found: Diagnostic) => found.rule === rule && isThere(found),
  });
  const here = line === range.start.line ? "here" : "in this text";
  return [
    offer(here, start, `${indent}# promptpack-disable-next-line`, isHere),
    offer("in this file", file.startOfLine(1), "# promptpack-disable", () => true),
  ];
}

/** The line on which the key or item of a scalar begins. */
function lineOf(document: Document | undefined, pointer: string): number | undefined {
  const node = document?.root && findNode(document.root, pointer);
  if (node?.kind !== "scalar") return undefined;
  return document?.lines.position((node.key instanceof Key ? node.key : node).start).line;
}

function keysOf(findings: readonly Diagnostic[]): string {
  return JSON.stringify(findings.map(({ rule, pointer }) => `${rule} ${pointer}`).sort());
}
