import { appendFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { reporters } from "../../reporters/index.js";
import type { FileReport, Report, ReporterOptions } from "../../reporters/report.js";
import { rules } from "../../rules/index.js";
import { loadPaint, plainPaint } from "../../text/paint.js";
import { rulePage, tool } from "../../words/tool.js";
import { makeFolders } from "../files/make-folders.js";
import { describeIoError } from "../files/read-file.js";
import { writeFileAtomically } from "../files/write-file.js";
import type { LintRequest } from "../request/lint-request.js";
import { showsLinks, wantsColor } from "../terminal/color.js";
import type { Io } from "../terminal/io.js";
import { guardedText, unguarded } from "../terminal/log-guard.js";
import { say } from "../terminal/say.js";
import { withCiPaths } from "./ci-paths.js";
import { stepSummary } from "./step-summary.js";

const plain: ReporterOptions = { paint: plainPaint, width: 80 };

/** Prints and writes what was asked for; returns sentences about what of it could not be written. */
export async function writeReports(
  io: Io,
  request: LintRequest,
  files: readonly FileReport[],
  troubled = false,
): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const { name, file } of request.formats) {
    const reporter = await reporters[name]();
    const report = reportOf(withCiPaths(io, name, files), troubled);
    const options = file === undefined ? await terminalOptions(io, request.color) : plain;
    const text = reporter(report, options);
    // Only this format has commands to give.
    const harmless = name === "github" ? text : guardedText(io, text);
    if (file === undefined) unguarded(io.stdout).write(harmless);
    else attempt(troubles, file, () => writeFileAtomically(io.cwd, file, harmless));
  }
  const summary = stepSummary(io, request);
  if (summary !== undefined) await appendSummary(io, summary, reportOf(files, troubled));
  return troubles;
}

/** Nobody asked for it: where it cannot be written, the run has done its job all the same. */
async function appendSummary(io: Io, path: string, report: Report): Promise<void> {
  const markdown = await reporters.markdown();
  const troubles: string[] = [];
  attempt(troubles, path, () => {
    // In a container, the environment of the runner may name a folder that is only outside of it.
    makeFolders(dirname(path));
    const bytesBefore = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(path, markdown(report, { ...plain, bytesBefore }));
  });
  for (const trouble of troubles) say(io, trouble);
}

function reportOf(files: readonly FileReport[], troubled: boolean): Report {
  const paged = rules.map((rule) => ({ ...rule, ...rulePage(rule.id) }));
  return { tool, rules: paged, files, troubled };
}

async function terminalOptions(io: Io, color: boolean | undefined): Promise<ReporterOptions> {
  const links = showsLinks(io);
  const options = {
    paint: await loadPaint({ color: wantsColor(color, io), links }),
    width: io.stdout.columns || 80,
  };
  if (!links) return options;
  const { localRulePage } = await import("../files/rule-page.js");
  return { ...options, localPage: localRulePage };
}

function attempt(troubles: string[], file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    troubles.push(`"${file}" ${describeIoError(error, "written")}.`);
  }
}
