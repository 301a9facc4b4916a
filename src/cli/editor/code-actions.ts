import { setImmediate } from "node:timers/promises";
import type { Diagnostic } from "../../diagnostic.js";
import { diffLines, splitLines } from "../../fix/line-changes.js";
import type { FileReport } from "../../reporters/report.js";
import { escapeInvisible } from "../../text/visible-text.js";
import { toEditorDiagnostic } from "./editor-diagnostic.js";
import type { EditorOutcome } from "./editor-linter.js";
import { EditorPositions } from "./editor-places.js";
import type { LintCache } from "./file-checks.js";
import type { OpenFile } from "./open-files.js";
import {
  CodeActionKind,
  type TextDocument,
  type CodeAction,
  type EditorEdit,
  type EditorRange,
} from "./protocol.js";
import { suppressionOffers, type QuickFixOffer } from "./silencing-comments.js";

export const fixAllKind = `${CodeActionKind.SourceFixAll}.promptpack`;

type LintedOutcome = Extract<EditorOutcome, { kind: "linted" }>;

/** Each comment is tried by linting, and nobody who marks the whole file wants to silence all of it. */
const maxSuppressionTrials = 10;

/** Puts edits into the shape that the editor takes. */
export type ToWorkspaceEdit = (file: OpenFile, edits: EditorEdit[]) => NonNullable<CodeAction["edit"]>;

/** What can be done about the findings in a part of a file. */
export class CodeActions {
  constructor(
    private readonly checks: LintCache,
    private readonly toWorkspaceEdit: ToWorkspaceEdit,
    /** Whether nobody waits for them any more. */
    private readonly isCancelled: () => boolean,
  ) {}

  /** Those of the kinds that are asked for; where none is named, quick fixes. */
  async actionsFor(
    file: OpenFile,
    outcome: LintedOutcome,
    range: EditorRange,
    kinds: readonly string[],
  ): Promise<CodeAction[]> {
    // All fixes are only searched for by name: not whenever the cursor moves.
    const asked = kinds.length === 0 ? [CodeActionKind.QuickFix] : kinds;
    const isAsked = (kind: string) => asked.some((each) => each === "" || `${kind}.`.startsWith(`${each}.`));
    return [
      ...(isAsked(CodeActionKind.QuickFix) ? await this.quickFixes(file, outcome, range) : []),
      ...(isAsked(fixAllKind) ? await this.fixAll(file) : []),
    ];
  }

  /** A fix, or a comment that silences the finding. */
  private async quickFixes(
    file: OpenFile,
    { report, format }: LintedOutcome,
    range: EditorRange,
  ): Promise<CodeAction[]> {
    const places = new EditorPositions(file.document);
    const touched = report.diagnostics.filter((found) => overlaps(places.range(found.range), range));
    const isSilencable = format === "yaml" && touched.length <= maxSuppressionTrials;
    const actions = new Map<string, CodeAction>();
    for (const finding of touched) {
      const silencers = isSilencable ? await this.verifiedSuppressions(file, report, finding) : [];
      const diagnostics = [toEditorDiagnostic(file.uri, places, finding)];
      for (const { title, edits, isPreferred } of [...fixOffers(places, finding), ...silencers]) {
        const edit = this.toWorkspaceEdit(file, edits);
        const action = { title, kind: CodeActionKind.QuickFix, diagnostics, edit, isPreferred };
        // Two findings of one rule are silenced in the file by the same comment.
        const key = JSON.stringify(edits);
        if (!actions.has(key)) actions.set(key, action);
      }
    }
    return [...actions.values()];
  }

  /** All fixes that are certain, as one edit. */
  private async fixAll(file: OpenFile): Promise<CodeAction[]> {
    const text = file.document.getText();
    const fixed = await this.checks.fixedText(file);
    if (fixed === text) return [];
    const edit = this.toWorkspaceEdit(file, changedLines(file.document, fixed));
    return [{ title: "Fix everything that promptpack can fix", kind: fixAllKind, edit }];
  }

  /** Comments that do what they say: one that would not, or would hide more than that, is not offered. */
  private async verifiedSuppressions(file: OpenFile, before: FileReport, finding: Diagnostic): Promise<QuickFixOffer[]> {
    const offers: QuickFixOffer[] = [];
    const line = await this.checks.lineOf(file, finding.pointer);
    for (const offer of suppressionOffers(file.document, finding, line)) {
      // Lets the editor get a word in: it may have changed its mind.
      await setImmediate();
      if (this.isCancelled()) return [];
      const isRight = (after: EditorOutcome) =>
        after.kind === "linted" && offer.suppressesOnly(before, after.report);
      if (await this.checks.tryEdits(file, offer.edits, isRight)) offers.push(offer);
    }
    return offers;
  }
}

function* fixOffers(places: EditorPositions, { fix }: Diagnostic): Iterable<QuickFixOffer> {
  if (fix === undefined) return;
  const isUnsafe = fix.unsafe === true;
  const title = escapeInvisible(fix.description.replace(/\.$/u, ""));
  yield {
    title: isUnsafe ? `${title} (likely, not certain)` : title,
    edits: fix.edits.map((edit) => ({ range: places.span(edit), newText: edit.text })),
    isPreferred: !isUnsafe,
  };
}

function overlaps(a: EditorRange, b: EditorRange): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: EditorRange["start"], b: EditorRange["start"]): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** The lines that differ: the cursor stays where it is. */
function changedLines(document: TextDocument, after: string): EditorEdit[] {
  const old = splitLines(document.getText());
  const now = splitLines(after);
  const starts = [0];
  for (const line of old) starts.push((starts.at(-1) ?? 0) + line.length);
  const at = (line: number) => document.positionAt(starts[line] ?? 0);
  return diffLines(old, now).map(({ from, to, newFrom, newTo }) => ({
    range: { start: at(from), end: at(to) },
    newText: now.slice(newFrom, newTo).join(""),
  }));
}
