import { setImmediate } from "node:timers/promises";
import type { Diagnostic } from "../../diagnostic.js";
import { diffLines, splitLines } from "../../fix/unified-diff.js";
import type { FileReport } from "../../reporters/report.js";
import { getOrCreate } from "../../text/collections.js";
import { escapeInvisible } from "../../text/escape.js";
import type { EditorOutcome, LintCache } from "./editor-linter.js";
import { EditorPositions, overlaps } from "./editor-positions.js";
import type { Host } from "./language-features.js";
import type { OpenFile } from "./open-files.js";
import * as lsp from "./protocol.js";
import { toEditorDiagnostic } from "./publish-diagnostics.js";

export const fixAllKind = `${lsp.CodeActionKind.SourceFixAll}.promptpack`;

type LintedOutcome = Extract<EditorOutcome, { kind: "linted" }>;

/** Each comment is tried by linting, which would take too long for all findings of a selected file. */
const maxSuppressionTrials = 10;

/** The request of an editor: actions of some kinds for the findings in a range. */
interface Wanted {
  readonly range: lsp.Range;
  readonly kinds: readonly string[];
  readonly isCancelled: () => boolean;
}

/** Fixes and suppressions for the findings in a range. */
export async function codeActions(
  host: Host,
  file: OpenFile,
  outcome: LintedOutcome,
  wanted: Wanted,
): Promise<lsp.CodeAction[]> {
  // Without kinds, editors ask whenever the cursor moves: too often to compute all fixes.
  const kinds = wanted.kinds.length === 0 ? [lsp.CodeActionKind.QuickFix] : wanted.kinds;
  const isWanted = (kind: string) => kinds.some((each) => each === "" || `${kind}.`.startsWith(`${each}.`));
  return [
    ...(isWanted(lsp.CodeActionKind.QuickFix) ? await quickFixes(host, file, outcome, wanted) : []),
    ...(isWanted(fixAllKind) ? await fixAll(host, file) : []),
  ];
}

async function quickFixes(
  host: Host,
  file: OpenFile,
  { report, format, folder }: LintedOutcome,
  { range, isCancelled }: Wanted,
): Promise<lsp.CodeAction[]> {
  const positions = new EditorPositions(file.document);
  const findings = report.diagnostics.filter((found) => overlaps(positions.range(found.range), range));
  const canSuppress = format === "yaml" && findings.length <= maxSuppressionTrials;
  const actions = new Map<string, lsp.CodeAction>();
  for (const finding of findings) {
    const offers = [...fixOffers(positions, finding)];
    for (const offer of canSuppress ? await suppressionOffers(host.cache, file, finding) : []) {
      // The editor may have sent a cancellation.
      await setImmediate();
      if (isCancelled()) return [];
      // Only comments that suppress the finding and hide nothing else.
      const works = (after: EditorOutcome) =>
        after.kind === "linted" && onlyRemoves(report, after.report, offer.suppresses);
      if (await host.cache.tryEdits(file, offer.edits, works)) offers.push(offer);
    }
    const diagnostics = [toEditorDiagnostic(file.uri, positions, finding, folder)];
    for (const { title, edits, isPreferred } of offers) {
      const edit = host.toWorkspaceEdit(file, edits);
      const action = { title, kind: lsp.CodeActionKind.QuickFix, diagnostics, edit, isPreferred };
      // One comment at the top of the file suppresses all findings of a rule.
      getOrCreate(actions, JSON.stringify(edits), () => action);
    }
  }
  return [...actions.values()];
}

/** All safe fixes as one edit. */
async function fixAll(host: Host, file: OpenFile): Promise<lsp.CodeAction[]> {
  const fixed = await host.cache.linterFor(file).fix(file);
  if (fixed === file.document.getText()) return [];
  const edit = host.toWorkspaceEdit(file, changedLines(file.document, fixed));
  return [{ title: "Fix everything that promptpack can fix", kind: fixAllKind, edit }];
}

function* fixOffers(positions: EditorPositions, { fix }: Diagnostic): Iterable<QuickFixOffer> {
  if (fix === undefined) return;
  const isUnsafe = fix.unsafe === true;
  const title = escapeInvisible(fix.description.replace(/\.$/u, ""));
  yield {
    title: isUnsafe ? `${title} (likely, not certain)` : title,
    edits: fix.edits.map((edit) => positions.edit(edit)),
    isPreferred: !isUnsafe,
  };
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

async function suppressionOffers(
  cache: LintCache,
  file: OpenFile,
  { rule, pointer, range }: Diagnostic,
): Promise<readonly SuppressionOffer[]> {
  const { document } = file;
  // Above the key or item: inside of a multi-line string, a comment would be text.
  const line = (await cache.lineOf(file, pointer)) ?? range.start.line;
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
