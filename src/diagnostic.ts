/** What every room speaks of: a place in a file, and what was found there. */

/** Counted from 1; columns in UTF-16 units, as editors count them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** `end` is exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A part of a text: offsets in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of the source text, and the pack value it belongs to. */
export interface Place extends Span {
  readonly pointer: string;
}

/** A string of the pack that knows where it stands. */
export interface Located extends Place {
  readonly text: string;
}

export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** What a rule can be set to. */
export const levels = ["off", "info", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** One event of a run. `forced` names the spent states the attempt passed through. */
export interface TraceStep {
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly forced?: readonly string[];
  /** Where the file says so: the target of the event, or the `on_max_visits` of the last state passed through. */
  readonly at?: Span;
}

/** A run from a root; for loops, the steps from `loopFrom` on repeat for ever. */
export interface Trace {
  readonly steps: readonly TraceStep[];
  readonly loopFrom?: number;
}

/** The steps of a run that repeat for ever; nothing where none do. */
export function lapOf(run: Trace | null | undefined): readonly TraceStep[] | undefined {
  return run?.loopFrom === undefined ? undefined : run.steps.slice(run.loopFrom);
}

/** Replaces the text between two offsets: those of the string that was given, or of the bytes as `TextDecoder` reads them. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** `unsafe` marks a fix that is likely, not certain. */
export interface Fix {
  readonly description: string;
  readonly unsafe?: boolean;
  readonly edits: readonly TextEdit[];
}

/** What is wrong, and what to do about it. */
export interface Words {
  readonly message: string;
  /** What of the message the finding is known again by, where the rest of it may change with the rest of the file. */
  readonly claim?: string | undefined;
  /** In sentences of its own, which follow the message. A finding is known again by the message alone. */
  readonly advice?: string | undefined;
  /** The name that the advice offers instead of the one at which the finding stands, where no other is as likely. */
  readonly meant?: string | undefined;
}

/** What a rule says: it knows neither file, nor severity, nor line numbers. */
export interface Finding extends Words {
  readonly at: Place;
  /**
   * What the value here should have been, where the value is wrong and not what stands around it: an alias that repeats
   * it, where the same is wanted, repeats the mistake.
   */
  readonly wants?: unknown;
  /** The values that repeat the mistake, by their JSON Pointers. */
  readonly alsoAt?: readonly string[];
  readonly related?: readonly { readonly at: Place; readonly message: string }[];
  readonly trace?: Trace | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly fix?: Fix | undefined;
}

export interface RelatedPlace {
  readonly message: string;
  readonly pointer: string;
  readonly range: Range;
}

/** A finding of one rule in one file, as `lint` gives it away. */
export interface PublicDiagnostic {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly pointer: string;
  readonly range: Range;
  readonly related?: readonly RelatedPlace[];
  readonly trace?: Trace;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly fix?: Fix;
  readonly docs?: string;
}

/** A finding of one rule in one file, ready to be reported. */
export interface Diagnostic extends PublicDiagnostic {
  /** The message without its advice and what else may change: by this the finding is known again. It is never printed. */
  readonly claim?: string;
  /** The values that repeat the mistake, which are mended with it. They are never printed. */
  readonly alsoAt?: readonly string[];
}

/** A finding that a comment, the config or the baseline silenced. */
export interface Suppressed {
  readonly diagnostic: Diagnostic;
  readonly by: "comment" | "config" | "baseline";
  readonly reason?: string;
}

export interface Suppression {
  readonly kept: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
}

/** Joins what a finding says, and keeps the claim. */
export function withAdvice(words: Words): Pick<Diagnostic, "message" | "claim"> {
  const { message, advice, claim = message } = words;
  const whole = advice === undefined ? message : `${message} ${advice}`;
  return whole === claim ? { message } : { message: whole, claim };
}

/** What a finding claims: without the advice, and without numbers, but for those in names. */
export function claimOf({ message, claim = message }: Diagnostic): string {
  return claim.replace(/"[^"]*"|\d+/gu, (part) => (part.startsWith('"') ? part : "0"));
}

/** By line, column, rule id; then by what is left, so that the order never depends on who spoke first. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    a.range.start.line - b.range.start.line ||
    a.range.start.column - b.range.start.column ||
    compareText(a.rule, b.rule) ||
    a.range.end.line - b.range.end.line ||
    a.range.end.column - b.range.end.column ||
    compareText(a.pointer, b.pointer) ||
    compareText(a.message, b.message)
  );
}

/** By code unit: the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
