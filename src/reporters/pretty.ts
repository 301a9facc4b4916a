import type { Diagnostic, RelatedPlace, Trace } from "../diagnostic.js";
import type { LineMap } from "../document/line-map.js";
import type { Paint } from "../text/paint.js";
import { worstSeverity, type FileReport, type Reporter, type ReporterOptions } from "./report.js";
import { excerpt } from "./source-excerpt.js";
import { summaryText, suppressedText } from "./summary-text.js";
import { pluralize } from "../words/wording.js";
import { textWidth } from "../text/text-width.js";
import { traceLines } from "../text/trace-text.js";
import { escapeInvisible } from "../text/visible-text.js";
import { wrapText } from "../text/wrap-text.js";

/** Where the columns of one file's findings stand. */
interface ColumnLayout extends ReporterOptions {
  /** Digits of the largest line number. */
  readonly digits: number;
  /** Columns of the longest `line:column`. */
  readonly placeWidth: number;
  readonly narrow: boolean;
}

const margin = "  ";
const severityWidth = "warning".length;
const barWidth = " │ ".length;
const maxWidth = 120;
const minWidth = 20;
const minMessageWidth = 30;
const maxRelated = 5;
const maxRelatedExcerpts = 2;
const signs = { error: "✖", warning: "⚠", info: "ℹ", none: "✔" };

/** What a person reads in a terminal. */
export const pretty: Reporter = (report, options) => {
  const { paint } = options;
  const width = Math.min(Math.max(options.width, minWidth), maxWidth);
  const faulty = report.files.filter((file) => file.diagnostics.length > 0);
  return [
    ...faulty.flatMap((file) => fileLines(file, { ...options, width })),
    ...summaryLines(report.files, paint, width),
  ]
    .map((line) => `${line}\n`)
    .join("");
};

function fileLines(file: FileReport, options: ReporterOptions): string[] {
  const ranges = file.diagnostics.flatMap(({ range, related }) => [
    range,
    ...(related ?? []).slice(0, maxRelated).map((place) => place.range),
  ]);
  const digits = ranges.reduce((most, { start }) => Math.max(most, String(start.line).length), 0);
  const columns = ranges.reduce((most, { start }) => Math.max(most, String(start.column).length), 0);
  const placeWidth = digits + 1 + columns;
  const narrow = options.width - messageColumn(placeWidth) < minMessageWidth;
  const layout: ColumnLayout = { ...options, digits, placeWidth, narrow };
  const findings = file.diagnostics.flatMap((diagnostic) => [...findingLines(diagnostic, file.lines, layout), ""]);
  return [options.paint.path(escapeInvisible(file.file)), "", ...findings];
}

function findingLines(diagnostic: Diagnostic, lines: LineMap, layout: ColumnLayout): string[] {
  const { range, related, trace, severity } = diagnostic;
  return [
    ...headline(diagnostic, layout),
    ...excerptLines(lines, range, "^", layout.paint.severity[severity], layout),
    ...relatedPlaces(related ?? [], lines, layout),
    ...(trace === undefined ? [] : runLines(trace, diagnostic, layout)),
  ];
}

function headline(diagnostic: Diagnostic, layout: ColumnLayout): string[] {
  const { paint, width, placeWidth, narrow, localDocs } = layout;
  const { severity, message, rule, range, docs } = diagnostic;
  const indent = narrow ? margin : " ".repeat(messageColumn(placeWidth));
  const room = width - indent.length;
  const id = escapeInvisible(rule);
  const paintedId = paint.link(paint.dim(id), docs ?? localDocs?.(rule));
  const text = wrapText(escapeInvisible(message), room);
  const last = text.at(-1) ?? "";
  const lines =
    textWidth(last) + margin.length + id.length <= room
      ? [...text.slice(0, -1), `${last}${margin}${paintedId}`]
      : [...text, paintedId];
  const lead = `${margin}${paint.dim(placeText(range, layout))}${margin}`;
  const painted = paint.severity[severity];
  if (narrow) return [lead + painted(severity), ...lines.map((line) => indent + line)];
  const gap = " ".repeat(severityWidth - severity.length);
  const [first = "", ...rest] = lines;
  return [`${lead}${painted(severity)}${gap}${margin}${first}`, ...rest.map((line) => indent + line)];
}

