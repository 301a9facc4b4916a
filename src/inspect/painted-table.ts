import { alignedLines, clipCell } from "../text/table.js";

const mostCell = 36;

/** Cells of one row, and how the row is painted once its columns are known. */
export interface Row {
  readonly cells: readonly string[];
  readonly paint?: (text: string) => string;
}

/** The rows as lines of at most so many columns, each painted as a whole. */
export function paintedTable(rows: readonly Row[], width: number): readonly string[] {
  const cells = rows.map((row) => row.cells.map((cell) => clipCell(cell, mostCell)));
  return alignedLines(cells, width).map((line, row) => rows[row]?.paint?.(line) ?? line);
}
