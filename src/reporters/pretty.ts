import type { Diagnostic, Range, RelatedPlace } from "../diagnostic.js";
import type { LineMap } from "../document/scan-text.js";
import { escapeInvisible, isNeededMark } from "../text/escape.js";
import { countBy } from "../text/collections.js";
import { runLines } from "../text/format-trace.js";
import { besideLabel, cells, clipText, textWidth, wrapText } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import {
  type FileReport,
  type Report,
  type Reporter,
  type ReporterOptions,
  summaryText,
  suppressedText,
  worstSeverity,
} from "./report.js";

interface ColumnLayout extends ReporterOptions {
  readonly digits: number;
  readonly locationWidth: number;
  readonly weightWidth: number;
  readonly messageColumn: number;
  /** The indentation below an excerpt: aligned with its text if there is room. */
  readonly detailIndent: string;
  readonly narrow: boolean;
}

const margin = "  ";
const barWidth = " │ ".length;
const maxWidth = 120;
const minWidth = 20;
const minMessageWidth = 30;
const maxRelated = 5;
const maxRelatedExcerpts = 2;
const signs = { error: "✖", warning: "⚠", info: "ℹ", none: "✔" };

export const pretty: Reporter = (report, options) => {
  const width = Math.min(Math.max(options.width, minWidth), maxWidth);
  const filesWithFindings = report.files.filter((file) => file.diagnostics.length > 0);
  const lines = [
    ...filesWithFindings.flatMap((file) => fileLines(file, { ...options, width })),
    ...summaryLines(report, options, width),
  ];
  return lines.map((line) => `${line}\n`).join("");
};

function fileLines(file: FileReport, options: ReporterOptions): string[] {
  const isShort = (diagnostic: Diagnostic): boolean => isShortened(diagnostic, options);
  const framed = file.diagnostics.filter((diagnostic) => !isShort(diagnostic));
  const short = file.diagnostics.filter(isShort);
  const related = framed.flatMap(shownRelated).filter((place) => place.file === undefined);
  const ranges = [...file.diagnostics, ...related].map(({ range }) => range);
  const digits = ranges.reduce((most, { start }) => Math.max(most, String(start.line).length), 0);
  const columns = ranges.reduce((most, { start }) => Math.max(most, String(start.column).length), 0);
  const locationWidth = digits + 1 + columns;
  const weightWidth = framed.reduce((most, each) => Math.max(most, weightOf(each).length), "warning".length);
  const messageColumn = 3 * margin.length + locationWidth + weightWidth;
  const narrow = options.width - messageColumn < minMessageWidth;
  const detailIndent = narrow ? margin : " ".repeat(margin.length + digits + barWidth);
  const layout = { ...options, digits, locationWidth, weightWidth, messageColumn, detailIndent, narrow };
  return [
    options.paint.path(escapeInvisible(file.file)),
    "",
    ...framed.flatMap((diagnostic) => [...findingLines(diagnostic, file.lines, layout), ""]),
    ...short.flatMap((diagnostic) => shortLines(diagnostic, layout)),
    ...(short.length > 0 ? [""] : []),
  ];
}

/** Infos take a line each, after the other findings of their file. */
function isShortened({ severity }: Diagnostic, { full = false }: ReporterOptions): boolean {
  return severity === "info" && !full;
}

function shownRelated({ related = [] }: Diagnostic): readonly RelatedPlace[] {
  return related.slice(0, maxRelated);
}

function findingLines(diagnostic: Diagnostic, lines: LineMap, layout: ColumnLayout): string[] {
  const { range, severity } = diagnostic;
  const { detailIndent, width } = layout;
  const paint = layout.paint.severity[severity];
  const run = runLines(diagnostic, width - detailIndent.length);
  return [
    ...headline(diagnostic, layout),
    ...excerptLines(lines, range, "^", paint, layout),
    ...relatedLines(diagnostic, lines, layout),
    ...run.map((line) => detailIndent + line.replace(/^↻/, paint("↻"))),
  ];
}

function headline(diagnostic: Diagnostic, layout: ColumnLayout): readonly string[] {
  const { width, messageColumn, narrow, weightWidth } = layout;
  const { message } = diagnostic;
  const indent = narrow ? margin : " ".repeat(messageColumn);
  const room = width - indent.length;
  const text = wrapText(escapeInvisible(message), room);
  const last = text.at(-1) ?? "";
  const id = ruleText(diagnostic, layout);
  const lines =
    textWidth(last) + margin.length + id.width <= room
      ? [...text.slice(0, -1), `${last}${margin}${id.painted}`]
      : [...text, id.painted];
  const lead = leadOf(diagnostic, layout);
  if (narrow) return [lead, ...lines.map((line) => indent + line)];
  const gap = " ".repeat(weightWidth - weightOf(diagnostic).length);
  return besideLabel(`${lead}${gap}${margin}`, lines, indent);
}

