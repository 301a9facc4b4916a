import { appendFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { reporters } from "../../reporters/index.js";
import type { FileReport, Report, ReporterOptions } from "../../reporters/report.js";
import { rules } from "../../rules/index.js";
import { loadPaint, plainPaint } from "../../text/paint.js";
import { ruleDocsLink, toolInfo } from "../../words/tool.js";
import { makeFolders } from "../files/make-folders.js";
import { describeIoError } from "../files/read-file.js";
import { writeFileAtomically } from "../files/write-file.js";
import type { LintRequest } from "../request/lint-request.js";
import { supportsHyperlinks, shouldUseColor } from "../terminal/color.js";
import type { Io } from "../terminal/io.js";
import { escapeLogCommands, rawOutput } from "../terminal/log-guard.js";
import { printMessage } from "../terminal/say.js";
import { withCiPaths } from "./ci-paths.js";
import { stepSummaryPath } from "./step-summary.js";

const plainOptions: ReporterOptions = { paint: plainPaint, width: 80 };

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
    const report = buildReport(withCiPaths(io, name, files), troubled);
    const options = file === undefined ? await terminalOptions(io, request.color) : plainOptions;
    const text = reporter(report, options);
    // Only this format has commands to give.
    const harmless = name === "github" ? text : escapeLogCommands(io, text);
    if (file === undefined) rawOutput(io.stdout).write(harmless);
    else tryToWrite(troubles, file, () => writeFileAtomically(io.cwd, file, harmless));
  }
  const summary = stepSummaryPath(io, request);
  if (summary !== undefined) await appendSummary(io, summary, buildReport(files, troubled));
  return troubles;
}

/** Nobody asked for it: where it cannot be written, the run has done its job all the same. */
async function appendSummary(io: Io, path: string, report: Report): Promise<void> {
  const markdown = await reporters.markdown();
  const troubles: string[] = [];
  tryToWrite(troubles, path, () => {
    // In a container, the environment of the runner may name a folder that is only outside of it.
    makeFolders(dirname(path));
    const existingBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(path, markdown(report, { ...plainOptions, existingBytes }));
  });
  for (const trouble of troubles) printMessage(io, trouble);
}

function buildReport(files: readonly FileReport[], incomplete: boolean): Report {
  const paged = rules.map((rule) => ({ ...rule, ...ruleDocsLink(rule.id) }));
  return { tool: toolInfo, rules: paged, files, incomplete };
}

async function terminalOptions(io: Io, color: boolean | undefined): Promise<ReporterOptions> {
  const links = supportsHyperlinks(io);
  const options = {
    paint: await loadPaint({ color: shouldUseColor(color, io), links }),
    width: io.stdout.columns || 80,
  };
  if (!links) return options;
  const { localRulePage } = await import("../files/rule-page.js");
  return { ...options, localDocs: localRulePage };
}

function tryToWrite(troubles: string[], file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    troubles.push(`"${file}" ${describeIoError(error, "written")}.`);
  }
}
