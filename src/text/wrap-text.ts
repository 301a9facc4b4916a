import { cells, textWidth } from "./text-width.js";

/** Lines of at most `width` columns, broken between words where that is possible. */
export function wrapText(text: string, width: number): string[] {
  return wrapSegments(text.split(" "), width);
}

/** The same for pieces that want to stay whole, joined by spaces. */
export function wrapSegments(pieces: readonly string[], width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line: string | undefined;
  let used = 0;
  for (const piece of pieces) {
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
