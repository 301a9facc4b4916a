import type { Diagnostic, Finding, Level } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import type { Rule, RuleFor } from "../rules/rule.js";
import { cached } from "../text/collections.js";
import { type RuleReport, toDiagnostics } from "./collect-diagnostics.js";

/** Severities by rule id, where they differ from the rule's own. */
export type Levels = ReadonlyMap<string, Level>;

export const noLevels: Levels = new Map();

export function levelOf({ id, severity }: Rule, levels: Levels): Level {
  return levels.get(id) ?? severity;
}

export interface RunOptions {
  readonly levels?: Levels | undefined;
  /** Called around each phase and rule, to time them. */
  readonly around?: (<T>(name: string, work: () => T) => T) | undefined;
}

/** A bug of ours, not a mistake in the file. */
export class RuleFailure extends Error {
  constructor(
    readonly rule: string,
    cause: unknown,
  ) {
    super(`the rule "${rule}" failed`, { cause });
  }
}

/** Checks a file with one rule; nothing when the file lacks what the rule is about. */
type Check<R extends Rule> = (rule: R) => Iterable<Finding> | undefined;

export function runRules<R extends Rule>(
  document: Document,
  activeAt: RuleSet<R>,
  check: Check<R>,
  options: RunOptions,
): readonly Diagnostic[] {
  const reports: RuleReport[] = [];
  for (const { rule, severity } of activeAt(options.levels ?? noLevels)) {
    const stops = rule.stopsLinting?.(document) === true;
    if (severity === "off" && !stops) continue;
    const findings = findingsOf(rule, check, options);
    if (findings.length === 0) continue;
    const report = { rule, severity, findings };
    if (stops) return toDiagnostics(document, [report]);
    reports.push(report);
  }
  return toDiagnostics(document, reports);
}

/** Runs the rules for every file, and those that `check` adds for a file that is not a pack. */
export function runFileRules<R extends RuleFor<Exclude<Subject, "file">>>(
  document: Document,
  activeAt: RuleSet<RuleFor<"file"> | R>,
  options: RunOptions,
  check: Check<R>,
): readonly Diagnostic[] {
  return runRules(
    document,
    activeAt,
    (rule) => (rule.subject === "file" ? rule.check({ document, isPack: false }) : check(rule)),
    options,
  );
}

function findingsOf<R extends Rule>(rule: R, check: Check<R>, { around }: RunOptions): readonly Finding[] {
  const found = check(rule);
  if (found === undefined) return [];
  try {
    return around === undefined ? [...found] : around(rule.id, () => [...found]);
  } catch (error) {
    throw new RuleFailure(rule.id, error);
  }
}

type Active<R extends Rule> = Pick<RuleReport, "severity"> & { readonly rule: R };

/** The rules that are on, and those that stop the others even when they are off. */
type RuleSet<R extends Rule> = (levels: Levels) => readonly Active<R>[];

export function ruleSet<R extends Rule>(all: readonly R[]): RuleSet<R> {
  // Thousands of files share their levels.
  return cached((levels) =>
    all
      .map((rule) => ({ rule, severity: levelOf(rule, levels) }))
      .filter(({ rule, severity }) => severity !== "off" || rule.stopsLinting !== undefined),
  );
}

type Subject = Rule["subject"];

export function rulesOf<S extends Subject>(...subjects: readonly S[]): RuleSet<RuleFor<S>> {
  const wanted = new Set<Subject>(subjects);
  return ruleSet(rules.filter((rule): rule is RuleFor<S> => wanted.has(rule.subject)));
}
