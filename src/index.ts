import type { Diagnostic, PublicDiagnostic, Span, TraceStep } from "./diagnostic.js";
import { defaultLimits, detectFormat, type Limits } from "./document/file-format.js";
import { withBom } from "./document/text-document.js";
import { readDocument } from "./document/read.js";
import { Analysis } from "./analysis.js";
import { callFault, type LintOptions } from "./lint-options.js";
import { withVerifiedFixes } from "./fix/apply-fixes.js";
import { RuleFailure } from "./lint/run-rules.js";
import { targetOf } from "./runtimes/index.js";
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
export type { RuntimeName } from "./runtimes/names.js";
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
  const given = Object.entries(options.limits ?? {}).filter(([, limit]) => limit !== undefined);
  const limits: Limits = { ...defaultLimits, ...Object.fromEntries(given) };
  const levels = new Map(Object.entries(options.rules ?? {}));
  const { fileExists, readFileBeside } = options;
  const settings = {
    ...options,
    levels,
    target: targetOf(options),
    // A promise would always be truthy.
    fileExists: fileExists && checked(fileExists, isBoolean, '"fileExists" must return true or false.'),
    readFileBeside:
      readFileBeside &&
      checked(readFileBeside, isText, '"readFileBeside" must return a string or undefined.'),
  };
  const analyze = (text: string | Uint8Array): Analysis =>
    new Analysis(file, readDocument(text, format, limits), settings);
  try {
    const analysis = analyze(source);
    const findings = analysis.lint(settings);
    const verified = withVerifiedFixes(analysis.document.text, findings, (text) =>
      analyze(withBom(text)).lint(settings),
    );
    const diagnostics = verified.map(toPublic);
    const hasMark = typeof source === "string" && source.startsWith("\ufeff");
    return {
      file,
      specVersion: findings.specVersion,
      diagnostics: hasMark ? diagnostics.map(behindMark) : diagnostics,
    };
  } catch (error) {
    const cause = error instanceof RuleFailure ? error.cause : error;
    throw cause instanceof CallbackFailure ? cause.cause : error;
  }
}

/** Wraps what a callback threw, which is rethrown unchanged. */
class CallbackFailure extends Error {}

function checked<Answer>(
  callback: (path: string) => Answer,
  isValid: (answer: unknown) => boolean,
  fault: string,
): (path: string) => Answer {
  return (path) => {
    try {
      const answer = callback(path);
      if (!isValid(answer)) throw new TypeError(fault);
      return answer;
    } catch (cause) {
      throw new CallbackFailure("", { cause });
    }
  };
}

const isBoolean = (answer: unknown): boolean => typeof answer === "boolean";
const isText = (answer: unknown): boolean => answer === undefined || typeof answer === "string";

/** Shifts offsets past a byte order mark, which lines and columns do not count. */
function behindMark(diagnostic: PublicDiagnostic): PublicDiagnostic {
  const { fix, trace } = diagnostic;
  const moved = ({ start, end }: Span): Span => ({ start: start + 1, end: end + 1 });
  const moveStep = (step: TraceStep): TraceStep => ({ ...step, ...(step.at && { at: moved(step.at) }) });
  return {
    ...diagnostic,
    ...(fix && { fix: { ...fix, edits: fix.edits.map((edit) => ({ ...edit, ...moved(edit) })) } }),
    ...(trace && { trace: { ...trace, steps: trace.steps.map(moveStep) } }),
  };
}

function toPublic({
  claim: _,
  alsoAt: __,
  group: ___,
  members: ____,
  ...diagnostic
}: Diagnostic): PublicDiagnostic {
  return diagnostic;
}
