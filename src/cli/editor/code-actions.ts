import { setImmediate } from "node:timers/promises";
import type { Diagnostic } from "../../diagnostic.js";
import { lineChanges, linesOf } from "../../fix/line-changes.js";
import type { FileReport } from "../../reporters/report.js";
import { visible } from "../../text/visible-text.js";
import { editorDiagnostic } from "./editor-diagnostic.js";
import type { EditorOutcome } from "./editor-linter.js";
import { EditorPlaces } from "./editor-places.js";
import type { FileChecks } from "./file-checks.js";
import type { OpenFile } from "./open-files.js";
import {
  CodeActionKind,
  type TextDocument,
  type CodeAction,
  type EditorEdit,
  type EditorRange,
} from "./protocol.js";
import { silencersOf, type Offer } from "./silencing-comments.js";

export const fixAllKind = `${CodeActionKind.SourceFixAll}.promptpack`;

type Linted = Extract<EditorOutcome, { kind: "linted" }>;

/** Each comment is tried by linting, and nobody who marks the whole file wants to silence all of it. */
const mostTried = 10;

/** Puts edits into the shape that the editor takes. */
export type EditOf = (file: OpenFile, edits: EditorEdit[]) => NonNullable<CodeAction["edit"]>;

/** What can be done about the findings in a part of a file. */
export class CodeActions {
  constructor(
    private readonly checks: FileChecks,
    private readonly editOf: EditOf,
    /** Whether nobody waits for them any more. */
    private readonly isCancelled: () => boolean,
  ) {}

  /** Those of the kinds that are asked for; where none is named, quick fixes. */
  async of(
    file: OpenFile,
    outcome: Linted,
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
    { report, format }: Linted,
    range: EditorRange,
  ): Promise<CodeAction[]> {
    const places = new EditorPlaces(file.document);
    const touched = report.diagnostics.filter((found) => touches(places.range(found.range), range));
    const isSilencable = format === "yaml" && touched.length <= mostTried;
    const actions = new Map<string, CodeAction>();
    for (const finding of touched) {
      const silencers = isSilencable ? await this.silencers(file, report, finding) : [];
      const diagnostics = [editorDiagnostic(file.uri, places, finding)];
      for (const { title, edits, isPreferred } of [...fixes(places, finding), ...silencers]) {
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
  private async fixAll(file: OpenFile): Promise<CodeAction[]> {
    const text = file.document.getText();
    const fixed = await this.checks.fixed(file);
    if (fixed === text) return [];
    const edit = this.editOf(file, changedLines(file.document, fixed));
    return [{ title: "Fix everything that promptpack can fix", kind: fixAllKind, edit }];
  }

  /** Comments that do what they say: one that would not, or would hide more than that, is not offered. */
  private async silencers(file: OpenFile, before: FileReport, finding: Diagnostic): Promise<Offer[]> {
    const offers: Offer[] = [];
    const line = await this.checks.lineOf(file, finding.pointer);
    for (const offer of silencersOf(file.document, finding, line)) {
      // Lets the editor get a word in: it may have changed its mind.
      await setImmediate();
      if (this.isCancelled()) return [];
      const isRight = (after: EditorOutcome) =>
        after.kind === "linted" && offer.silences(before, after.report);
      if (await this.checks.tried(file, offer.edits, isRight)) offers.push(offer);
    }
    return offers;
  }
}

function* fixes(places: EditorPlaces, { fix }: Diagnostic): Iterable<Offer> {
  if (fix === undefined) return;
  const isUnsafe = fix.unsafe === true;
  const title = visible(fix.description.replace(/\.$/u, ""));
  yield {
    title: isUnsafe ? `${title} (likely, not certain)` : title,
    edits: fix.edits.map((edit) => ({ range: places.span(edit), newText: edit.text })),
    isPreferred: !isUnsafe,
  };
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
