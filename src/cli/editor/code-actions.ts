import { setImmediate } from "node:timers/promises";
import type { Diagnostic } from "../../diagnostic.js";
import { diffLines, splitLines } from "../../fix/unified-diff.js";
import type { FileReport } from "../../reporters/report.js";
import { escapeInvisible } from "../../text/escape.js";
import type { EditorOutcome, LintCache } from "./editor-linter.js";
import { EditorPositions } from "./editor-positions.js";
import type { OpenFile } from "./open-files.js";
import * as lsp from "./protocol.js";
import { toEditorDiagnostic } from "./publish-diagnostics.js";

export const fixAllKind = `${lsp.CodeActionKind.SourceFixAll}.promptpack`;

type LintedOutcome = Extract<EditorOutcome, { kind: "linted" }>;

/** Each comment is tried by linting, which would take too long for all findings of a selected file. */
const maxSuppressionTrials = 10;

type ToWorkspaceEdit = (file: OpenFile, edits: lsp.TextEdit[]) => NonNullable<lsp.CodeAction["edit"]>;

/** Fixes and suppressions for the findings in a range. */
export class CodeActions {
  constructor(
    private readonly cache: LintCache,
    private readonly toWorkspaceEdit: ToWorkspaceEdit,
    private readonly isCancelled: () => boolean,
  ) {}

  async actionsFor(
    file: OpenFile,
    outcome: LintedOutcome,
    range: lsp.Range,
    kinds: readonly string[],
  ): Promise<lsp.CodeAction[]> {
    // Without kinds, editors ask whenever the cursor moves: too often to compute all fixes.
    const wanted = kinds.length === 0 ? [lsp.CodeActionKind.QuickFix] : kinds;
    const isWanted = (kind: string) =>
      wanted.some((each) => each === "" || `${kind}.`.startsWith(`${each}.`));
    return [
      ...(isWanted(lsp.CodeActionKind.QuickFix) ? await this.quickFixes(file, outcome, range) : []),
      ...(isWanted(fixAllKind) ? await this.fixAll(file) : []),
    ];
  }

  private async quickFixes(
    file: OpenFile,
    { report, format, folder }: LintedOutcome,
    range: lsp.Range,
  ): Promise<lsp.CodeAction[]> {
    const positions = new EditorPositions(file.document);
    const findings = report.diagnostics.filter((found) => overlaps(positions.range(found.range), range));
    const canSuppress = format === "yaml" && findings.length <= maxSuppressionTrials;
    const actions = new Map<string, lsp.CodeAction>();
    for (const finding of findings) {
      const suppressions = canSuppress ? await this.verifiedSuppressions(file, report, finding) : [];
      const diagnostics = [toEditorDiagnostic(file.uri, positions, finding, folder)];
      for (const { title, edits, isPreferred } of [...fixOffers(positions, finding), ...suppressions]) {
        const edit = this.toWorkspaceEdit(file, edits);
        const action = { title, kind: lsp.CodeActionKind.QuickFix, diagnostics, edit, isPreferred };
        // One comment at the top of the file suppresses all findings of a rule.
        const key = JSON.stringify(edits);
        if (!actions.has(key)) actions.set(key, action);
      }
    }
    return [...actions.values()];
  }

  /** All safe fixes as one edit. */
  private async fixAll(file: OpenFile): Promise<lsp.CodeAction[]> {
    const fixed = await this.cache.linterFor(file).fix(file);
    if (fixed === file.document.getText()) return [];
    const edit = this.toWorkspaceEdit(file, changedLines(file.document, fixed));
    return [{ title: "Fix everything that promptpack can fix", kind: fixAllKind, edit }];
  }

