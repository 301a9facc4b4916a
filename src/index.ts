import { applyComments } from "./suppress/apply-comments.js";
import type { Diagnostic, Severity } from "./diagnostic.js";
import { defaultLimits, type Document, type Format, type Limits } from "./document/document.js";
import { formatOf } from "./document/format-of.js";
import { readDocument } from "./document/read.js";
import { lintDocument, lintRoutes, type LintOptions as RuleOptions } from "./lint.js";
import { isFixable } from "./fix/apply-edits.js";
import { soundOffers } from "./fix/apply-fixes.js";
import type { Checked } from "./fix/is-sound.js";
import { didYouMean } from "./nearest-name.js";
import { versionFault } from "./pack/spec.js";
import { isRoutes, readRoutes } from "./routes/read-routes.js";
import { loopSpec, Routes } from "./routes/routes.js";
import { rules as allRules } from "./rules/index.js";
import type { RuleInfo } from "./rules/rule.js";
import { docsBase } from "./tool.js";

export type {
  Diagnostic,
  Fix,
  Position,
  Range,
  RelatedPlace,
  Severity,
  TextEdit,
  Trace,
  TraceStep,
} from "./diagnostic.js";
export type { Format, Limits } from "./document/document.js";
export type { RuleInfo } from "./rules/rule.js";

export interface LintOptions {
  /** The name to report; its extension tells the format. */
  readonly file?: string;
  readonly format?: Format;
  /** A pack, or a file of routes (RFC-103); by what is in it where this is absent. */
  readonly kind?: "pack" | "routes";
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string;
  /** The severity of a rule by its id, where it is not the rule's own. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  /** Whether comments such as `# promptpack-disable-next-line` count; they do unless this is false. */
  readonly inlineConfig?: boolean;
  /** Whether a relative path exists beside the pack. Where it is absent, paths are not checked. */
  readonly fileExists?: (relativePath: string) => boolean;
  readonly limits?: Partial<Limits>;
}

export interface LintResult {
  readonly file: string;
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Every rule there is. */
export const rules: readonly RuleInfo[] = allRules.map(({ id, summary, severity, source }) => {
  return { id, summary, severity, source };
});

/** The findings in the text of a pack. Touches no disk, and throws only for options that make no sense. */
export function lint(source: string | Uint8Array, options: LintOptions = {}): LintResult {
  const levels = levelsOf(options.rules ?? {});
  const wrong = options.specVersion === undefined ? undefined : versionFault(options.specVersion);
  if (wrong !== undefined) throw new TypeError(wrong);
  const format = options.format ?? formatOf(options.file, beginning(source));
  const limits = { ...defaultLimits, ...options.limits };
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
  levels: ReadonlyMap<string, Severity | "off">,
  options: LintOptions,
): Checked & Pick<LintResult, "specVersion"> {
  const { root } = document;
  const { specVersion, diagnostics } = lintAsKind(document, file, options.kind, {
    levels,
    specVersion: options.specVersion,
    docsBase,
    ...(options.fileExists !== undefined && { fileExists: options.fileExists }),
  });
  if (options.inlineConfig === false) return { root, specVersion, kept: diagnostics, suppressed: [] };
  const { kept, suppressed } = applyComments(document, diagnostics, levels, docsBase);
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

function levelsOf(
  settings: Readonly<Record<string, Severity | "off">>,
): ReadonlyMap<string, Severity | "off"> {
  const levels = new Map<string, Severity | "off">(allRules.map(({ id, severity }) => [id, severity]));
  for (const [id, level] of Object.entries(settings)) {
    if (!levels.has(id)) throw new TypeError(`No rule is called "${id}".${didYouMean(id, levels.keys())}`);
    levels.set(id, level);
  }
  return levels;
}

function beginning(source: string | Uint8Array): string {
  return typeof source === "string" ? source : new TextDecoder().decode(source.subarray(0, 64 * 1024));
}
