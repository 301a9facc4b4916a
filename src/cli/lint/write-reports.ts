import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Analysis, Findings } from "../../analysis.js";
import { compareDiagnostics, compareText, type Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { type ReporterName, reporters } from "../../reporters/index.js";
import { type FileReport, type Report, type ReporterOptions, summarize } from "../../reporters/report.js";
import { rules } from "../../rules/index.js";
import { tryTo } from "../../text/collections.js";
import { loadPaint, plainPaint } from "../../text/paint.js";
import { newestSpecVersion, ruleDocsLink, toolInfo } from "../../text/tool-info.js";
import type { LintRequest, OutputFormat } from "../config/lint-request.js";
import type { Settings } from "../config/settings.js";
import { localRulePage, readPackageFile } from "../files/package-files.js";
import { isBelow, realPathOf, withForwardSlashes } from "../files/paths.js";
import { describeIoError } from "../files/read-file.js";
import { appendToFile, writeOutputFile } from "../files/write-file.js";
import {
  escapeLogCommands,
  type Io,
  printMessage,
  rawOutput,
  shouldUseColor,
  supportsHyperlinks,
} from "../terminal/io.js";

/** An entry of `ignore` that suppresses nothing in a file, though its rule could have reported there. */
export interface StaleEntry {
  readonly index: number;
  /** Whether its pointer does not exist, as after a rename. */
  readonly isDangling: boolean;
}

/** Before the baseline is applied. */
export interface LintedFile extends FileReport, Pick<Findings, "silentRules" | "propertyNames"> {
  readonly settings: Settings;
  readonly staleEntries: readonly StaleEntry[];
  readonly folder?: string | undefined;
  /** The head of the project that it is a part of. */
  readonly project?: string;
  /** Unless the findings come from the cache. */
  readonly analysis?: Analysis;
}

export function configFileReport(
  file: string,
  { lines }: Document,
  diagnostics: readonly Diagnostic[],
): FileReport {
  return { file, specVersion: newestSpecVersion, diagnostics, suppressed: [], lines, isConfigFile: true };
}

/** One report for each file: a config or baseline with stale entries may have been linted, too. */
export function mergeReportsByFile(reports: readonly FileReport[]): readonly FileReport[] {
  const byFile = new Map<string, FileReport>();
  for (const report of reports) {
    const first = byFile.get(report.file);
    if (first === undefined) byFile.set(report.file, report);
    else {
      const diagnostics = [...first.diagnostics, ...report.diagnostics].sort(compareDiagnostics);
      const suppressed = [...first.suppressed, ...report.suppressed];
      byFile.set(report.file, { ...first, diagnostics, suppressed });
    }
  }
  return [...byFile.values()].sort((a, b) => compareText(a.file, b.file));
}

/** With `--quiet`, reports show only errors; the exit code still depends on all findings. */
export function applyQuiet({ quiet }: LintRequest, files: readonly FileReport[]): readonly FileReport[] {
  if (!quiet) return files;
  const isError = ({ severity }: Diagnostic) => severity === "error";
  return files.map((file) => {
    const diagnostics = file.diagnostics.filter(isError);
    const suppressed = file.suppressed.filter(({ diagnostic }) => isError(diagnostic));
    return { ...file, diagnostics, suppressed, hiddenCount: file.diagnostics.length - diagnostics.length };
  });
}

export function exitCodeOf(
  io: Io,
  { maxWarnings, exitZero }: LintRequest,
  files: readonly FileReport[],
): number {
  const { errors, warnings } = summarize(files);
  if (warnings > maxWarnings) {
    const count = warnings === 1 ? "is 1 warning" : `are ${warnings} warnings`;
    printMessage(io, `There ${count}, more than the ${maxWarnings} that "--max-warnings" allows.`);
  }
  return !exitZero && (errors > 0 || warnings > maxWarnings) ? 1 : 0;
}

const plainOptions: ReporterOptions = { paint: plainPaint, width: 80 };

/** Prints or writes each report of the request; returns messages about those that could not be written. */
export async function writeReports(
  io: Io,
  request: LintRequest,
  files: readonly FileReport[],
  isIncomplete = false,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const format of request.formats) {
    const reporter = await reporters[format.name]();
    const report = buildReport(withCiPaths(io, format.name, files), isIncomplete);
    const render = (options: ReporterOptions) =>
      reporter.pieces?.(report) ?? [reporter(report, { ...options, full: request.full })];
    problems.push(...(await writeReport(io, format, request.color, render)));
  }
  await appendStepSummary(io, request.formats, async () => {
    const markdown = await reporters.markdown();
    return (options) => markdown(buildReport(files, isIncomplete), options);
  });
  return problems;
}

