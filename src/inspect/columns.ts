import { textWidth } from "../text/text-width.js";

/** Cells of one row, and how the row is painted once its columns are known. */
export interface Row {
  readonly cells: readonly string[];
  readonly paint?: (text: string) => string;
}

/** Rows whose cells stand below one another, two spaces apart. */
export function alignedRows(rows: readonly Row[]): readonly string[] {
  const widths: number[] = [];
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    }
  }
  return rows.map(({ cells, paint }) => {
    const padded = cells.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - textWidth(cell)));
    const line = padded.join("  ").trimEnd();
    return paint === undefined ? line : paint(line);
  });
}
