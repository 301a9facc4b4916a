import type { Diagnostic } from "../../diagnostic.js";
import { withBom } from "../../document/decode.js";
import type { Document } from "../../document/document.js";
import { detectFormat } from "../../document/format-of.js";
import { loadReader, readDocumentLazily } from "../../document/read-lazily.js";
import { isFixable, type Fixable } from "../../fix/apply-edits.js";
import type { LintOutcome } from "../../fix/is-sound.js";
import type { LintFileOptions } from "../../judge.js";
import type { FileReport } from "../../reporters/report.js";
import type { Baseline } from "../baseline/baseline.js";
import { lintWithSettings, type LintInput, type ConfiguredResult } from "../config/judge-by-settings.js";
import type { Settings } from "../config/settings.js";
import { findDanglingEntries } from "../config/stale-entries.js";
import type { LintedFile } from "../report/linted.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Stopwatch } from "../terminal/stopwatch.js";

export interface LintSource extends LintInput, Pick<LintFileOptions, "routes"> {
  readonly bytes: Uint8Array;
}

/** A source with all that decides on what is found in it. */
export interface LintTask {
  readonly source: LintSource;
  readonly settings: Settings;
  readonly request: LintRequest;
  readonly stopwatch: Stopwatch;
  /** What is known counts as silenced. */
  readonly baseline?: Baseline | undefined;
}

/** Everything that happens to one file, from its bytes to what is reported of it. */
export async function lintSource(task: LintTask): Promise<LintedFile> {
  const { source, settings, request } = task;
  const { document, judged } = await readAndLint(task);
  const { specVersion, suppressed, used, mayReport } = judged;
  const diagnostics = await withVerifiedFixes(task, document, judged);
  const found = [...diagnostics, ...suppressed.map(({ diagnostic }) => diagnostic)];
  return {
    format: document.format,
    hasFaults: document.faults.length > 0,
    levels: settings.levels,
    mayReport,
    usedEntries: new Set([...used, ...settings.ignoredFindings.filter(({ rule }) => !mayReport(rule))]),
    danglingEntries: findDanglingEntries(document, settings),
    report: {
      file: source.file,
      specVersion,
      diagnostics,
      suppressed,
      lines: document.lines,
      ...(await stablePointers(request, document, found)),
    },
  };
}

/** The source with everything fixed that can be and is not known; nothing when that is nothing. */
export async function fixSource(
  task: LintTask,
): Promise<{ readonly before: string; readonly after: string; readonly fixed: number } | undefined> {
  const { request, stopwatch } = task;
  const { document, judged } = await readAndLint(task);
  if (!judged.kept.some(isFixable)) return undefined;
  const { applyFixes } = await import("../../fix/apply-fixes.js");
  const check = await makeChecker(task, document);
  const shouldFix = ({ fix }: Fixable) => request.unsafeFixes || fix.unsafe !== true;
  const { text, fixed } = stopwatch.time("fixes", () => applyFixes(document.text, judged, { check, shouldFix }));
  return text === document.text ? undefined : { before: document.text, after: text, fixed };
}

async function readAndLint(task: LintTask): Promise<{ readonly document: Document; readonly judged: ConfiguredResult }> {
  const { source, request, stopwatch } = task;
  const format = detectFormat(source.file, source.bytes);
  const document = await stopwatch.timeAsync("parse", () =>
    readDocumentLazily(source.bytes, format, request.limits),
  );
  const around: LintFileOptions["around"] = request.stats
    ? (name, work) => stopwatch.time(name, work)
    : undefined;
  return { document, judged: lintParsedSource(task, document, around) };
}

/** The known findings, too, are among those that are silenced. */
function lintParsedSource(
  { source, settings, request, baseline }: LintTask,
  document: Document,
  around?: LintFileOptions["around"],
): ConfiguredResult {
  const { file, path, routes, lookedFor } = source;
  const { specVersion, inlineConfig, kind } = request;
  const options = { specVersion, inlineConfig, kind, routes, around };
  const judged = lintWithSettings({ file, path, document, lookedFor }, settings, options);
  if (baseline === undefined) return judged;
  const { kept: diagnostics, suppressed } = judged;
  const { root, lines } = document;
  const report = { file, specVersion: judged.specVersion, diagnostics, suppressed, lines };
  const silenced = baseline.suppressKnown(report, root);
  return { ...judged, kept: silenced.diagnostics, suppressed: silenced.suppressed };
}

/** The findings, without the fixes that would not do what they say. */
async function withVerifiedFixes(
  task: LintTask,
  document: Document,
  judged: ConfiguredResult,
): Promise<readonly Diagnostic[]> {
  if (!task.request.offersFixes || !judged.kept.some(isFixable)) return judged.kept;
  const { withVerifiedFixes: soundOffers } = await import("../../fix/apply-fixes.js");
  const check = await makeChecker(task, document);
  return task.stopwatch.time("fixes", () => soundOffers(document.text, judged, check));
}

/** Lints other texts in the place of this one. */
async function makeChecker(task: LintTask, { format }: Document): Promise<(text: string) => LintOutcome> {
  const read = await loadReader(format);
  return (text) => lintParsedSource(task, read(withBom(text), task.request.limits));
}

/** What it takes to know findings again in the next run, as far as a baseline or a format has to. */
async function stablePointers(
  { baseline, formats }: LintRequest,
  { root }: Document,
  found: readonly Diagnostic[],
): Promise<Pick<FileReport, "stablePointers">> {
  const isAsked = baseline !== undefined || formats.some(({ name }) => name === "sarif" || name === "gitlab");
  if (!isAsked) return {};
  const { stablePointers: lastingPointers } = await import("../../document/lasting-pointers.js");
  return { stablePointers: lastingPointers(root, found) };
}