/** One line, with as much of the message as fits; on a very narrow terminal, the message in several. */
function shortLines(diagnostic: Diagnostic, layout: ColumnLayout): readonly string[] {
  const id = ruleText(diagnostic, layout);
  const used = 4 * margin.length + layout.locationWidth + diagnostic.severity.length + id.width;
  const room = layout.width - used;
  if (room < minMessageWidth) return headline(diagnostic, layout);
  const text = clipText(escapeInvisible(diagnostic.message), room);
  return [[leadOf(diagnostic, layout), text, id.painted].join(margin)];
}

function leadOf(diagnostic: Diagnostic, layout: ColumnLayout): string {
  const { paint } = layout;
  const location = paint.dim(locationText(diagnostic.range, layout));
  return `${margin}${location}${margin}${paint.severity[diagnostic.severity](weightOf(diagnostic))}`;
}

function weightOf({ severity, change }: Diagnostic): string {
  return change?.level ?? severity;
}

function ruleText({ rule, docs }: Diagnostic, { paint, localDocs }: ColumnLayout) {
  const id = escapeInvisible(rule);
  return { width: id.length, painted: paint.link(paint.dim(id), docs ?? localDocs?.(rule)) };
}

function excerptLines(
  lines: LineMap,
  range: Range,
  mark: "^" | "-",
  paintMark: (text: string) => string,
  layout: ColumnLayout,
): string[] {
  const { paint, width } = layout;
  const bar = paint.dim("│");
  const gutter = margin.length + layout.digits;
  const shown = excerpt(lines, range, width - gutter - barWidth);
  // A related line is shown in full or not at all.
  if (shown === undefined || (mark === "-" && shown.cut)) return [];
  const number = paint.dim(String(range.start.line).padStart(gutter));
  const text = shown.text === "" ? "" : ` ${shown.text}`;
  const underline = paintMark(mark.repeat(shown.markWidth));
  return [
    `${number} ${bar}${text}`,
    `${" ".repeat(gutter)} ${bar} ${" ".repeat(shown.markStart)}${underline}`,
  ];
}

function relatedLines(diagnostic: Diagnostic, lines: LineMap, layout: ColumnLayout): string[] {
  const { related = [] } = diagnostic;
  const { paint, width, narrow, detailIndent: indent } = layout;
  const hanging = narrow ? indent : `${indent}${" ".repeat(layout.locationWidth)}${margin}`;
  const out: string[] = [];
  for (const place of shownRelated(diagnostic)) {
    const { range, message, file } = place;
    if (file !== undefined) {
      const { line, column } = range.start;
      const text = `${message}: ${file}:${line}:${column}`;
      out.push(...wrapText(escapeInvisible(text), width - indent.length).map((words) => indent + words));
      continue;
    }
    const location = indent + paint.dim(locationText(range, layout));
    const words = wrapText(escapeInvisible(message), width - hanging.length);
    if (narrow) out.push(location, ...words.map((line) => hanging + line));
    else out.push(...besideLabel(location + margin, words, hanging));
    if (related.length <= maxRelatedExcerpts) out.push(...excerptLines(lines, range, "-", paint.dim, layout));
  }
  const more = related.length - maxRelated;
  if (more > 0) out.push(indent + paint.dim(`and ${pluralize(more, "more place")}`));
  return out;
}

/** With more findings than this, the first have scrolled away. */
const maxUncounted = 10;

/** `9 rules; most: unused-tool 4, dead-guard 3 … About one: promptpack explain <rule>`, on one line. */
function ruleCountText(found: readonly Diagnostic[], width: number): string {
  const rows = [...countBy(found, ({ rule }) => rule)].sort(([, a], [, b]) => b - a);
  const counts = rows.map(([rule, count]) => `${rule} ${count}`);
  const number = pluralize(rows.length, "rule");
  const hint = " About one: promptpack explain <rule>";
  const whole = `${number}: ${counts.join(", ")}.${hint}`;
  if (textWidth(whole) <= width) return whole;
  if (rows.length === found.length) return `${number}, each once.${hint}`;
  const shown = () => `${number}; most: ${counts.join(", ")} …${hint}`;
  while (counts.length > 1 && textWidth(shown()) > width) counts.pop();
  return shown();
}

function summaryLines({ files, summary }: Report, options: ReporterOptions, width: number): string[] {
  const { paint } = options;
  const found = files.flatMap(({ diagnostics }) => diagnostics);
  const sentences = summary ?? [`${summaryText(files)}${suppressedText(files)}`];
  const worst = worstSeverity(files);
  const paintSummary = worst === undefined ? paint.success : paint.severity[worst];
  const sign = files.length === 0 && summary === undefined ? "–" : signs[worst ?? "none"];
  const text = sentences.flatMap((sentence) => wrapText(escapeInvisible(sentence), width - margin.length));
  const [first = "", ...rest] = text;
  return [
    paintSummary(`${sign} ${first}`),
    ...rest.map((line) => margin + paintSummary(line)),
    ...(found.length > maxUncounted ? [margin + paint.dim(ruleCountText(found, width - margin.length))] : []),
    ...wrapText(hints(files, options), width - margin.length)
      .filter((line) => line !== "")
      .map((line) => margin + paint.dim(line)),
  ];
}

