import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Analysis, type Findings, type LintSettings } from "../../analysis.js";
import type { Diagnostic } from "../../diagnostic.js";
import { loadReader } from "../../document/read-lazily.js";
import { withBom } from "../../document/text-document.js";
import { type Fixable, isFixable, isProved } from "../../fix/apply-edits.js";
import type * as Fixes from "../../fix/apply-fixes.js";
import type { ProjectFindings } from "../../project-findings.js";
import type { Prover } from "../../fix/proved-fixes.js";
import { RuleFailure } from "../../lint/run-rules.js";
import type { FileContext } from "../../rules/rule.js";
import type { LintRequest } from "../config/lint-request.js";
import { ConfigError } from "../config/load-config.js";
import { type Settings, SettingsResolver } from "../config/settings.js";
import { openAnalysis } from "../files/open-analysis.js";
import { describeIoError, FileError, readWithin } from "../files/read-file.js";
import type { BaselineFile } from "./baseline.js";
import { configSuppressor, staleEntriesOf } from "./config-findings.js";
import type { LintedFile } from "./write-reports.js";
import type { Stopwatch } from "../terminal/progress.js";

/** How a project of sources is linted, which is one text to those who fix it. */
export interface SourcesTask extends Prover {
  readonly lint: (analysis: Analysis) => ProjectFindings;
}

export interface LintTask extends Pick<LintSettings, "routes"> {
  readonly file: string;
  /** Undefined for standard input, whatever its name. */
  readonly path: string | undefined;
  readonly bytes: Uint8Array;
  readonly analysis?: Analysis | undefined;
  readonly sources?: SourcesTask | undefined;
  readonly settings: Settings;
  readonly request: LintRequest;
  readonly stopwatch: Stopwatch;
  /** Its findings are not fixed. */
  readonly baseline?: BaselineFile | undefined;
  readonly onLookup?: ((path: string) => void) | undefined;
  readonly onAnswer?: (
    question: keyof FileContext,
    name: string,
    answer: boolean | string | undefined,
  ) => void;
}

/** A file that cannot be parsed must not pass as clean. */
export const hiddenParseError =
  'cannot be parsed, and "parse-error", which would say why, is off: turn it on, or ignore the file';

export async function lintFile(task: LintTask): Promise<LintedFile> {
  const { file, settings, request } = task;
  const analysis = await analysisOf(task);
  const { lines, text, faults } = analysis.document;
  const findings = lintAnalysis(task, analysis);
  const { kept, suppressed, root: _, ...found } = findings;
  if (faults.length > 0 && kept.length + suppressed.length === 0) throw new FileError(hiddenParseError);
  const verified = request.offersFixes
    ? await withFixes(task, analysis, findings, (fixes, check) =>
        fixes.withVerifiedFixes(text, findings, check),
      )
    : undefined;
  return { ...found, file, diagnostics: verified ?? kept, suppressed, lines, settings, analysis };
}

/** The text with its fixable findings fixed, except those in the baseline; undefined if that changes nothing. */
export async function fixFile(task: LintTask): Promise<Fixes.FixResult | undefined> {
  const analysis = await analysisOf(task);
  const { text } = analysis.document;
  const findings = findingsFor(task, analysis);
  const canFix = findings.kept.some((found) => isFixable(found) || isProved(found));
  const result =
    canFix && task.request.unsafeFixes
      ? (await import("../../fix/proved-fixes.js")).applyProvedFixes(
          analysis,
          await proverFor(task, analysis),
        )
      : await withFixes(task, analysis, findings, (fixes, check) =>
          fixes.applyFixes(text, findings, { check, shouldFix: wantedFixes(task.request) }),
        );
  return result?.text === text ? undefined : result;
}

export function wantedFixes({ unsafeFixes }: LintRequest): (finding: Fixable) => boolean {
  return ({ fix }) => unsafeFixes || fix.unsafe !== true;
}

/** The small edits that would fix a finding of a file, the best first. */
export async function prove(task: LintTask, finding: Diagnostic): Promise<readonly Fixable[]> {
  const analysis = await analysisOf(task);
  const checked = findingsFor(task, analysis);
  const { proveFixes } = await import("../../fix/proved-fixes.js");
  return proveFixes(analysis, checked, [finding], await proverFor(task, analysis)).flat();
}

function findingsFor(task: LintTask, analysis: Analysis): Findings {
  return task.sources?.lint(analysis) ?? lintAnalysis(task, analysis);
}

