import type { FileReport } from "../../reporters/report.js";
import { pluralize } from "../../text/wording.js";
import type { LintRequest } from "../config/lint-request.js";
import { describeIoError } from "../files/read-file.js";
import type { Io } from "../terminal/io.js";
import { printMessage } from "../terminal/messages.js";
import type { Problems } from "../terminal/progress.js";
import type { Baseline } from "./baseline.js";
import type { LintedFile } from "./file-reports.js";

/** Loads the code for baselines only if there is one. */
export async function openBaseline(
  { baseline, updateBaseline }: LintRequest,
  cwd: string,
): Promise<Baseline | undefined> {
  if (baseline === undefined) return undefined;
  const { Baseline } = await import("./baseline.js");
  return Baseline.open(baseline, cwd, updateBaseline);
}

/** The reports without the findings of the baseline, which is updated first if the request says so. */
export function applyBaseline(
  linted: readonly LintedFile[],
  baseline: Baseline | undefined,
  { io, request, problems }: { readonly io: Io; readonly request: LintRequest; readonly problems: Problems },
): readonly FileReport[] {
  if (baseline === undefined) return linted.map(({ report }) => report);
  if (!request.updateBaseline) return baseline.apply(linted);
  if (problems.any) {
    // It would lose, or never get, the findings of files that could not be linted now.
    printMessage(io, "The baseline was not updated: not everything could be linted.");
    return baseline.apply(linted);
  }
  try {
    const { reports, size } = baseline.update(linted);
    printMessage(io, `The baseline now records ${pluralize(size, "finding")}.`);
    return reports;
  } catch (error) {
    problems.report(`The baseline "${request.baseline ?? ""}" ${describeIoError(error, "written")}.`);
    return linted.map(({ report }) => report);
  }
}
