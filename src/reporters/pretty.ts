import type { Diagnostic, Range, RelatedPlace, Trace } from "../diagnostic.js";
import type { LineMap } from "../document/line-map.js";
import { escapeInvisible } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import type { Paint } from "../text/paint.js";
import { cells, textWidth, wrapText } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import {
  type FileReport,
  type Reporter,
  type ReporterOptions,
  summaryText,
  suppressedText,
  worstSeverity,
} from "./report.js";

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
  const findings = file.diagnostics.flatMap((diagnostic) => [
    ...findingLines(diagnostic, file.lines, layout),
    "",
  ]);
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

/** A source line as it is shown, and the columns to underline in it. */
export interface Excerpt {
  readonly line: number;
  readonly text: string;
  readonly markStart: number;
  readonly markWidth: number;
  /** Whether the line is longer than what is shown of it. */
  readonly cut: boolean;
}

interface Glyph {
  readonly text: string;
  readonly width: number;
  readonly marked: boolean;
}

const tabSpaces = "    ";

/** The first line of a range, at most `width` columns of it. Columns of the excerpt count from 0. */
export function excerpt(lines: LineMap, range: Range, width: number): Excerpt | undefined {
  const { start, end } = range;
  const line = lines.line(start.line);
  if (line === undefined) return undefined;

  const from = Math.min(start.column - 1, line.length);
  const to = end.line > start.line ? line.length : Math.min(end.column - 1, line.length);
  // Only the neighbourhood is looked at: a pack can be one line of many megabytes with a thousand findings.
  const room = Math.max(width, 20);
  const near = windowAround(line, from, Math.max(to, from), room);
  const { glyphs, first, last } = fillsBothSides(near, line, room)
    ? near
    : windowAround(line, from, Math.max(to, from), 4 * room);
  const shown = fitToWidth(glyphs, Math.max(width, 3), first > 0, last < line.length);
  return { line: start.line, ...shown };
}

interface LineWindow {
  readonly glyphs: readonly Glyph[];
  readonly first: number;
  readonly last: number;
}

function windowAround(line: string, from: number, to: number, reach: number): LineWindow {
  const first = skipLowSurrogate(line, Math.max(0, from - reach));
  const last = skipLowSurrogate(line, Math.min(line.length, to, from + reach) + reach);
  return { glyphs: glyphsOf(line.slice(first, last), from - first, to - first), first, last };
}

/** Whether it fills the columns on both sides: it need not where characters take no room of their own. */
function fillsBothSides({ glyphs, first, last }: LineWindow, line: string, columns: number): boolean {
  const before = glyphs.slice(
    0,
    glyphs.findIndex((glyph) => glyph.marked),
  );
  const after = glyphs.slice(glyphs.findLastIndex((glyph) => glyph.marked) + 1);
  return (
    (first === 0 || totalWidth(before) >= columns) && (last >= line.length || totalWidth(after) >= columns)
  );
}

function totalWidth(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { width }) => sum + width, 0);
}

function skipLowSurrogate(line: string, index: number): number {
  const code = line.charCodeAt(index);
  const before = line.charCodeAt(index - 1);
  const splitsPair = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return splitsPair ? index + 1 : index;
}

/** What combines with a character belongs to its glyph, so that no cut falls between them. */
function glyphsOf(text: string, from: number, to: number): Glyph[] {
  const glyphs: Glyph[] = [];
  // A place that is empty is the character behind it.
  const end = Math.max(to, from + 1);
  let index = 0;
  for (const cell of cells(text)) {
    const shown = cell.text === "\t" ? tabSpaces : escapeInvisible(cell.text);
    const width = shown === cell.text ? cell.width : shown.length;
    const next = index + cell.text.length;
    const marked = index < end && next > from;
    const base = width === 0 ? glyphs.pop() : undefined;
    glyphs.push({
      text: (base?.text ?? "") + shown,
      width: base?.width ?? width,
      marked: marked || base?.marked === true,
    });
    index = next;
  }
  if (!glyphs.some((glyph) => glyph.marked)) glyphs.push({ text: " ", width: 1, marked: true });
  return glyphs;
}

function fitToWidth(
  glyphs: readonly Glyph[],
  width: number,
  moreBefore: boolean,
  moreAfter: boolean,
): Omit<Excerpt, "line"> {
  const [first, last] = visibleGlyphs(glyphs, width, moreBefore, moreAfter);
  const cutBefore = moreBefore || first > 0;
  const cutAfter = moreAfter || last < glyphs.length;
  let text = cutBefore ? "…" : "";
  let column = text.length;
  let markStart = -1;
  let markEnd = 0;
  for (const glyph of glyphs.slice(first, last)) {
    if (glyph.marked && markStart < 0) markStart = column;
    text += glyph.text;
    column += glyph.width;
    if (glyph.marked) markEnd = column;
  }
  const start = Math.max(0, markStart);
  return {
    text: cutAfter ? `${text}…` : text.trimEnd(),
    markStart: start,
    markWidth: Math.max(1, markEnd - start),
    cut: cutBefore || cutAfter,
  };
}

/** Which glyphs to show: from the start of the line if the range fits there, else the range with what surrounds it. */
function visibleGlyphs(
  glyphs: readonly Glyph[],
  width: number,
  moreBefore: boolean,
  moreAfter: boolean,
): readonly [number, number] {
  const ends: number[] = [];
  let total = 0;
  for (const glyph of glyphs) ends.push((total += glyph.width));
  if (!moreBefore && !moreAfter && total <= width) return [0, glyphs.length];

  const firstMarked = glyphs.findIndex((glyph) => glyph.marked);
  const markStart = ends[firstMarked - 1] ?? 0;
  const markEnd = ends[glyphs.findLastIndex((glyph) => glyph.marked)] ?? 0;
  let skipped = 0;
  if (moreBefore || markEnd > width - 1) {
    const context = Math.max(0, Math.floor((width - 2 - (markEnd - markStart)) / 2));
    const fromRight = moreAfter ? Infinity : total - (width - 1);
    skipped = Math.max(0, Math.min(markStart - context, fromRight));
  }
  const first = skipped === 0 ? 0 : ends.findIndex((end) => end >= skipped) + 1;
  const begin = ends[first - 1] ?? 0;
  const leadingDots = moreBefore || first > 0 ? 1 : 0;
  const reachesEnd = !moreAfter && total - begin + leadingDots <= width;
  const room = reachesEnd ? width - leadingDots : width - leadingDots - 1;
  let last = first;
  while (last < glyphs.length && (ends[last] ?? 0) - begin <= room) last++;
  return [first, Math.max(last, first + 1)];
}
