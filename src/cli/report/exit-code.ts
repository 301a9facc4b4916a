import { summarize, type FileReport } from "../../reporters/report.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Io } from "../terminal/io.js";
import { printMessage } from "../terminal/say.js";

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
