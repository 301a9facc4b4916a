import { textWidth } from "./text-width.js";

type Row = readonly string[];

/** Rows whose cells stand below one another, two spaces apart. */
export function alignedLines(rows: readonly Row[]): readonly string[] {
  const widths = widthsOf(rows);
  return rows.map((row) => padded(row, widths).join("  ").trimEnd());
}

/** A table whose first row is its head, with a rule below it. */
export function ruledLines(rows: readonly Row[]): readonly string[] {
  const widths = widthsOf(rows);
  const [head = "", ...body] = rows.map((row) => `${padded(row, widths).join(" │ ")} │`);
  const rule = `${widths.map((width, column) => "─".repeat(width + (column === 0 ? 1 : 2))).join("┼")}┤`;
  return [head, rule, ...body];
}

function widthsOf(rows: readonly Row[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  }
  return widths;
}

function padded(row: Row, widths: readonly number[]): Row {
  return row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - textWidth(cell)));
}
