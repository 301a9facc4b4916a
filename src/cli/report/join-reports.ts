import { compareDiagnostics, compareText } from "../../diagnostic.js";
import type { FileReport } from "../../reporters/report.js";

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
