import type { Range } from "../diagnostic.js";
import type { LineMap } from "../document/line-map.js";
import { cells } from "../text/text-width.js";
import { escapeInvisible } from "../text/visible-text.js";

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
  return (first === 0 || totalWidth(before) >= columns) && (last >= line.length || totalWidth(after) >= columns);
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
