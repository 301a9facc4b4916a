import type { Diagnostic, PublicDiagnostic, TraceStep } from "./diagnostic.js";
import { defaultLimits, detectFormat, type Limits } from "./document/file-format.js";
import { withBom } from "./document/text-document.js";
import { readDocument } from "./document/read.js";
import { Analysis } from "./analysis.js";
import { callFault, type LintOptions } from "./lint-options.js";
import { withVerifiedFixes } from "./fix/apply-fixes.js";
import { rules as allRules } from "./rules/index.js";
import type { RuleInfo } from "./rules/rule-info.js";

export type {
  Fix,
  Level,
  Position,
  PublicDiagnostic as Diagnostic,
  Range,
  RelatedPlace,
  Severity,
  TextEdit,
  Trace,
  TraceStep,
} from "./diagnostic.js";
export type { FileKind, Format, Limits } from "./document/file-format.js";
export type { LintOptions } from "./lint-options.js";
export type { RuleInfo } from "./rules/rule-info.js";

export interface LintResult {
  readonly file: string;
  /** The PromptPack version that the file was checked against; `RFC-103` for a file of routes. */
  readonly specVersion: string;
  readonly diagnostics: readonly PublicDiagnostic[];
}

export const rules: readonly RuleInfo[] = allRules.map(({ id, summary, severity, fix, source }) => {
  return { id, summary, severity, ...(fix && { fix }), source };
});

/**
 * Lints the text of a pack. Touches no disk. Throws a TypeError for invalid arguments, and rethrows what
 * `fileExists` and `readFileBeside` throw.
 */
export function lint(source: string | Uint8Array, options: LintOptions = {}): LintResult {
  const fault = callFault(source, options);
  if (fault !== undefined) throw new TypeError(fault);
  const { file = "<source>", format = detectFormat(options.file, source) } = options;
  const limits = limitsOf(options.limits ?? {});
  const { thrown, ...beside } = remembered(options);
  const settings = { ...options, ...beside, levels: new Map(Object.entries(options.rules ?? {})) };
  try {
    const analyze = (text: string | Uint8Array): Analysis =>
      new Analysis(file, readDocument(text, format, limits), settings);
    const analysis = analyze(source);
    const result = analysis.lint(settings);
    const diagnostics = withVerifiedFixes(analysis.document.text, result, (text) =>
      analyze(withBom(text)).lint(settings),
    );
    const given = diagnostics.map(toPublic);
    const hasMark = typeof source === "string" && source.startsWith("\ufeff");
    return { file, specVersion: result.specVersion, diagnostics: hasMark ? given.map(behindMark) : given };
  } catch (error) {
    throw thrown.length > 0 ? thrown[0] : error;
  }
}

/** The callbacks of the caller, which remember what they threw, so that it can be rethrown unchanged. */
function remembered(
  options: LintOptions,
): Pick<LintOptions, "fileExists" | "readFileBeside"> & { readonly thrown: readonly unknown[] } {
  const thrown: unknown[] = [];
  const remember =
    <Answer>(given: (path: string) => Answer, isValid: (answer: unknown) => boolean, fault: string) =>
    (path: string): Answer => {
      try {
        const answer = given(path);
        if (!isValid(answer)) throw new TypeError(fault);
        return answer;
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    };
  const { fileExists, readFileBeside } = options;
  return {
    thrown,
    // A promise would always be truthy.
    fileExists:
      fileExists &&
      remember(
        fileExists,
        (answer) => typeof answer === "boolean",
        '"fileExists" must return true or false.',
      ),
    readFileBeside:
      readFileBeside &&
      remember(
        readFileBeside,
        (answer) => answer === undefined || typeof answer === "string",
        '"readFileBeside" must return a string or undefined.',
      ),
  };
}

/** Shifts offsets past a byte order mark, which lines and columns do not count. */
function behindMark(diagnostic: PublicDiagnostic): PublicDiagnostic {
  const { fix, trace } = diagnostic;
  return {
    ...diagnostic,
    ...(fix && { fix: { ...fix, edits: fix.edits.map((edit) => ({ ...edit, ...moved(edit) })) } }),
    ...(trace && { trace: { ...trace, steps: trace.steps.map(stepBehindMark) } }),
  };
}

function stepBehindMark(step: TraceStep): TraceStep {
  return { ...step, ...(step.at && { at: moved(step.at) }) };
}

function moved({ start, end }: { readonly start: number; readonly end: number }) {
  return { start: start + 1, end: end + 1 };
}

function toPublic({ claim: _, alsoAt: __, ...diagnostic }: Diagnostic): PublicDiagnostic {
  return diagnostic;
}

function limitsOf({
  maxBytes,
  maxDepth,
  maxAliasNodes,
  maxValues,
}: NonNullable<LintOptions["limits"]>): Limits {
  return {
    maxBytes: maxBytes ?? defaultLimits.maxBytes,
    maxDepth: maxDepth ?? defaultLimits.maxDepth,
    maxAliasNodes: maxAliasNodes ?? defaultLimits.maxAliasNodes,
    maxValues: maxValues ?? defaultLimits.maxValues,
  };
}