/** On one line, if there is room: the findings should fit on a screen. */
function hints(files: readonly FileReport[], options: ReporterOptions): string {
  const found = files.flatMap((file) => file.diagnostics);
  const fixes = found.flatMap(({ fix }) => fix ?? []);
  const unsafe = fixes.filter((fix) => fix.unsafe === true).length;
  const safe = fixes.length - unsafe;
  const ways = [safe > 0 && `${safe} with --fix`, unsafe > 0 && `${unsafe} with --fix --unsafe-fixes`];
  const fixHint = fixes.length > 0 && `Can be fixed: ${ways.filter(Boolean).join(", ")}`;
  const isCut = found.some((diagnostic) => isShortened(diagnostic, options));
  return [fixHint, isCut && "Infos in full: --full"].filter(Boolean).join(". ");
}

function locationText({ start }: Range, { digits, locationWidth, narrow }: ColumnLayout): string {
  const text = `${String(start.line).padStart(digits)}:${start.column}`;
  return narrow ? text : text.padEnd(locationWidth);
}

/** A source line; the columns to underline count from 0. */
interface Excerpt {
  readonly text: string;
  readonly markStart: number;
  readonly markWidth: number;
  readonly cut: boolean;
}

interface Glyph {
  readonly text: string;
  readonly width: number;
  readonly marked: boolean;
}

const tabSpaces = "    ";

/** At most `width` columns of the first line of a range. */
export function excerpt(lines: LineMap, range: Range, width: number): Excerpt | undefined {
  const { start, end } = range;
  const line = lines.line(start.line);
  if (line === undefined) return undefined;

  const from = Math.min(start.column - 1, line.length);
  const to = end.line > start.line ? line.length : Math.min(end.column - 1, line.length);
  // Only the surroundings are scanned: a pack may be a single line of many megabytes with a thousand findings.
  const room = Math.max(width, 20);
  const near = windowAround(line, from, Math.max(to, from), room);
  const window = fillsBothSides(near, room) ? near : windowAround(line, from, Math.max(to, from), 4 * room);
  return fitToWidth(window, Math.max(width, 3));
}

interface LineWindow {
  readonly glyphs: readonly Glyph[];
  /** Whether the line goes on before and after the glyphs. */
  readonly moreBefore: boolean;
  readonly moreAfter: boolean;
}

function windowAround(line: string, from: number, to: number, reach: number): LineWindow {
  const first = skipLowSurrogate(line, Math.max(0, from - reach));
  const last = skipLowSurrogate(line, Math.min(line.length, to, from + reach) + reach);
  const glyphs = glyphsOf(line.slice(first, last), from - first, to - first);
  return { glyphs, moreBefore: first > 0, moreAfter: last < line.length };
}

/** Whether the window fills the columns on both sides; it may not, as some characters have no width. */
function fillsBothSides({ glyphs, moreBefore, moreAfter }: LineWindow, columns: number): boolean {
  const firstMarked = glyphs.findIndex((glyph) => glyph.marked);
  const lastMarked = glyphs.findLastIndex((glyph) => glyph.marked);
  return (
    (!moreBefore || widthOf(glyphs.slice(0, firstMarked)) >= columns) &&
    (!moreAfter || widthOf(glyphs.slice(lastMarked + 1)) >= columns)
  );
}

function widthOf(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { width }) => sum + width, 0);
}

function skipLowSurrogate(line: string, index: number): number {
  const code = line.charCodeAt(index);
  const before = line.charCodeAt(index - 1);
  const splitsPair = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return splitsPair ? index + 1 : index;
}

/** Combining characters belong to the glyph before them, so that they are never cut off. */
function glyphsOf(text: string, from: number, to: number): Glyph[] {
  const glyphs: Glyph[] = [];
  // An empty range marks the character after it.
  const end = Math.max(to, from + 1);
  let index = 0;
  for (const cell of cells(text)) {
    const escaped = cell.text === "\t" ? tabSpaces : escapeInvisible(cell.text);
    const shown = escaped !== cell.text && isNeededMark(text, index) ? cell.text : escaped;
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

function fitToWidth(window: LineWindow, width: number): Excerpt {
  const { glyphs, moreBefore, moreAfter } = window;
  const [first, last] = visibleGlyphs(window, width);
  const cutBefore = moreBefore || first > 0;
  const cutAfter = moreAfter || last < glyphs.length;
  const dots = cutBefore ? "…" : "";
  const shown = glyphs.slice(first, last);
  const firstMarked = shown.findIndex((glyph) => glyph.marked);
  const text = dots + shown.map((glyph) => glyph.text).join("");
  return {
    text: cutAfter ? `${text}…` : text.trimEnd(),
    // The marked glyphs follow each other, and at least the first is shown.
    markStart: dots.length + widthOf(shown.slice(0, firstMarked)),
    markWidth: Math.max(1, widthOf(shown.filter((glyph) => glyph.marked))),
    cut: cutBefore || cutAfter,
  };
}

/** The start of the line if the range fits there, else the range with its surroundings. */
function visibleGlyphs(
  { glyphs, moreBefore, moreAfter }: LineWindow,
  width: number,
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
