import { type Diagnostic, type Finding, type Level, type Severity, withAdvice } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import { parseError } from "../rules/parse-error.js";
import type { Rule, RuleFor } from "../rules/rule.js";
import { getOrCreate } from "../text/collections.js";
import { ruleDocsLink } from "../text/tool-info.js";
import { mergeRepeatedFindings, sortAndDedupe } from "./dedupe-findings.js";

export type Levels = ReadonlyMap<string, Level>;

export interface RunOptions {
  /** The severities of rules by their ids, where they are not the rules' own; `off` silences one. */
  readonly levels?: Levels | undefined;
  /** Called around each phase and rule, to time them. */
  readonly around?: (<T>(name: string, work: () => T) => T) | undefined;
}

/** Places told with one finding: an event of a hundred thousand states would be told with each. */
const mostRelated = 1_000;

/** Characters of all findings of a file: a long name stands in every finding below it, and there may be thousands. */
const mostText = 100_000_000;

/** A fault of ours, not of the file. */
export class RuleFailure extends Error {
  constructor(
    readonly rule: string,
    cause: unknown,
  ) {
    super(`the rule "${rule}" failed`, { cause });
  }
}

/** Puts a rule's question to a file; nothing when the file lacks what it is about. Findings are made as they are taken. */
type Check<Kind extends Rule> = (rule: Kind) => Iterable<Finding> | undefined;

/** Puts the questions of these rules to a file. */
export function runRules<Kind extends Rule>(
  document: Document,
  rules: RuleSet<Kind>,
  ask: Check<Kind>,
  options: RunOptions,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let left = mostText;
  for (const { rule, severity } of rules.activeAt(options.levels)) {
    const stops = rule.stopsLinting?.(document) === true;
    if (severity === "off" && !stops) continue;
    const findings = findingsOf(rule, ask, options);
    if (findings === undefined) continue;
    if (severity !== "off") {
      for (const finding of mergeRepeatedFindings(document, findings)) {
        const found = toDiagnostic(document, rule, severity, finding);
        left -= sizeOf(found);
        if (left < 0) return [tooMuch(document)];
        diagnostics.push(found);
      }
    }
    // Nothing else can be said about such a file.
    if (stops)
      return sortAndDedupe(
        document,
        diagnostics.filter(({ rule: id }) => id === rule.id),
      );
  }
  return sortAndDedupe(document, diagnostics);
}

/** Such a file is no more told about than one that cannot be read, and never passes as clean. */
function tooMuch(document: Document): Diagnostic {
  const message = `The findings of this file take more than ${mostText} characters.`;
  const advice = "Look for a very long name, or for a mistake that is repeated very often.";
  const at = { pointer: "", start: 0, end: 0 };
  return toDiagnostic(document, parseError, "error", { at, message, advice });
}

/** What a report writes around each finding: a million short ones are too many, too. */
const frame = 300;

/** About how many characters it takes to print a finding; only names can be long. */
function sizeOf({ message, pointer, related, trace }: Diagnostic): number {
  let size = frame + message.length + pointer.length;
  for (const place of related ?? []) size += place.message.length + place.pointer.length;
  for (const { from, event, to, forced } of trace?.steps ?? []) {
    size += from.length + event.length + to.length;
    for (const name of forced ?? []) size += name.length;
  }
  return size;
}

interface ActiveRule<Kind extends Rule> {
  readonly rule: Kind;
  readonly severity: Level;
}

export const noLevels: Levels = new Map();

/** The rules for one kind of file. */
export class RuleSet<Kind extends Rule> {
  /** A thousand files share their levels. */
  private readonly known = new WeakMap<Levels, readonly ActiveRule<Kind>[]>();

  constructor(private readonly all: readonly Kind[]) {}

  /** Those that may speak, or stop the others. */
  activeAt(levels = noLevels): readonly ActiveRule<Kind>[] {
    return getOrCreate(this.known, levels, () =>
      this.all
        .map((rule) => ({ rule, severity: levels.get(rule.id) ?? rule.severity }))
        .filter(({ rule, severity }) => severity !== "off" || rule.stopsLinting !== undefined),
    );
  }
}

/** Nothing where there are no findings, as most often. */
function findingsOf<Kind extends Rule>(
  rule: Kind,
  ask: Check<Kind>,
  { around }: RunOptions,
): readonly Finding[] | undefined {
  const answer = ask(rule);
  if (answer === undefined) return undefined;
  try {
    return around === undefined ? collect(answer) : around(rule.id, () => collect(answer));
  } catch (error) {
    throw new RuleFailure(rule.id, error);
  }
}

function collect(answer: Iterable<Finding>): readonly Finding[] | undefined {
  let findings: Finding[] | undefined;
  for (const finding of answer) (findings ??= []).push(finding);
  return findings;
}

/** A finding of a rule as it is reported in its file. */
export function toDiagnostic(
  { lines }: Document,
  rule: Rule,
  severity: Severity,
  finding: Finding,
): Diagnostic {
  const { at, alsoAt, related = [], trace, data, fix } = finding;
  return {
    rule: rule.id,
    severity,
    ...withAdvice(finding),
    pointer: at.pointer,
    range: lines.range(at.start, at.end),
    ...(alsoAt !== undefined && { alsoAt }),
    ...(related.length > 0 && {
      related: related.slice(0, mostRelated).map((place) => ({
        message: place.message,
        pointer: place.at.pointer,
        range: lines.range(place.at.start, place.at.end),
      })),
    }),
    ...(trace !== undefined && { trace }),
    ...(data !== undefined && { data }),
    ...(fix !== undefined && { fix }),
    ...ruleDocsLink(rule.id),
  };
}

type Subject = Rule["subject"];

export function rulesOf<Of extends Subject>(...subjects: readonly Of[]): RuleSet<RuleFor<Of>> {
  const wanted = new Set<Subject>(subjects);
  return new RuleSet(rules.filter((rule): rule is RuleFor<Of> => wanted.has(rule.subject)));
}

/** Asks a file that is no pack what is asked of every file, and what `ask` adds for its kind. */
export function runFileRules<Kind extends RuleFor<Exclude<Subject, "file">>>(
  document: Document,
  asked: RuleSet<RuleFor<"file"> | Kind>,
  options: RunOptions,
  ask: Check<Kind>,
): readonly Diagnostic[] {
  return runRules(
    document,
    asked,
    (rule) => (rule.subject === "file" ? rule.check(document, false) : ask(rule)),
    options,
  );
}

/** What can be linted: a pack, or a file of routes (RFC-103). Where nobody says which, its content does. */
export const fileKinds = ["pack", "routes"] as const;
export type FileKind = (typeof fileKinds)[number];
