import { cells, textWidth } from "./text-width.js";

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
