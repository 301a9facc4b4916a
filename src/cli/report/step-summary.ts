import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { realPathOf } from "../files/real-path.js";
import type { LintRequest, OutputFormat } from "../request/lint-request.js";
import type { Io } from "../terminal/io.js";

/** The file that GitHub shows as the summary of a step; none where a report is to be written there anyway. */
export function stepSummaryPath(io: Io, { formats }: Pick<LintRequest, "formats">): string | undefined {
  const file = io.env["GITHUB_ACTIONS"] === "true" ? io.env["GITHUB_STEP_SUMMARY"] : undefined;
  if (file === undefined || file === "") return undefined;
  const path = resolve(io.cwd, file);
  return formats.some((format) => format.name === "markdown" && writesTo(path, format, io)) ? undefined : path;
}

function writesTo(path: string, { file }: OutputFormat, { cwd, stdout }: Io): boolean {
  if (file !== undefined) return realPathOf(resolve(cwd, file)) === realPathOf(path);
  if (stdout.file === undefined || !existsSync(path)) return false;
  const { dev, ino } = statSync(path);
  return ino === stdout.file.ino && dev === stdout.file.dev;
}
