import { type Diagnostic, severities, type Severity } from "../diagnostic.js";
import { escapeInvisible, neutralizeLogCommands } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import { pluralize } from "../text/wording.js";
import { compactLine } from "./compact.js";
import type { Report, Reporter } from "./report.js";

interface FileFinding {
  readonly file: string;
  readonly diagnostic: Diagnostic;
}

/** GitHub shows this many annotations of each level in a step, and drops the rest. */
const maxPerLevel = 10;
const commandOf: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** The whole list as plain lines for the log, then workflow commands that annotate, errors first. */
export const github: Reporter = (report) => {
  const all = report.files.flatMap(({ file, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ file, diagnostic })),
  );
  const shown = selectAnnotations(all);
  const beyond = all.length - shown.length;
  const lines = [
    ...all.map(logLine),
    ...shown.map(annotationCommand),
    ...(beyond > 0 ? [overflowNotice(report, beyond)] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
};

function selectAnnotations(all: readonly FileFinding[]): FileFinding[] {
  const levels = severities.map((severity) => all.filter((found) => found.diagnostic.severity === severity));
  const overflows = levels.some((level) => level.length > maxPerLevel);
  // The closing notice takes a place among the notices.
  return levels.flatMap((level, index) =>
    level.slice(0, overflows && severities[index] === "info" ? maxPerLevel - 1 : maxPerLevel),
  );
}

function annotationCommand({ file, diagnostic }: FileFinding): string {
  const { severity, rule, message, range, trace } = diagnostic;
  const { start, end } = range;
  // GitHub takes columns only where the range stays on one line.
  const columns = start.line === end.line ? [`col=${start.column}`, `endColumn=${end.column}`] : [];
  const properties = [
    `file=${escapeProperty(file)}`,
    `line=${start.line}`,
    `endLine=${end.line}`,
    ...columns,
    `title=${escapeProperty(rule)}`,
  ];
  const text = [escapeInvisible(message), ...(trace === undefined ? [] : traceLines(trace))].join("\n");
  return `::${commandOf[severity]} ${properties.join(",")}::${escapeData(text)}`;
}

function overflowNotice(report: Report, beyond: number): string {
  const verb = beyond === 1 ? "is" : "are";
  const limit = `GitHub shows ${maxPerLevel} annotations per level and step. The log of this step lists all of them.`;
  return `::notice title=${escapeProperty(report.tool.name)}::${escapeData(`${pluralize(beyond, "more problem")} ${verb} not annotated: ${limit}`)}`;
}

function logLine({ file, diagnostic }: FileFinding): string {
  return neutralizeLogCommands(compactLine(file, diagnostic));
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(escapeInvisible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
