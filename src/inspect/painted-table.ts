import { alignColumns, clipCell } from "../text/table.js";

const maxCellWidth = 36;

/** Cells of one row, and how the row is painted once its columns are known. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly paint?: (text: string) => string;
}

/** The rows as lines of at most so many columns, each painted as a whole. */
export function paintedTable(rows: readonly TableRow[], width: number): readonly string[] {
  const cells = rows.map((row) => row.cells.map((cell) => clipCell(cell, maxCellWidth)));
  return alignColumns(cells, width).map((line, row) => rows[row]?.paint?.(line) ?? line);
}
