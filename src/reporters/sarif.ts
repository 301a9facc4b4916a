import type { Range, Severity, Trace } from "../diagnostic.js";
import type { LineMap } from "../document/scan-text.js";
import { escapeInvisible, jsonPieces } from "../text/escape.js";
import { stepText } from "../text/format-trace.js";
import { type FingerprintedFinding, fingerprintFindings } from "./fingerprint.js";
import type { FileReport, Report, Reporter } from "./report.js";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const levelOf: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };
/** Code scanning shows no more steps than this, so the middle of a longer run is omitted. */
const maxSteps = 1000;

export const sarif: Reporter = Object.assign((report: Report) => [...pieces(report)].join(""), { pieces });

function pieces(report: Report): Iterable<string> {
  // The pages of all rules would make the file large.
  const found = new Set(report.files.flatMap(({ diagnostics }) => diagnostics.map(({ rule }) => rule)));
  return jsonPieces({
    $schema: schema,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            version: report.tool.version,
            informationUri: report.tool.homepage,
            rules: report.rules.map((rule) => ruleDescriptor(rule, found.has(rule.id) && report.pageOf)),
          },
        },
        invocations: [{ executionSuccessful: report.incomplete !== true }],
        columnKind: "utf16CodeUnits",
        results: results(report),
      },
    ],
  });
}

function* results({ files, rules }: Report): Generator<object> {
  const ruleIndex = new Map(rules.map(({ id }, index) => [id, index]));
  const anySuppressed = files.some(({ suppressed }) => suppressed.length > 0);
  for (const file of files)
    for (const found of fingerprintFindings(file)) yield toResult(file, found, ruleIndex, anySuppressed);
}

function ruleDescriptor(rule: Report["rules"][number], pageOf: Report["pageOf"] | false): object {
  return {
    id: rule.id,
    shortDescription: { text: rule.summary },
    fullDescription: { text: rule.summary },
    help: { text: `${rule.summary} Source: ${rule.source}.`, markdown: pageOf ? pageOf(rule.id) : undefined },
    helpUri: rule.docs,
    defaultConfiguration: { level: levelOf[rule.severity] },
  };
}

function toResult(
  { file, lines }: FileReport,
  { diagnostic, fingerprint, suppressed }: FingerprintedFinding,
  ruleIndex: ReadonlyMap<string, number>,
  anySuppressed: boolean,
): object {
  const { rule, severity, message, range, related = [], trace } = diagnostic;
  const suppression = suppressed && {
    kind: suppressed.by === "comment" ? "inSource" : "external",
    justification: suppressed.reason ? escapeInvisible(suppressed.reason) : undefined,
  };
  return {
    ruleId: rule,
    ruleIndex: ruleIndex.get(rule),
    level: levelOf[severity],
    message: { text: escapeMessage(message) },
    locations: [{ physicalLocation: physicalLocation(file, range) }],
    partialFingerprints: { primaryLocationLineHash: fingerprint },
    relatedLocations:
      related.length === 0
        ? undefined
        : related.map((other, index) => ({
            id: index + 1,
            physicalLocation: physicalLocation(other.file ?? file, other.range),
            message: { text: escapeMessage(other.message) },
          })),
    codeFlows: trace && trace.steps.length > 0 ? [codeFlow(file, lines, range, trace)] : undefined,
    // SARIF requires this property on all results or on none.
    suppressions: anySuppressed ? [suppression].filter(Boolean) : undefined,
  };
}

/** Each step is located at its transition, if known, else at the finding. */
function codeFlow(file: string, lines: LineMap, range: Range, { steps, loopFrom }: Trace): object {
  const all = steps.map((step, index) => ({
    text: `${index === loopFrom ? "From here on it repeats: " : ""}${stepText(step)}`,
    range: step.at === undefined ? range : lines.locate(step.at).range,
  }));
  // One of the steps shown is the gap itself.
  const omitted = all.length - (maxSteps - 1);
  const half = maxSteps / 2;
  const gap = { text: `… (${omitted} more steps)`, range };
  const shown = all.length <= maxSteps ? all : [...all.slice(0, half), gap, ...all.slice(half + omitted)];
  return {
    threadFlows: [
      {
        locations: shown.map((step, index) => ({
          location: {
            physicalLocation: physicalLocation(file, step.range),
            message: { text: escapeMessage(step.text) },
          },
          executionOrder: index + 1,
        })),
      },
    ],
  };
}

function physicalLocation(file: string, { start, end }: Range): object {
  return {
    artifactLocation: { uri: fileUri(file) },
    region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
  };
}

function fileUri(file: string): string {
  return file
    .replace(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}

/** SARIF supports links in plain messages, so a name like `[x](https://…)` must be escaped. */
function escapeMessage(text: string): string {
  const visible = escapeInvisible(text);
  return visible.includes("](") ? visible.replace(/[[\]\\]/g, "\\$&") : visible;
}
