import { detectFormat } from "../../document/file-format.js";
import type { Diagnostic } from "../../diagnostic.js";
import { type Document } from "../../document/document.js";
import { loadReader, readDocumentLazily } from "../../document/read-lazily.js";
import { withBom } from "../../document/text-document.js";
import { type Fixable, isFixable } from "../../fix/apply-edits.js";
import type { CheckedText } from "../../fix/apply-fixes.js";
import { Analysis, type AnalysisOptions, type LintSettings } from "../../analysis.js";
import { RuleFailure } from "../../lint/run-rules.js";
import type { FileReport } from "../../reporters/report.js";
import { findDanglingEntries } from "../config/ignored-findings.js";
import type { LintRequest } from "../config/lint-request.js";
import { type ConfiguredResult, type LintInput, lintWithSettings } from "../config/lint-with-settings.js";
import { ConfigError } from "../config/load-config.js";
import { type Settings, SettingsResolver } from "../config/settings.js";
import { describeIoError, FileError } from "../files/read-file.js";
import type { Stopwatch } from "../terminal/progress.js";
import type { Baseline } from "./baseline.js";
import type { LintedFile } from "./file-reports.js";

/** A source whose bytes are read only if its settings do not ignore it. */
export interface UnreadSource extends LintInput, Pick<LintSource, "routes" | "analysis"> {
  readonly bytes: () => Uint8Array;
}

export type LintOutcome =
  | { readonly kind: "linted"; readonly linted: LintedFile; readonly settings: Settings }
  | { readonly kind: "skipped"; readonly by: string }
  | { readonly kind: "failed"; readonly sentences: readonly string[]; readonly cause: unknown };

/** A file that cannot be parsed must not pass as clean. */
const hiddenParseError =
  'cannot be parsed, and "parse-error", which would say why, is off: turn it on, or ignore the file';

/** Those of earlier runs; what it does not know it lints. */
interface KnownFindings {
  findingsOf(
    source: LintSource,
    settings: Settings,
    lint: (source: LintSource) => Promise<LintedFile>,
  ): Promise<LintedFile>;
}

/** Lints each file by its own settings. A failure of one does not stop the others. */
export class FileLinter {
  readonly settings: SettingsResolver;

  constructor(
    cwd: string,
    private readonly request: LintRequest,
    private readonly stopwatch: Stopwatch,
    private readonly known?: KnownFindings,
  ) {
    this.settings = new SettingsResolver(cwd, request);
  }

  /** Whether a file is skipped; a broken config is reported when the file is linted. */
  async ignores(path: string): Promise<boolean> {
    try {
      return (await this.settings.settingsFor(path)).ignoredBy !== undefined;
    } catch {
      return false;
    }
  }

  /** `path` selects the settings; `fix` may change the bytes before they are linted. */
  async lint(
    source: UnreadSource,
    path: string,
    fix?: (task: LintTask) => Promise<Uint8Array>,
  ): Promise<LintOutcome> {
    try {
      const settings = await this.settings.settingsFor(path);
      if (settings.ignoredBy !== undefined) return { kind: "skipped", by: settings.ignoredBy };
      const { request, stopwatch } = this;
      const read = { ...source, bytes: stopwatch.time("read files", source.bytes) };
      const task = { source: read, settings, request, stopwatch };
      const lint = (source: LintSource) => lintSource({ ...task, source });
      const linted =
        fix !== undefined
          ? await lint({ ...read, bytes: await fix(task) })
          : await (this.known?.findingsOf(read, settings, lint) ?? lint(read));
      const { diagnostics, suppressed } = linted.report;
      if (linted.hasFaults && diagnostics.length + suppressed.length === 0)
        throw new FileError(hiddenParseError);
      return { kind: "linted", linted, settings };
    } catch (error) {
      return { kind: "failed", sentences: describeFailure(source.file, error), cause: error };
    }
  }
}

/** Loads the code for baselines only if there is one. */
export async function openBaseline(
  { baseline, updateBaseline }: LintRequest,
  cwd: string,
): Promise<Baseline | undefined> {
  if (baseline === undefined) return undefined;
  const { Baseline } = await import("./baseline.js");
  return Baseline.open(baseline, cwd, updateBaseline);
}

export function describeFailure(file: string, error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof FileError) return [`"${file}" ${describeIoError(error)}.`];
  const rule = error instanceof RuleFailure ? ` in the rule "${error.rule}"` : "";
  const cause: unknown = error instanceof RuleFailure ? error.cause : error;
  const detail = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/u, "");
  return [
    `"${file}" caused an internal error${rule}: ${detail}. Please report it, with the file if you can.`,
  ];
}

