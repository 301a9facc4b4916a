import type { Diagnostic } from "../diagnostic.js";
import type { Reporter } from "./report.js";
import { visible } from "../text/visible-text.js";

/** One line per finding: `path:line:col: severity: message [rule-id]`. */
export const compact: Reporter = (report) =>
  report.files
    .flatMap((file) => file.diagnostics.map((diagnostic) => `${compactLine(file.file, diagnostic)}\n`))
    .join("");

export function compactLine(file: string, diagnostic: Diagnostic): string {
  const { line, column } = diagnostic.range.start;
  const { severity, message, rule } = diagnostic;
  return `${visible(file)}:${line}:${column}: ${severity}: ${visible(message)} [${visible(rule)}]`;
}
