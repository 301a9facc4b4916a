import { cells, textWidth } from "./text-width.js";

const printableAscii = /^[ -~]*$/;

/** The text, or its beginning and `…` where it would take more columns. */
export function clipText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const cell of cells(text)) {
    if ((used += cell.width) > width - 1) break;
    kept += cell.text;
  }
  return `${kept}…`;
}

/**
 * The text, or its beginning and its end with `…` between where it would measure more: names often differ only in how
 * they end.
 */
export function clipMiddle(text: string, most: number, measure = textWidth): string {
  if (measure(text) <= most) return text;
  const room = Math.max(0, most - 1) / 2;
  // Most of a text of megabytes need not be looked at.
  const near = most * 16;
  const head = partsThatFit(graphemes(headOf(text, near)), Math.ceil(room), measure);
  const tail = partsThatFit(graphemes(tailOf(text, near)).toReversed(), Math.floor(room), measure);
  return `${head.join("")}…${tail.toReversed().join("")}`;
}

/** The first code units, but for half of a character. */
export function headOf(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units).replace(/[\ud800-\udbff]$/, "");
}

/** The last ones. */
export function tailOf(text: string, units: number): string {
  return text.length <= units ? text : text.slice(-units).replace(/^[\udc00-\udfff]/, "");
}

/** As many of the first as there is room for. */
function partsThatFit(
  parts: readonly string[],
  room: number,
  measure: (text: string) => number,
): readonly string[] {
  let used = 0;
  const over = parts.findIndex((part) => (used += measure(part)) > room);
  return over === -1 ? parts : parts.slice(0, over);
}

/** What a reader takes for one character each, with its marks, and emoji that are joined. */
export function graphemes(text: string): readonly string[] {
  if (printableAscii.test(text)) return [...text];
  return Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
}
