import type { Diagnostic, Range } from "../diagnostic.js";
import type { Reporter } from "./report.js";
import { visible } from "../text/visible-text.js";

/** One line per finding: `path:line:col: severity: message [rule-id]`. */
export const compact: Reporter = (report) =>
  report.files
    .flatMap((file) => file.diagnostics.map((diagnostic) => `${compactLine(file.file, diagnostic)}\n`))
    .join("");

type Told = Pick<Diagnostic, "severity" | "message" | "rule"> & { readonly range: Pick<Range, "start"> };

export function compactLine(file: string, { severity, message, rule, range }: Told): string {
  const { line, column } = range.start;
  return `${pathText(file)}:${line}:${column}: ${severity}: ${visible(message)} [${visible(rule)}]`;
}

/** A path in which nobody finds a place: the colon of `a:1:1: error: …` is written as an escape. */
function pathText(file: string): string {
  return visible(file).replace(/:(?=\d+(?::|$))/g, "\\u003a");
}
