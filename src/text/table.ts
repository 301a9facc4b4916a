import { clipMiddle, clipText } from "./clip-text.js";
import { textWidth } from "./text-width.js";

type Row = readonly string[];

/** Rows whose cells stand below one another, two spaces apart; where that is wider than `room`, cells are clipped. */
export function alignColumns(rows: readonly Row[], room: number): readonly string[] {
  const widths = fitWidths(columnWidths(rows), columnWidths(rows.slice(0, 1)), room);
  const clipped = rows.map((row) => row.map((cell, column) => clipCell(cell, widths[column] ?? 0)));
  return clipped.map((row) => padRow(row, widths).join("  ").trimEnd());
}

/** The widest columns give way, but not to less than their heads. */
function fitWidths(widths: readonly number[], heads: readonly number[], room: number): readonly number[] {
  const within = (most: number): readonly number[] =>
    widths.map((width, column) => Math.max(heads[column] ?? 0, Math.min(width, most)));
  let most = Math.max(...widths);
  while (most > 0 && within(most).reduce((sum, width) => sum + width + 2, -2) > room) most--;
  return within(most);
}

/** A table whose first row is its head, with a rule below it. */
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

/** Names may differ only in how they end; of a list, the first ones are told. */
export function clipCell(text: string, width: number): string {
  return text.includes(", ") ? clipText(text, width) : clipMiddle(text, width);
}