function excerptLines(
  lines: LineMap,
  range: Diagnostic["range"],
  mark: string,
  painted: (text: string) => string,
  layout: ColumnLayout,
  whole = false,
): string[] {
  const { paint, width } = layout;
  const bar = paint.dim("│");
  const gutter = margin.length + layout.digits;
  const shown = excerpt(lines, range, width - gutter - barWidth);
  if (shown === undefined || (whole && shown.cut)) return [];
  const number = paint.dim(String(shown.line).padStart(gutter));
  const text = shown.text === "" ? "" : ` ${shown.text}`;
  const underline = painted(mark.repeat(shown.markWidth));
  return [
    `${number} ${bar}${text}`,
    `${" ".repeat(gutter)} ${bar} ${" ".repeat(shown.markStart)}${underline}`,
  ];
}

function relatedPlaces(related: readonly RelatedPlace[], lines: LineMap, layout: ColumnLayout): string[] {
  const { paint, width, narrow } = layout;
  const indent = detailIndent(layout);
  const hanging = narrow ? indent : `${indent}${" ".repeat(layout.placeWidth)}${margin}`;
  const out: string[] = [];
  for (const { range, message } of related.slice(0, maxRelated)) {
    const place = indent + paint.dim(placeText(range, layout));
    const [first = "", ...rest] = wrapText(escapeInvisible(message), width - hanging.length);
    if (narrow) out.push(place, hanging + first);
    else out.push(`${place}${margin}${first}`);
    for (const line of rest) out.push(hanging + line);
    if (related.length > maxRelatedExcerpts) continue;
    out.push(...excerptLines(lines, range, "-", paint.dim, layout, true));
  }
  const left = related.length - maxRelated;
  if (left > 0) out.push(indent + paint.dim(`and ${pluralize(left, "more place")}`));
  return out;
}

function runLines(trace: Trace, diagnostic: Diagnostic, layout: ColumnLayout): string[] {
  const { paint, width } = layout;
  const indent = detailIndent(layout);
  return traceLines(trace, width - indent.length).map(
    (line) => indent + line.replace(/^↻/, paint.severity[diagnostic.severity]("↻")),
  );
}

function summaryLines(files: readonly FileReport[], paint: Paint, width: number): string[] {
  const text = `${summaryText(files)}${suppressedText(files)}`;
  const worst = worstSeverity(files);
  const painted = worst === undefined ? paint.success : paint.severity[worst];
  const sign = files.length === 0 ? "–" : signs[worst ?? "none"];
  const [first = "", ...rest] = wrapText(text, width - margin.length);
  return [
    painted(`${sign} ${first}`),
    ...rest.map((line) => margin + painted(line)),
    ...fixHints(files, paint, width),
  ];
}

function fixHints(files: readonly FileReport[], paint: Paint, width: number): string[] {
  const fixes = files.flatMap((file) =>
    file.diagnostics.flatMap(({ fix }) => (fix === undefined ? [] : [fix])),
  );
  const unsafe = fixes.filter((fix) => fix.unsafe === true).length;
  const safe = fixes.length - unsafe;
  const parts = [
    ...(safe > 0 ? [`${safe} with --fix`] : []),
    ...(unsafe > 0 ? [`${unsafe} with --fix --unsafe-fixes`] : []),
  ];
  if (parts.length === 0) return [];
  const text = `Can be fixed: ${parts.join(", ")}`;
  return wrapText(text, width - margin.length).map((line) => margin + paint.dim(line));
}

/** Line numbers end in the same column, here and beside the source. */
function placeText({ start }: Diagnostic["range"], { digits, placeWidth, narrow }: ColumnLayout): string {
  const text = `${String(start.line).padStart(digits)}:${start.column}`;
  return narrow ? text : text.padEnd(placeWidth);
}

function messageColumn(place: number): number {
  return 3 * margin.length + place + severityWidth;
}

/** The indentation of what follows the source: under its text, where there is room for that. */
function detailIndent({ digits, narrow }: ColumnLayout): string {
  return narrow ? margin : " ".repeat(margin.length + digits + barWidth);
}
