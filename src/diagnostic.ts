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

export interface Location {
  /** If it is in another file: relative to the working directory, with `/`. */
  readonly file?: string;
  readonly range: Range;
}

/** A part of the source text, and the pack value it belongs to. */
export interface Place extends Span {
  readonly pointer: string;
}

export interface Located extends Place {
  readonly text: string;
}

export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

export const levels = ["off", "info", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** One event of a run. `forced` names the spent states the attempt passed through. */
export interface TraceStep {
  readonly from: string;
  readonly event: string;
  /** Null where the event entered no state: it ended the run, or a runtime refused it. */
  readonly to: string | null;
  readonly end?: "stopped" | "stuck" | "refused";
  readonly forced?: readonly string[];
  /** The target of the event in the file, or the `on_max_visits` of the last state passed through. */
  readonly at?: Span;
}

/** The states a step attempts, in order. */
export function attemptedBy({ forced = [], to }: TraceStep): readonly string[] {
  return to === null ? forced : [...forced, to];
}

/** A run from a root; for loops, the steps from `loopFrom` on repeat forever. */
export interface Trace {
  /** Where it starts, unless the first step tells. */
  readonly root?: string;
  readonly steps: readonly TraceStep[];
  readonly loopFrom?: number;
  /** The answers of branches that show a fault of a composition, which has no events. */
  readonly outcomes?: readonly BranchOutcome[];
}

export interface BranchOutcome {
  readonly branch: string;
  readonly answer: boolean;
}

/** The steps of a run that repeat forever. */
export function lapOf(run: Trace | null | undefined): readonly TraceStep[] | undefined {
  return run?.loopFrom === undefined ? undefined : run.steps.slice(run.loopFrom);
}

/** Replaces the text between two offsets of the given string, or of the bytes as `TextDecoder` decodes them. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** `unsafe` marks a fix that is likely, not certain. */
export interface Fix {
  readonly description: string;
  readonly unsafe?: boolean;
  readonly edits: readonly TextEdit[];
}

export interface Words {
  readonly message: string;
  /** The part of the message that identifies the finding, if the rest may change with the rest of the file. */
  readonly claim?: string | undefined;
  /** Whole sentences that follow the message and do not identify the finding. */
  readonly advice?: string | undefined;
  /** The name to write instead, if no other is as likely. */
  readonly replacement?: string | undefined;
  /** The place to replace, if it is not the place of the finding. */
  readonly replaced?: Place | undefined;
}

/** A report of a rule, without file, severity or line numbers. */
export interface Finding extends Words {
  readonly at: Place;
  /** The right value, if the value itself is wrong: aliases of it then repeat the mistake. */
  readonly wants?: unknown;
  /** JSON Pointers of the aliases that repeat the mistake, and of other values that the fix changes. */
  readonly alsoAt?: readonly string[];
  readonly related?: readonly (Note | RelatedPlace)[];
  /** Replaces the severity of the rule. */
  readonly severity?: Severity | undefined;
  readonly trace?: Trace | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly fix?: Fix | undefined;
  readonly group?: Group | undefined;
}

/** Findings of one rule in the same group are reported as one, at the first place in the file that is not suppressed. */
export interface Group {
  readonly name: string;
  /** The finding as a related place of the first one. */
  readonly also: string;
  /** Describes one fix for several members, whose own descriptions differ. */
  readonly fixAll?: string;
}

/** A note on another place in the same file. */
export interface Note {
  readonly at: Place;
  readonly message: string;
}

export interface RelatedPlace extends Location {
  readonly message: string;
  readonly pointer: string;
}

/** A finding of one rule in one file, as `lint` returns it. */
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

export interface Diagnostic extends PublicDiagnostic, Location {
  /** For a project: its head, and the pointer in the compiled pack. */
  readonly project?: string;
  readonly packPointer?: string;
  /** For a difference between two packs: how much it matters, and the runs that show it. */
  readonly change?: {
    readonly level?: string;
    readonly runs?: { readonly old: Trace; readonly new: Trace } | undefined;
  };
  /** Identifies the finding across changes to the file; never printed. */
  readonly claim?: string;
  /** JSON Pointers of the aliases that repeat the mistake, and of other values that the fix changes; never printed. */
  readonly alsoAt?: readonly string[];
  readonly group?: Group | undefined;
  /** The findings that it stands for, itself included; never printed. */
  readonly members?: readonly Diagnostic[];
  /** A pointer that stays the same when list items move, if requested; never printed. */
  readonly stablePointer?: string;
}

export interface Suppressed {
  readonly diagnostic: Diagnostic;
  readonly by: "comment" | "config" | "baseline";
  readonly reason?: string;
}

export interface Suppression {
  readonly kept: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
}

/** The message with its advice, and what identifies the finding if that differs. */
export function withAdvice(words: Words): Pick<Diagnostic, "message" | "claim"> {
  const { message, advice, claim = message } = words;
  const whole = advice === undefined ? message : `${message} ${advice}`;
  return whole === claim ? { message } : { message: whole, claim };
}

/** The part that identifies a finding: without advice, and without numbers except in names. */
export function claimOf({ message, claim = message }: Diagnostic): string {
  return claim.replace(/"[^"]*"|\d+/gu, (part) => (part.startsWith('"') ? part : "0"));
}

/** By line, column and rule id, then by everything else, so that the order never depends on the order of rules. */
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
