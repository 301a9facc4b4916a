import { setImmediate } from "node:timers/promises";
import type { Diagnostic } from "../../diagnostic.js";
import { diffLines, splitLines } from "../../fix/unified-diff.js";
import type { FileReport } from "../../reporters/report.js";
import { escapeInvisible } from "../../text/escape.js";
import type { EditorOutcome, LintCache } from "./editor-linter.js";
import { EditorPositions } from "./editor-positions.js";
import type { OpenFile } from "./open-files.js";
import {
  type CodeAction,
  CodeActionKind,
  type EditorEdit,
  type EditorRange,
  type TextDocument,
} from "./protocol.js";
import { toEditorDiagnostic } from "./publish-diagnostics.js";

export const fixAllKind = `${CodeActionKind.SourceFixAll}.promptpack`;

type LintedOutcome = Extract<EditorOutcome, { kind: "linted" }>;

/** Each comment is tried by linting, and nobody who marks the whole file wants to silence all of it. */
const maxSuppressionTrials = 10;

/** Puts edits into the shape that the editor takes. */
type ToWorkspaceEdit = (file: OpenFile, edits: EditorEdit[]) => NonNullable<CodeAction["edit"]>;

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
  private async verifiedSuppressions(
    file: OpenFile,
    before: FileReport,
    finding: Diagnostic,
  ): Promise<QuickFixOffer[]> {
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

/** Something that can be done about a finding. */
interface QuickFixOffer {
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
function suppressionOffers(
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
      suppressesOnly: (before, after) =>
        onlyRemoves(before, after, (found) => found.rule === rule && isHere(found)),
    },
    {
      title: `Silence ${rule} in this file`,
      ...insert(places.position({ line: 1, column: 1 }), `# promptpack-disable ${rule}`),
      suppressesOnly: (before, after) => onlyRemoves(before, after, (found) => found.rule === rule),
    },
  ];
}

/** Whether these findings are gone, and otherwise nothing has changed. */
function onlyRemoves(
  before: FileReport,
  after: FileReport,
  isMeant: (found: Diagnostic) => boolean,
): boolean {
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
