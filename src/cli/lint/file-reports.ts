import { compareDiagnostics, compareText, type Diagnostic } from "../../diagnostic.js";
import type { Format } from "../../document/document.js";
import { type FileReport, summarize } from "../../reporters/report.js";
import type { MayReport } from "../../suppress/suppress.js";
import type { IgnoredFinding } from "../config/config.js";
import type { LintRequest } from "../config/lint-request.js";
import type { Settings } from "../config/settings.js";
import type { Io } from "../terminal/io.js";
import { printMessage } from "../terminal/messages.js";

/** The tree of the file is gone by now: a thousand of them would fill the memory. */
export interface LintedFile {
  readonly report: FileReport;
  readonly format: Format;
  /** Whether the file could not be read, so that nobody knows what is in it. */
  readonly hasFaults: boolean;
  readonly levels: Settings["levels"];
  readonly mayReport: MayReport;
  /** The entries of the config's `ignore` that silenced something here, or may do so again. */
  readonly usedEntries: ReadonlySet<IgnoredFinding>;
  /** Those whose pointer leads nowhere. */
  readonly danglingEntries: ReadonlySet<IgnoredFinding>;
}

/** One report for each file, in their order: a config or baseline with stale entries may have been linted, too. */
export function mergeReportsByFile(reports: readonly FileReport[]): readonly FileReport[] {
  const byFile = new Map<string, FileReport>();
  for (const report of reports) {
    const first = byFile.get(report.file);
    byFile.set(report.file, first === undefined ? report : mergeReports(first, report));
  }
  return [...byFile.values()].sort((a, b) => compareText(a.file, b.file));
}

function mergeReports(first: FileReport, second: FileReport): FileReport {
  const diagnostics = [...first.diagnostics, ...second.diagnostics].sort(compareDiagnostics);
  return { ...first, diagnostics, suppressed: [...first.suppressed, ...second.suppressed] };
}

/** What reports may show. The exit code is decided by all that was found. */
export function applyQuiet({ quiet }: LintRequest, files: readonly FileReport[]): readonly FileReport[] {
  return quiet ? files.map(errorsOnly) : files;
}

/** Of what is silenced, too. */
function errorsOnly(file: FileReport): FileReport {
  const isError = ({ severity }: Diagnostic) => severity === "error";
  const diagnostics = file.diagnostics.filter(isError);
  const suppressed = file.suppressed.filter(({ diagnostic }) => isError(diagnostic));
  return { ...file, diagnostics, suppressed, hiddenCount: file.diagnostics.length - diagnostics.length };
}

/** 1 when there is an error, or more warnings than allowed. */
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
