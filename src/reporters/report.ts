import { type Diagnostic, severities, type Severity, type Suppressed } from "../diagnostic.js";
import type { LineMap } from "../document/scan-text.js";
import type { RuleInfo } from "../rules/rule-info.js";
import type { Paint } from "../text/paint.js";
import { pluralize } from "../text/wording.js";

export interface FileReport {
  /** Relative to the working directory, with `/`; `<stdin>` for standard input without a name. */
  readonly file: string;
  /** `RFC-103` for routes, logs and loop state; the newest version for a config or baseline. */
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
  readonly lines: LineMap;
  /** A config or baseline with stale entries, which was not linted itself. */
  readonly isConfigFile?: true;
  readonly hiddenCount?: number;
  readonly diagram?: string;
}

export interface Report {
  readonly tool: { readonly name: string; readonly version: string; readonly homepage?: string };
  readonly rules: readonly (RuleInfo & { readonly docs?: string })[];
  readonly pageOf?: (rule: string) => string | undefined;
  readonly files: readonly FileReport[];
  readonly incomplete?: boolean;
  /** Sentences to end with, instead of the number of problems. */
  readonly summary?: readonly string[];
}

export interface ReporterOptions {
  readonly paint: Paint;
  readonly width: number;
  readonly full?: boolean;
  /** The local page of a rule; only set for terminals that show links, as other reports must not contain local paths. */
  readonly localDocs?: (rule: string) => string | undefined;
  /** The size of the page to which the report is appended. */
  readonly existingBytes?: number;
}

export interface Reporter {
  (report: Report, options: ReporterOptions): string;
  /** The same in pieces, for a report that may be large. */
  readonly pieces?: (report: Report) => Iterable<string>;
}

export function summarize(files: readonly FileReport[]) {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const file of files) for (const { severity } of file.diagnostics) counts[severity]++;
  const linted = files.filter(({ isConfigFile }) => isConfigFile !== true).length;
  return { files: linted, errors: counts.error, warnings: counts.warning, infos: counts.info };
}

export function worstSeverity(files: readonly FileReport[]): Severity | undefined {
  const found = new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ severity }) => severity)));
  return severities.find((severity) => found.has(severity));
}

/** `3 problems (1 error, 2 warnings) in 2 of 5 files`, or `No problems in 5 files`. */
export function summaryText(files: readonly FileReport[]): string {
  const { files: linted, errors, warnings, infos } = summarize(files);
  const problems = errors + warnings + infos;
  if (files.length === 0) return "Nothing was checked";
  if (problems === 0) return `No ${problemNoun(files)} in ${pluralize(linted, "file")}`;
  const counts = Object.entries({ error: errors, warning: warnings, info: infos });
  const kinds = counts.flatMap(([kind, count]) => (count > 0 ? pluralize(count, kind) : []));
  return `${pluralize(problems, "problem")} (${kinds.join(", ")}) in ${affectedFilesText(files, linted)}`;
}

/** With hidden findings, only the absence of errors can be claimed. */
export function problemNoun(files: readonly FileReport[]): string {
  return files.some(({ hiddenCount = 0 }) => hiddenCount > 0) ? "errors" : "problems";
}

/** `2 of 5 files`; just `2 files` if one of them is a config or baseline, which does not count as linted. */
function affectedFilesText(files: readonly FileReport[], linted: number): string {
  const affected = files.filter((file) => file.diagnostics.length > 0);
  const isAll = affected.length === linted || affected.some(({ isConfigFile }) => isConfigFile === true);
  return isAll ? pluralize(affected.length, "file") : `${affected.length} of ${linted} files`;
}

export function suppressedText(files: readonly FileReport[]): string {
  const suppressed = files.reduce((sum, file) => sum + file.suppressed.length, 0);
  return suppressed === 0 ? "" : `, ${suppressed} suppressed`;
}
