import { maskSecrets } from "./secrets.js";

const printableAscii = /^[ -~]*$/;
const combining = () => /^[\p{Mn}\p{Me}\u{1160}-\u{11ff}\u{200c}\u{200d}]$/u;
const wide = () =>
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;
const regionalIndicator = /^[\u{1f1e6}-\u{1f1ff}]$/u;
const skinTone = /^[\u{1f3fb}-\u{1f3ff}]$/u;
const joiner = "\u200d";

/** The characters of a text, and the columns each takes in a terminal. Joiners and skin tones add no width to an emoji. */
export function* cells(text: string) {
  let before = "";
  let wideBefore = false;
  for (const character of text) {
    const melts: boolean = wideBefore && (before === joiner || skinTone.test(character));
    const width: number = melts ? 0 : characterWidth(character);
    yield { text: character, width };
    wideBefore = width > 0 ? width === 2 : wideBefore;
    before = character;
  }
}

export function textWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const cell of cells(text)) width += cell.width;
  return width;
}

function characterWidth(character: string): number {
  if (printableAscii.test(character)) return 1;
  if (combining().test(character)) return 0;
  // Two regional indicators make one flag, two columns wide.
  if (regionalIndicator.test(character)) return 1;
  return wide().test(character) ? 2 : 1;
}

/** A secret that is cut could no longer be recognized, so it is masked before. */
export function clipText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const cell of cells(maskSecrets(text))) {
    if ((used += cell.width) > width - 1) break;
    kept += cell.text;
  }
  return `${kept}…`;
}

/** The text, or its beginning and its end with `…` between: names often differ only in their ends. */
export function clipMiddle(whole: string, most: number, measure = textWidth): string {
  if (measure(whole) <= most) return whole;
  const text = maskSecrets(whole);
  const room = Math.max(0, most - 1) / 2;
  // Enough of a text that may be megabytes long.
  const near = most * 16;
  const head = partsThatFit(graphemes(headOf(text, near)), Math.ceil(room), measure);
  const tail = partsThatFit(graphemes(tailOf(text, near)).toReversed(), Math.floor(room), measure);
  return `${head.join("")}…${tail.toReversed().join("")}`;
}

/** The first code units, without half a surrogate pair. */
export function headOf(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units).replace(/[\ud800-\udbff]$/, "");
}

/** The last code units, without half a surrogate pair. */
export function tailOf(text: string, units: number): string {
  return text.length <= units ? text : text.slice(-units).replace(/^[\udc00-\udfff]/, "");
}

function partsThatFit(
  parts: readonly string[],
  room: number,
  measure: (text: string) => number,
): readonly string[] {
  let used = 0;
  const over = parts.findIndex((part) => (used += measure(part)) > room);
  return over === -1 ? parts : parts.slice(0, over);
}

/** Splits into characters as a reader counts them: combining marks and joined emoji belong to one. */
export function graphemes(text: string): readonly string[] {
  if (printableAscii.test(text)) return [...text];
  return Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
}

/** Lines of at most `width` columns, broken between words where that is possible. */
export function wrapText(text: string, width: number): string[] {
  return wrapSegments(text.split(" "), width);
}

/** The same for pieces that stay whole if they fit, joined by spaces. */
export function wrapSegments(pieces: readonly string[], width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line: string | undefined;
  let used = 0;
  for (const piece of pieces.flatMap((whole) => (textWidth(whole) <= room ? [whole] : whole.split(" ")))) {
    const needed = textWidth(piece);
    if (line !== undefined && used + 1 + needed <= room) {
      line += ` ${piece}`;
      used += 1 + needed;
      continue;
    }
    if (line !== undefined) lines.push(line);
    const parts = needed <= room ? [piece] : breakWord(piece, room);
    line = parts.pop() ?? "";
    for (const part of parts) lines.push(part);
    used = textWidth(line);
  }
  if (line !== undefined) lines.push(line);
  return lines;
}

function breakWord(word: string, width: number): string[] {
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const cell of cells(word)) {
    if (used + cell.width > width && part !== "") {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += cell.text;
    used += cell.width;
  }
  parts.push(part);
  return parts;
}

/** Lines beside a label: the first begins with it, the others with as much space. */
export function besideLabel(
  label: string,
  lines: readonly string[],
  indent = " ".repeat(textWidth(label)),
): readonly string[] {
  return lines.map((line, index) => (index === 0 ? label : indent) + line);
}

type Row = readonly string[];

/** Aligned columns, two spaces apart; cells are clipped to fit into `room`, but to no less than the first row has. */
export function alignColumns(
  rows: readonly Row[],
  room = Infinity,
  { maxCellWidth = Infinity }: { readonly maxCellWidth?: number } = {},
): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => clipCell(cell, maxCellWidth)));
  const widths = fitWidths(columnWidths(cells), columnWidths(cells.slice(0, 1)), room);
  const clipped = cells.map((row) => row.map((cell, column) => clipCell(cell, widths[column] ?? 0)));
  return clipped.map((row) => padRow(row, widths).join("  ").trimEnd());
}

/** Shrinks the widest columns first, but none below the width of its heading. */
function fitWidths(widths: readonly number[], heads: readonly number[], room: number): readonly number[] {
  const within = (most: number): readonly number[] =>
    widths.map((width, column) => Math.max(heads[column] ?? 0, Math.min(width, most)));
  let most = Math.max(...widths);
  while (most > 0 && within(most).reduce((sum, width) => sum + width + 2, -2) > room) most--;
  return within(most);
}

/** A table whose first row is its heading, underlined. */
export function ruledTable(rows: readonly Row[]): readonly string[] {
  const widths = columnWidths(rows);
  const [head = "", ...body] = rows.map((row) => `${padRow(row, widths).join(" │ ")} │`);
  const rule = `${widths.map((width, column) => "─".repeat(width + (column === 0 ? 1 : 2))).join("┼")}┤`;
  return [head, rule, ...body];
}

function columnWidths(rows: readonly Row[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  }
  return widths;
}

function padRow(row: Row, widths: readonly number[]): Row {
  return row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - textWidth(cell)));
}

/** Names keep their ends; lists keep their beginnings. */
export function clipCell(text: string, width: number): string {
  return text.includes(", ") ? clipText(text, width) : clipMiddle(text, width);
}
