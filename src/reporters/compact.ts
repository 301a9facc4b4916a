import type { Diagnostic } from "../diagnostic.js";
import { escapeInvisible } from "../text/escape.js";
import type { Reporter } from "./report.js";

/** One line per finding: `path:line:col: severity: message [rule-id]`. */
export const compact: Reporter = (report) =>
  report.files
    .flatMap((file) => file.diagnostics.map((diagnostic) => `${compactLine(file.file, diagnostic)}\n`))
    .join("");

export function compactLine(file: string, { severity, message, rule, range }: Diagnostic): string {
  const { line, column } = range.start;
  return `${escapePath(file)}:${line}:${column}: ${severity}: ${escapeInvisible(message)} [${escapeInvisible(rule)}]`;
}

/** Escapes the colon of a path such as `a:1:1`, which would be read as a location. */
function escapePath(file: string): string {
  return escapeInvisible(file).replace(/:(?=\d+(?::|$))/g, "\\u003a");
}