/** Loads the code for fixes only if something can be fixed. */
export async function withFixes<Result>(
  task: LintTask,
  analysis: Analysis,
  { kept }: Findings,
  work: (fixes: typeof Fixes, check: Fixes.FixOptions["check"]) => Result,
): Promise<Result | undefined> {
  if (!kept.some(isFixable)) return undefined;
  const fixes = await import("../../fix/apply-fixes.js");
  const { analyze, lint } = await proverFor(task, analysis);
  return task.stopwatch.time("fixes", () => work(fixes, (text) => lint(analyze(text))));
}

async function proverFor(task: LintTask, { document }: Analysis): Promise<Prover> {
  if (task.sources !== undefined) return task.sources;
  const read = await loadReader(document.format);
  const { limits, specVersion } = task.request;
  return {
    analyze: (text, work) => new Analysis(task.file, read(withBom(text), limits), { specVersion, work }),
    lint: (analysis) => lintAnalysis(task, analysis),
  };
}

async function analysisOf({ file, bytes, analysis, request, stopwatch }: LintTask): Promise<Analysis> {
  if (analysis !== undefined) return analysis;
  const { limits, specVersion, stats } = request;
  const around = stats ? <T>(name: string, work: () => T) => stopwatch.time(name, work) : undefined;
  return stopwatch.timeAsync("parse", () => openAnalysis(file, bytes, { limits, specVersion, around }));
}

function lintAnalysis(task: LintTask, analysis: Analysis) {
  const { file, routes, settings, baseline, request } = task;
  const suppressors = baseline && [baseline.suppressorFor(file)];
  return lintWithSettings(analysis, task, settings, { ...lintOptions(request), routes, suppressors });
}

/** The settings of a request that are the same for every file. */
export function lintOptions({ inlineConfig, kind, formats, baseline }: LintRequest): LintSettings {
  const stablePointers =
    baseline !== undefined || formats.some(({ name }) => name === "sarif" || name === "gitlab");
  return { inlineConfig, kind, stablePointers };
}

function lintWithSettings(
  analysis: Analysis,
  source: FileBeside,
  { levels, ignoredFindings, properties, target }: Settings,
  { suppressors = [], ...options }: LintSettings,
) {
  const ignored = configSuppressor(ignoredFindings);
  const all = { ...options, levels, properties, target, suppressors: [ignored, ...suppressors] };
  const findings = analysis.lint({ ...all, ...fileContext(source) });
  const staleEntries = staleEntriesOf(analysis.document, ignoredFindings, ignored, findings.silentRules);
  return { ...findings, staleEntries };
}

export type FileBeside = Pick<LintTask, "path" | "onLookup" | "onAnswer">;

/** Rules can look for other files unless the folder exists only in git, or not yet. */
export function fileContext({ path, onLookup, onAnswer }: FileBeside): FileContext {
  if (path === undefined || !existsSync(dirname(path))) return {};
  const folder = dirname(path);
  const ask =
    <Answer extends boolean | string | undefined>(
      question: keyof FileContext,
      answerFor: (other: string) => Answer,
    ) =>
    (name: string): Answer => {
      const other = resolve(folder, name);
      onLookup?.(other);
      const answer = answerFor(other);
      onAnswer?.(question, name, answer);
      return answer;
    };
  return {
    fileExists: ask("fileExists", existsSync),
    readFileBeside: ask("readFileBeside", (other) => readWithin(folder, other)),
  };
}

/** The findings of `lint` without other flags: comments and configs count. */
export async function lintOpenedPack(
  analysis: Analysis,
  cwd: string,
  config: string | false | undefined,
): Promise<readonly Diagnostic[]> {
  const resolver = new SettingsResolver(cwd, { preset: undefined, rules: new Map(), config });
  const path = resolve(cwd, analysis.file);
  const source = { path: analysis.file === "<stdin>" ? undefined : path };
  return lintWithSettings(analysis, source, await resolver.settingsFor(path), { kind: "pack" }).kept;
}

/** Loads the code for baselines only if there is one. */
export async function openBaseline(
  { baseline, updateBaseline }: LintRequest,
  cwd: string,
): Promise<BaselineFile | undefined> {
  if (baseline === undefined) return undefined;
  const { BaselineFile } = await import("./baseline.js");
  return BaselineFile.open(baseline, cwd, updateBaseline);
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