  /** Offers only comments that suppress the finding and hide nothing else. */
  private async verifiedSuppressions(
    file: OpenFile,
    before: FileReport,
    finding: Diagnostic,
  ): Promise<QuickFixOffer[]> {
    const offers: QuickFixOffer[] = [];
    const line = await this.cache.linterFor(file).lineOf(file, finding.pointer);
    for (const offer of suppressionOffers(file.document, finding, line)) {
      // The editor may have sent a cancellation.
      await setImmediate();
      if (this.isCancelled()) return [];
      const works = (after: EditorOutcome) =>
        after.kind === "linted" && onlyRemoves(before, after.report, offer.suppresses);
      if (await this.cache.tryEdits(file, offer.edits, works)) offers.push(offer);
    }
    return offers;
  }
}

function* fixOffers(positions: EditorPositions, { fix }: Diagnostic): Iterable<QuickFixOffer> {
  if (fix === undefined) return;
  const isUnsafe = fix.unsafe === true;
  const title = escapeInvisible(fix.description.replace(/\.$/u, ""));
  yield {
    title: isUnsafe ? `${title} (likely, not certain)` : title,
    edits: fix.edits.map((edit) => ({ range: positions.span(edit), newText: edit.text })),
    isPreferred: !isUnsafe,
  };
}

export function overlaps(a: lsp.Range, b: lsp.Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: lsp.Position, b: lsp.Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Edits only the lines that differ, so that the cursor keeps its place. */
function changedLines(document: lsp.TextDocument, after: string): lsp.TextEdit[] {
  const oldLines = splitLines(document.getText());
  const newLines = splitLines(after);
  const starts = [0];
  for (const line of oldLines) starts.push((starts.at(-1) ?? 0) + line.length);
  const startOf = (line: number) => document.positionAt(starts[line] ?? 0);
  return diffLines(oldLines, newLines).map(({ from, to, newFrom, newTo }) => ({
    range: { start: startOf(from), end: startOf(to) },
    newText: newLines.slice(newFrom, newTo).join(""),
  }));
}

interface QuickFixOffer {
  readonly title: string;
  readonly edits: lsp.TextEdit[];
  readonly isPreferred: boolean;
}

interface SuppressionOffer extends QuickFixOffer {
  /** The findings that its comment should suppress. */
  readonly suppresses: (found: Diagnostic) => boolean;
}

/** `line` is where the value of the finding begins: inside of a multi-line string, a comment would be text. */
function suppressionOffers(
  document: lsp.TextDocument,
  { rule, pointer, range }: Diagnostic,
  line = range.start.line,
): readonly SuppressionOffer[] {
  const lineBreak = document.getText().includes("\r\n") ? "\r\n" : "\n";
  const positions = new EditorPositions(document);
  const start = positions.position({ line, column: 1 });
  const text = document.getText({ start, end: { line: start.line + 1, character: 0 } });
  const indent = /^[ \t]*/u.exec(text)?.[0] ?? "";
  const isHere = (found: Diagnostic) => found.range.start.line === line || found.pointer === pointer;
  const insert = (at: lsp.Position, comment: string) => ({
    edits: [{ range: { start: at, end: at }, newText: `${comment}${lineBreak}` }],
    isPreferred: false,
  });
  return [
    {
      title: `Silence ${rule} ${line === range.start.line ? "here" : "in this text"}`,
      ...insert(start, `${indent}# promptpack-disable-next-line ${rule}`),
      suppresses: (found) => found.rule === rule && isHere(found),
    },
    {
      title: `Silence ${rule} in this file`,
      ...insert(positions.position({ line: 1, column: 1 }), `# promptpack-disable ${rule}`),
      suppresses: (found) => found.rule === rule,
    },
  ];
}

/** Whether these findings are gone, and nothing else has changed. */
function onlyRemoves(
  before: FileReport,
  after: FileReport,
  isRemoved: (found: Diagnostic) => boolean,
): boolean {
  const keys = (findings: readonly Diagnostic[]) =>
    JSON.stringify(findings.map(({ rule, pointer }) => `${rule} ${pointer}`).sort());
  return keys(before.diagnostics.filter((found) => !isRemoved(found))) === keys(after.diagnostics);
}