export interface LintSource extends LintInput, Pick<LintSettings, "routes"> {
  readonly bytes: Uint8Array;
  /** The analysis of these bytes, if they have been read already. */
  readonly analysis?: Analysis | undefined;
}

export interface LintTask {
  readonly source: LintSource;
  readonly settings: Settings;
  readonly request: LintRequest;
  readonly stopwatch: Stopwatch;
  readonly baseline?: Baseline | undefined;
}

async function lintSource(task: LintTask): Promise<LintedFile> {
  const { source, settings, request } = task;
  const { analysis, result } = await readAndLint(task);
  const { document } = analysis;
  const { specVersion, suppressed, used, mayReport, propertyNames } = result;
  const diagnostics = await withVerifiedFixes(task, document, result);
  const found = [...diagnostics, ...suppressed.map(({ diagnostic }) => diagnostic)];
  return {
    analysis,
    format: document.format,
    hasFaults: document.faults.length > 0,
    levels: settings.levels,
    mayReport,
    usedEntries: new Set([...used, ...settings.ignoredFindings.filter(({ rule }) => !mayReport(rule))]),
    danglingEntries: findDanglingEntries(document, settings),
    propertyNames,
    report: {
      file: source.file,
      specVersion,
      diagnostics,
      suppressed,
      lines: document.lines,
      ...(await loadStablePointers(request, document, found)),
    },
  };
}

/** The source with its fixable findings fixed, except those in the baseline; undefined if that changes nothing. */
export async function fixSource(task: LintTask) {
  const { request, stopwatch } = task;
  const { analysis, result } = await readAndLint(task);
  const { document } = analysis;
  if (!result.kept.some(isFixable)) return undefined;
  const { applyFixes } = await import("../../fix/apply-fixes.js");
  const check = await makeChecker(task, document);
  const shouldFix = ({ fix }: Fixable) => request.unsafeFixes || fix.unsafe !== true;
  const { text, fixed } = stopwatch.time("fixes", () =>
    applyFixes(document.text, result, { check, shouldFix }),
  );
  return text === document.text ? undefined : { before: document.text, after: text, fixed };
}

async function readAndLint(task: LintTask) {
  const analysis = task.source.analysis ?? (await analyze(task));
  return { analysis, result: lintAnalysis(task, analysis) };
}

async function analyze({ source, request, stopwatch }: LintTask): Promise<Analysis> {
  const { file, bytes } = source;
  const { limits, specVersion, stats } = request;
  const document = await stopwatch.timeAsync("parse", () =>
    readDocumentLazily(bytes, detectFormat(file, bytes), limits),
  );
  const around: AnalysisOptions["around"] = (name, work) => stopwatch.time(name, work);
  return new Analysis(file, document, { specVersion, around: stats ? around : undefined });
}

function lintAnalysis(
  { source, settings, request, baseline }: LintTask,
  analysis: Analysis,
): ConfiguredResult {
  const { file, routes } = source;
  const { inlineConfig, kind } = request;
  const result = lintWithSettings(analysis, source, settings, { inlineConfig, kind, routes });
  if (baseline === undefined) return result;
  const { lines, root } = analysis.document;
  const report = { ...result, file, diagnostics: result.kept, lines };
  const { diagnostics: kept, suppressed } = baseline.suppressKnown(report, root);
  return { ...result, kept, suppressed };
}

async function withVerifiedFixes(
  task: LintTask,
  document: Document,
  result: ConfiguredResult,
): Promise<readonly Diagnostic[]> {
  if (!task.request.offersFixes || !result.kept.some(isFixable)) return result.kept;
  const fixes = await import("../../fix/apply-fixes.js");
  const check = await makeChecker(task, document);
  return task.stopwatch.time("fixes", () => fixes.withVerifiedFixes(document.text, result, check));
}

async function makeChecker(task: LintTask, { format }: Document): Promise<(text: string) => CheckedText> {
  const read = await loadReader(format);
  const { limits, specVersion } = task.request;
  return (text) =>
    lintAnalysis(task, new Analysis(task.source.file, read(withBom(text), limits), { specVersion }));
}

/** Pointers that identify findings across runs, if the baseline or a format needs them. */
async function loadStablePointers(
  { baseline, formats }: LintRequest,
  { root }: Document,
  found: readonly Diagnostic[],
): Promise<Pick<FileReport, "stablePointers">> {
  const isNeeded =
    baseline !== undefined || formats.some(({ name }) => name === "sarif" || name === "gitlab");
  if (!isNeeded) return {};
  const { stablePointers } = await import("../../document/pointers.js");
  return { stablePointers: stablePointers(root, found) };
}
