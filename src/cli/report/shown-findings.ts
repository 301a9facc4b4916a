import type { Diagnostic } from "../../diagnostic.js";
import type { FileReport } from "../../reporters/report.js";
import type { LintRequest } from "../request/lint-request.js";

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
