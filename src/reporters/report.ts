import { severities, type Diagnostic, type Severity, type Suppressed } from "../diagnostic.js";
import type { LineMap } from "../document/line-map.js";
import type { RuleInfo } from "../rules/rule-info.js";
import type { Paint } from "../text/paint.js";

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

export interface Summary {
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
