import { severities, type Diagnostic, type Severity } from "../diagnostic.js";
import { compactLine } from "./compact.js";
import type { Report, Reporter } from "./report.js";
import { count } from "../words/wording.js";
import { withoutCommands } from "../text/log-commands.js";
import { traceLines } from "../text/trace-text.js";
import { visible } from "../text/visible-text.js";

interface Found {
  readonly file: string;
  readonly diagnostic: Diagnostic;
}

/** GitHub shows this many annotations of each level in a step, and drops the rest. */
const cap = 10;
const commandOf: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** The whole list as plain lines for the log, then workflow commands that annotate, errors first. */
export const github: Reporter = (report) => {
  const all = report.files.flatMap(({ file, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ file, diagnostic })),
  );
  const shown = annotated(all);
  const beyond = all.length - shown.length;
  const lines = [...all.map(logLine), ...shown.map(command), ...(beyond > 0 ? [notice(report, beyond)] : [])];
  return lines.map((line) => `${line}\n`).join("");
};

function annotated(all: readonly Found[]): Found[] {
  const levels = severities.map((severity) => all.filter((found) => found.diagnostic.severity === severity));
  const overflows = levels.some((level) => level.length > cap);
  // The closing notice takes a place among the notices.
  return levels.flatMap((level, index) =>
    level.slice(0, overflows && severities[index] === "info" ? cap - 1 : cap),
  );
}

function command({ file, diagnostic }: Found): string {
  const { severity, rule, message, range, trace } = diagnostic;
  const { start, end } = range;
  // GitHub takes columns only where the range stays on one line.
  const columns = start.line === end.line ? [`col=${start.column}`, `endColumn=${end.column}`] : [];
  const properties = [
    `file=${property(file)}`,
    `line=${start.line}`,
    `endLine=${end.line}`,
    ...columns,
    `title=${property(rule)}`,
  ];
  const text = [visible(message), ...(trace === undefined ? [] : traceLines(trace))].join("\n");
  return `::${commandOf[severity]} ${properties.join(",")}::${data(text)}`;
}

function notice(report: Report, beyond: number): string {
  const verb = beyond === 1 ? "is" : "are";
  const limit = `GitHub shows ${cap} annotations per level and step. The log of this step lists all of them.`;
  return `::notice title=${property(report.tool.name)}::${data(`${count(beyond, "more problem")} ${verb} not annotated: ${limit}`)}`;
}

function logLine({ file, diagnostic }: Found): string {
  return withoutCommands(compactLine(file, diagnostic));
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
