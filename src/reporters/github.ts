import { type Diagnostic, severities, type Severity } from "../diagnostic.js";
import { escapeInvisible, neutralizeLogCommands } from "../text/escape.js";
import { runLines } from "../text/format-trace.js";
import { pluralize } from "../text/wording.js";
import { compactLine } from "./compact.js";
import type { Report, Reporter } from "./report.js";

interface FileFinding {
  readonly file: string;
  readonly diagnostic: Diagnostic;
}

/** GitHub drops further annotations of the same level in a step. */
const maxPerLevel = 10;
const commandOf: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** All findings as plain log lines, then workflow commands that create annotations, errors first. */
export const github: Reporter = (report) => {
  const all = report.files.flatMap(({ file, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ file, diagnostic })),
  );
  const annotated = selectAnnotations(all);
  const omitted = all.length - annotated.length;
  const lines = [
    ...all.map(({ file, diagnostic }) => neutralizeLogCommands(compactLine(file, diagnostic))),
    ...annotated.map(annotationCommand),
    ...(omitted > 0 ? [overflowNotice(report, omitted)] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
};

function selectAnnotations(all: readonly FileFinding[]): FileFinding[] {
  const levels = severities.map((severity) => all.filter((found) => found.diagnostic.severity === severity));
  const overflows = levels.some((level) => level.length > maxPerLevel);
  // One notice is reserved for the overflow message.
  return levels.flatMap((level, index) =>
    level.slice(0, overflows && severities[index] === "info" ? maxPerLevel - 1 : maxPerLevel),
  );
}

function annotationCommand({ file, diagnostic }: FileFinding): string {
  const { severity, rule, message, range } = diagnostic;
  const { start, end } = range;
  // GitHub accepts columns only for a range within one line.
  const columns = start.line === end.line ? [`col=${start.column}`, `endColumn=${end.column}`] : [];
  const properties = [
    `file=${escapeProperty(file)}`,
    `line=${start.line}`,
    `endLine=${end.line}`,
    ...columns,
    `title=${escapeProperty(rule)}`,
  ];
  const text = [escapeInvisible(message), ...runLines(diagnostic)].join("\n");
  return `::${commandOf[severity]} ${properties.join(",")}::${escapeData(text)}`;
}

function overflowNotice(report: Report, omitted: number): string {
  const omission = `${pluralize(omitted, "more problem")} ${omitted === 1 ? "is" : "are"} not annotated`;
  const limit = `GitHub shows ${maxPerLevel} annotations per level and step. The log of this step lists all of them.`;
  return `::notice title=${escapeProperty(report.tool.name)}::${escapeData(`${omission}: ${limit}`)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(escapeInvisible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
