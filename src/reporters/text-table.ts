import { textWidth } from "../text/text-width.js";

/** A table whose first row is its head. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  }
  const [head = "", ...body] = rows.map((row) => rowText(row, widths));
  const rule = `${widths.map((width, column) => "─".repeat(width + (column === 0 ? 1 : 2))).join("┼")}┤`;
  return [head, rule, ...body].map((text) => `${text}\n`).join("");
}

function rowText(row: readonly string[], widths: readonly number[]): string {
  const padded = row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - textWidth(cell)));
  return `${padded.join(" │ ")} │`;
}
