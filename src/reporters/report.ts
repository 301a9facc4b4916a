import { type Diagnostic, severities, type Severity, type Suppressed } from "../diagnostic.js";
import type { LineMap } from "../document/line-map.js";
import type { RuleInfo } from "../rules/rule-info.js";
import type { Paint } from "../text/paint.js";
import { pluralize } from "../text/wording.js";

/** What linting one file gave. */
export interface FileReport {
  /** Relative to the working folder, with `/`; `<stdin>` for standard input without a name. */
  readonly file: string;
  /** `RFC-103` for routes, logs and the state of a loop; the newest version for a config or baseline, which is checked against none. */
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
  readonly lines: LineMap;
  /** A config or baseline that has stale entries: it was not linted itself. */
  readonly isConfigFile?: true;
  /** The pointers by which findings are known again, where someone asked for them. */
  readonly stablePointers?: ReadonlyMap<Diagnostic, string> | undefined;
  /** How many findings are not shown, as `--quiet` asks. */
  readonly hiddenCount?: number;
  /** The workflow as a Mermaid diagram, where a reporter asked for it and there is one. */
  readonly diagram?: string;
}

interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

/** A rule, and the address of its page where there is one. */
export interface ReportedRule extends RuleInfo {
  readonly docs?: string;
}

/** Everything a reporter may print. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string; readonly homepage?: string };
  readonly rules: readonly ReportedRule[];
  readonly files: readonly FileReport[];
  /** Whether something kept the run from doing all of its job: what is not here may still be wrong. */
  readonly incomplete?: boolean;
}

export interface ReporterOptions {
  readonly paint: Paint;
  /** Columns of the terminal. */
  readonly width: number;
  /** The page of a rule on this computer, given only where links are shown: in other reports its path has no place. */
  readonly localDocs?: (rule: string) => string | undefined;
  /** What a page holds already to which the report is added. */
  readonly existingBytes?: number;
}

export type Reporter = (report: Report, options: ReporterOptions) => string;

/** Where a finding stands, whatever else moves; as far as that is known. */
export function stablePointerOf(
  { stablePointers }: Pick<FileReport, "stablePointers">,
  diagnostic: Diagnostic,
): string {
  return stablePointers?.get(diagnostic) ?? diagnostic.pointer;
}

export function summarize(files: readonly FileReport[]): Summary {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const file of files) for (const { severity } of file.diagnostics) counts[severity]++;
  const linted = files.filter(({ isConfigFile }) => isConfigFile !== true).length;
  return { files: linted, errors: counts.error, warnings: counts.warning, infos: counts.info };
}

/** The gravest there is among the findings; nothing where there are none. */
export function worstSeverity(files: readonly FileReport[]): Severity | undefined {
  const found = new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ severity }) => severity)));
  return severities.find((severity) => found.has(severity));
}

/** `3 problems (1 error, 2 warnings) in 2 of 5 files`, or that there are none. */
export function summaryText(files: readonly FileReport[]): string {
  const { files: linted, errors, warnings, infos } = summarize(files);
  const problems = errors + warnings + infos;
  if (files.length === 0) return "Nothing was checked";
  if (problems === 0) return `No ${problemNoun(files)} in ${pluralize(linted, "file")}`;
  const kinds = [
    ...(errors > 0 ? [pluralize(errors, "error")] : []),
    ...(warnings > 0 ? [pluralize(warnings, "warning")] : []),
    ...(infos > 0 ? [pluralize(infos, "info")] : []),
  ];
  return `${pluralize(problems, "problem")} (${kinds.join(", ")}) in ${faultyFilesText(files, linted)}`;
}

/** Where findings are only not shown, no more is said than that there are no errors. */
export function problemNoun(files: readonly FileReport[]): string {
  return files.some(({ hiddenCount = 0 }) => hiddenCount > 0) ? "errors" : "problems";
}

/** `2 of 5 files`; with a config or baseline among the two, they are not two of the five that were linted. */
function faultyFilesText(files: readonly FileReport[], linted: number): string {
  const faulty = files.filter((file) => file.diagnostics.length > 0);
  const isAll = faulty.length === linted || faulty.some(({ isConfigFile }) => isConfigFile === true);
  return isAll ? pluralize(faulty.length, "file") : `${faulty.length} of ${linted} files`;
}

/** `, 2 suppressed`, or nothing. */
export function suppressedText(files: readonly FileReport[]): string {
  const suppressed = files.reduce((sum, file) => sum + file.suppressed.length, 0);
  return suppressed === 0 ? "" : `, ${suppressed} suppressed`;
}

/** Which one each text is among those that are equal to it, counted from 1. */
export function ordinalsOf(texts: readonly string[]): number[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const ordinal = (seen.get(text) ?? 0) + 1;
    seen.set(text, ordinal);
    return ordinal;
  });
}
