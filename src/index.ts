import { applyComments } from "./suppress/apply-comments.js";
import type { Diagnostic, Level } from "./diagnostic.js";
import { defaultLimits, type Document, type Limits } from "./document/document.js";
import { formatOf } from "./document/format-of.js";
import { readDocument } from "./document/read.js";
import { lintDocument, lintRoutes, type LintOptions as RuleOptions } from "./lint.js";
import { callFault, type LintOptions } from "./lint-options.js";
import { isFixable } from "./fix/apply-edits.js";
import { soundOffers } from "./fix/apply-fixes.js";
import type { Checked } from "./fix/is-sound.js";
import { isRoutes, readRoutes } from "./routes/read-routes.js";
import { loopSpec, Routes } from "./routes/routes.js";
import { rules as allRules } from "./rules/index.js";
import type { RuleInfo } from "./rules/rule.js";

export type {
  Diagnostic,
  Fix,
  Level,
  Position,
  Range,
  RelatedPlace,
  Severity,
  TextEdit,
  Trace,
  TraceStep,
} from "./diagnostic.js";
export type { Format, Limits } from "./document/document.js";
export type { LintOptions } from "./lint-options.js";
export type { RuleInfo } from "./rules/rule.js";

export interface LintResult {
  readonly file: string;
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Every rule there is. */
export const rules: readonly RuleInfo[] = allRules.map(({ id, summary, severity, source }) => {
  return { id, summary, severity, source };
});

/** The findings in the text of a pack. Touches no disk, and throws a TypeError only for what makes no sense. */
export function lint(source: string | Uint8Array, options: LintOptions = {}): LintResult {
  const fault = callFault(source, options);
  if (fault !== undefined) throw new TypeError(fault);
  const levels = levelsOf(options.rules ?? {});
  const format = options.format ?? formatOf(options.file, beginning(source));
  const limits = limitsOf(options.limits ?? {});
  const file = options.file ?? "<source>";
  const document = readDocument(source, format, limits);
  const judged = judge(document, file, levels, options);
  const { specVersion } = judged;
  if (!judged.kept.some(isFixable)) return { file, specVersion, diagnostics: judged.kept };
  const check = (text: string): Checked => {
    // Without a byte order mark in front, one that belongs to the text would be taken for it.
    return judge(readDocument(`\ufeff${text}`, format, limits), file, levels, options);
  };
  return { file, specVersion, diagnostics: soundOffers(document.text, judged, check) };
}

function judge(
  document: Document,
  file: string,
  levels: ReadonlyMap<string, Level>,
  options: LintOptions,
): Checked & Pick<LintResult, "specVersion"> {
  const { root } = document;
  const { specVersion, diagnostics } = lintAsKind(document, file, options.kind, {
    levels,
    specVersion: options.specVersion,
    ...(options.fileExists !== undefined && { fileExists: options.fileExists }),
  });
  if (options.inlineConfig === false) return { root, specVersion, kept: diagnostics, suppressed: [] };
  const { kept, suppressed } = applyComments(document, diagnostics, levels);
  return { root, specVersion, kept, suppressed: suppressed.map(({ diagnostic }) => diagnostic) };
}

function lintAsKind(
  document: Document,
  name: string,
  kind: LintOptions["kind"],
  options: RuleOptions,
): Pick<LintResult, "specVersion" | "diagnostics"> {
  if ((kind ?? (isRoutes(document) ? "routes" : "pack")) === "pack") return lintDocument(document, options);
  const file = readRoutes(name, document);
  return { specVersion: loopSpec, diagnostics: lintRoutes(file, new Routes([file]), options) };
}

function levelsOf(settings: Readonly<Record<string, Level>>): ReadonlyMap<string, Level> {
  const own = allRules.map(({ id, severity }): [string, Level] => [id, severity]);
  return new Map([...own, ...Object.entries(settings)]);
}

function limitsOf({ maxBytes, maxDepth, maxAliasNodes, maxValues }: Partial<Limits>): Limits {
  return {
    maxBytes: maxBytes ?? defaultLimits.maxBytes,
    maxDepth: maxDepth ?? defaultLimits.maxDepth,
    maxAliasNodes: maxAliasNodes ?? defaultLimits.maxAliasNodes,
    maxValues: maxValues ?? defaultLimits.maxValues,
  };
}

function beginning(source: string | Uint8Array): string {
  return typeof source === "string" ? source : new TextDecoder().decode(source.subarray(0, 64 * 1024));
}
