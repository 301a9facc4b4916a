import type { Format } from "../../document/file-format.js";
import { compareDiagnostics, compareText, type Diagnostic } from "../../diagnostic.js";
import type { Analysis, Findings } from "../../analysis.js";
import { type FileReport, summarize } from "../../reporters/report.js";
import type { MayReport } from "../../suppress/suppress.js";
import type { IgnoredFinding } from "../config/config.js";
import type { LintRequest } from "../config/lint-request.js";
import type { Settings } from "../config/settings.js";
import { type Io, printMessage } from "../terminal/io.js";

export interface LintedFile {
  /** Kept for a few files only: a thousand would fill the memory. */
  readonly analysis?: Analysis;
  readonly report: FileReport;
  readonly format: Format;
  readonly hasFaults: boolean;
  readonly levels: Settings["levels"];
  readonly mayReport: MayReport;
  /** The entries of the config's `ignore` that suppressed something here, or whose rule could not run. */
  readonly usedEntries: ReadonlySet<IgnoredFinding>;
  readonly danglingEntries: ReadonlySet<IgnoredFinding>;
  /** Which names of the config's properties the pack has; undefined if unknown. */
  readonly propertyNames: Findings["propertyNames"];
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