export async function writeReport(
  io: Io,
  { name, file }: AnyFormat,
  color: boolean | undefined,
  render: (options: ReporterOptions) => Iterable<string>,
): Promise<readonly string[]> {
  const pieces = render(file === undefined ? await terminalOptions(io, color) : plainOptions);
  // Only this format gives commands to the CI runner.
  const escaped = name === "github" ? pieces : escapeEach(pieces, io);
  if (file !== undefined) return tryToWrite(file, () => writeOutputFile(io.cwd, file, escaped));
  for (const piece of escaped) rawOutput(io.stdout).write(piece);
  return [];
}

function* escapeEach(pieces: Iterable<string>, io: Io): Generator<string> {
  for (const piece of pieces) yield escapeLogCommands(io, piece);
}

/** Not requested by a flag, so the run does not fail if it cannot be written. */
export async function appendStepSummary(
  io: Io,
  formats: readonly AnyFormat[],
  load: () => Promise<(options: ReporterOptions) => string>,
): Promise<void> {
  const path = stepSummaryPath(io, formats);
  if (path === undefined) return;
  const markdown = await load();
  const problems = tryToWrite(path, () =>
    appendToFile(path, (existingBytes) => markdown({ ...plainOptions, existingBytes })),
  );
  for (const problem of problems) printMessage(io, problem);
}

type AnyFormat = Omit<OutputFormat, "name"> & { readonly name: string };

function buildReport(files: readonly FileReport[], incomplete: boolean): Report {
  const documented = rules.map((rule) => ({ ...rule, ...ruleDocsLink(rule.id) }));
  return { tool: toolInfo, rules: documented, pageOf: readLinkedPage, files, incomplete };
}

/** The page of a rule, if it is installed; links to other pages lead to their addresses, or are text. */
function readLinkedPage(rule: string): string | undefined {
  const page = tryTo(() => readPackageFile(`docs/rules/${rule}.md`));
  return page?.replace(/\[([^\]]*)\]\(([\w-]+)\.md\)/gu, (_, words: string, other: string) => {
    const { docs } = ruleDocsLink(other);
    return docs === undefined ? words : `[${words}](${docs})`;
  });
}

async function terminalOptions(io: Io, color: boolean | undefined): Promise<ReporterOptions> {
  const links = supportsHyperlinks(io);
  const paint = await loadPaint({ color: shouldUseColor(color, io), links });
  return { paint, width: io.stdout.columns || 80, ...(links && { localDocs: localRulePage }) };
}

function tryToWrite(file: string, write: () => void): readonly string[] {
  try {
    write();
    return [];
  } catch (error) {
    return [`"${file}" ${describeIoError(error, "written")}.`];
  }
}

export function wantsDiagrams(io: Io, { formats }: LintRequest): boolean {
  return stepSummaryPath(io, formats) !== undefined || formats.some(({ name }) => name === "markdown");
}

/** The file that GitHub shows as the summary of a step, unless a report is written there anyway. */
function stepSummaryPath(io: Io, formats: readonly AnyFormat[]): string | undefined {
  const file = io.env["GITHUB_ACTIONS"] === "true" ? io.env["GITHUB_STEP_SUMMARY"] : undefined;
  if (file === undefined || file === "") return undefined;
  const path = resolve(io.cwd, file);
  return formats.some((format) => format.name === "markdown" && writesTo(path, format, io))
    ? undefined
    : path;
}

function writesTo(path: string, { file }: AnyFormat, { cwd, stdout }: Io): boolean {
  if (file !== undefined) return realPathOf(resolve(cwd, file)) === realPathOf(path);
  if (stdout.file === undefined || !existsSync(path)) return false;
  const { dev, ino } = statSync(path);
  return ino === stdout.file.ino && dev === stdout.file.dev;
}

const github = { flag: "GITHUB_ACTIONS", root: "GITHUB_WORKSPACE" };
const gitlab = { flag: "GITLAB_CI", root: "CI_PROJECT_DIR" };
const ciByReporter: { readonly [name in ReporterName]?: typeof github } = { github, sarif: github, gitlab };

/** GitHub and GitLab expect paths from the top of the repository. */
export function withCiPaths(
  { cwd, env }: Pick<Io, "cwd" | "env">,
  format: ReporterName,
  files: readonly FileReport[],
): readonly FileReport[] {
  const job = ciByReporter[format];
  const root = job !== undefined && env[job.flag] === "true" ? env[job.root] : undefined;
  if (root === undefined || root === "") return files;
  const top = realPathOf(resolve(cwd, root));
  const here = realPathOf(cwd);
  if (here !== top && !isBelow(top, here)) return files;
  return files.map((report) => {
    const path = resolve(here, report.file);
    const isInside = report.file !== "<stdin>" && isBelow(top, path);
    return isInside ? { ...report, file: withForwardSlashes(relative(top, path)) } : report;
  });
}
