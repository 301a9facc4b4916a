import { claimOf, type Diagnostic, severities } from "../diagnostic.js";
import type { MappingNode, Node } from "../document/node.js";
import type { Findings } from "../analysis.js";
import { ungroupDiagnostics } from "../lint/collect-diagnostics.js";
import { ruleNamed } from "../rules/index.js";
import { isSilent } from "../suppress/suppress.js";
import { countBy } from "../text/collections.js";
import { applyEdits, type Fixable, isFixable, isProved, withoutOverlappingFixes } from "./apply-edits.js";

const suppressionRule = "unused-suppression";

export type CheckedText = Pick<Findings, "root" | "kept" | "suppressed" | "silentRules">;

export interface FixOptions {
  /** Lints a text, always in the same way. */
  readonly check: (text: string) => CheckedText;
  readonly shouldFix: (finding: Fixable) => boolean;
  readonly maxTrials?: number;
}

export interface FixResult {
  readonly text: string;
  readonly fixed: number;
}

/**
 * A fix is kept only if linting again shows that its finding is gone, that none is new, and that nothing else has changed.
 * Each round leaves fewer or less severe findings, so this ends, and a second run finds nothing to do.
 */
export function applyFixes(text: string, checked: CheckedText, options: FixOptions): FixResult {
  const trials = new FixTrials(options, text.length);
  let current = { text, checked };
  for (let next: LintedText | undefined = current; next; next = applyNextGroup(current, trials))
    current = next;
  const now = new Map(countBy(ungroupDiagnostics(current.checked.kept), locationKey));
  const isGone = (finding: Diagnostic): boolean => {
    const key = locationKey(finding);
    const left = now.get(key) ?? 0;
    now.set(key, left - 1);
    return left <= 0;
  };
  // A finding for several places counts once, even if only some of them are fixed.
  const fixed = checked.kept.filter((finding) => ungroupDiagnostics([finding]).filter(isGone).length > 0);
  return { text: current.text, fixed: fixed.length };
}

/** The findings, with only those fixes that `applyFixes` would make. */
export function withVerifiedFixes(
  text: string,
  checked: CheckedText,
  check: FixOptions["check"],
): readonly Diagnostic[] {
  if (!checked.kept.some(isFixable)) return checked.kept;
  const verified = new Set<Diagnostic>();
  const maxTrials = Math.min(40, affordableLints(text, checked));
  for (const unsafe of [false, true]) {
    const shouldFix = ({ fix }: Fixable): boolean => (fix.unsafe === true) === unsafe;
    const trials = new FixTrials({ check, shouldFix, maxTrials }, text.length);
    for (const { made } of trials.tryGroups({ text, checked }))
      for (const finding of made) verified.add(finding);
  }
  return checked.kept.map((finding) => (verified.has(finding) ? finding : withoutFix(finding)));
}

/** How often a text may be linted for fixes that nobody has asked for yet. */
export function affordableLints(text: string, { kept, suppressed }: CheckedText): number {
  const size = text.length + (kept.length + suppressed.length) * charactersPerFinding;
  return Math.floor(4_000_000 / (size + 1));
}

function withoutFix({ fix: _, members, ...finding }: Diagnostic): Diagnostic {
  return { ...finding, ...(members && { members: members.map(withoutFix) }) };
}

/** Creating a finding takes about as long as linting this many correct characters. */
const charactersPerFinding = 300;

interface LintedText {
  readonly text: string;
  readonly checked: CheckedText;
}

function applyNextGroup(current: LintedText, trials: FixTrials): LintedText | undefined {
  for (const { made, result } of trials.tryGroups(current)) if (made.length > 0) return result;
  return undefined;
}

/** The characters that may be linted to fix one file, within a minimum and maximum of trials. */
const maxLintedCharacters = 100_000_000;
const fewestTrials = 20;
const mostTrials = 500;

class FixTrials {
  private remaining: number;

  constructor(
    private readonly options: FixOptions,
    length: number,
  ) {
    const affordable = Math.floor(maxLintedCharacters / (length + 1));
    this.remaining = options.maxTrials ?? Math.max(fewestTrials, Math.min(mostTrials, affordable));
  }

  /** Makes the wanted fixes in groups whose edits do not overlap, each group on the same text. */
  *tryGroups(start: LintedText) {
    let rest = start.checked.kept.filter(isFixable).filter(this.options.shouldFix);
    while (rest.length > 0 && this.remaining > 0) {
      const group = new Set(withoutOverlappingFixes(rest));
      yield this.tryFixes(start, [...group]);
      rest = rest.filter((finding) => !group.has(finding));
    }
  }

  /** Makes all fixes of a group at once; if that fails, those of each half, down to single ones. */
  private tryFixes(start: LintedText, group: readonly Fixable[]) {
    const made: Fixable[] = [];
    let result = start;
    const waiting = [group];
    for (let part = waiting.pop(); part !== undefined && this.remaining > 0; part = waiting.pop()) {
      this.remaining--;
      const edits = [...made, ...part].flatMap(({ fix }) => fix.edits);
      const text = applyEdits(start.text, edits);
      const checked = this.options.check(text);
      if (isVerifiedFix(result.checked, checked, part)) {
        for (const finding of part) made.push(finding);
        result = { text, checked };
      } else if (part.length > 1) {
        const half = part.length >> 1;
        waiting.push(part.slice(half), part.slice(0, half));
      }
    }
    return { made, result };
  }
}

export function isVerifiedFix(before: CheckedText, after: CheckedText, group: readonly Fixable[]): boolean {
  if (before.root === undefined || after.root === undefined) return false;
  const [keptBefore, keptAfter] = [ungroupDiagnostics(before.kept), ungroupDiagnostics(after.kept)];
  const fixed = ungroupDiagnostics(group).filter(isFixable);
  const mayReport = (rule: string): boolean => !isSilent(before.silentRules, rule);
  const leastSevere = fixed.reduce((least, { severity }) => Math.max(least, severities.indexOf(severity)), 0);
  const rulesFixed = new Set(fixed.map(({ rule }) => rule));
  const addsNone = fixed.some(isProved);
  // An info that its rule left to a fixed finding is not new. Nor, unless the fix is proved, is a finding that could not
  // be reported before. It must be less severe than the fixed ones, so that the file gets better, and have no fix, so
  // that nothing else is changed later on.
  const mayBeNew = ({ rule, severity, fix }: Diagnostic): boolean =>
    severity === "info" && ruleNamed(rule)?.defersTo?.some((each) => rulesFixed.has(each))
      ? false
      : addsNone || fix !== undefined || severities.indexOf(severity) <= leastSevere || mayReport(rule);
  const hasSafeFix = (finding: Diagnostic): boolean => isFixable(finding) && finding.fix.unsafe !== true;
  // Once the last error is gone, comments that suppress nothing are reported.
  const kept = keptAfter.filter(({ rule }) => rule !== suppressionRule || mayReport(rule));
  const fixedKeys = new Set(fixed.map(findingKey));
  const wasFixed = (finding: Diagnostic): boolean => fixedKeys.has(findingKey(finding));
  const suppressedIn = ({ suppressed }: CheckedText): readonly Diagnostic[] =>
    suppressed.map(({ diagnostic }) => diagnostic);
  return (
    areAmong(findingKey, keptAfter.filter(wasFixed), keptBefore, fixed) &&
    areAmong(locationKey, kept.filter(mayBeNew), keptBefore, fixed) &&
    areAmong(locationKey, kept.filter(hasSafeFix), keptBefore.filter(hasSafeFix)) &&
    areAmong(locationKey, suppressedIn(after).filter(mayBeNew), suppressedIn(before)) &&
    changesOnlyReported(before.root, after.root, fixed)
  );
}

/** Whether each finding has its own counterpart among the others, not counting those that are gone. */
function areAmong(
  keyOf: (finding: Diagnostic) => string,
  findings: readonly Diagnostic[],
  others: readonly Diagnostic[],
  gone: readonly Diagnostic[] = [],
): boolean {
  const [known, fixed] = [countBy(others, keyOf), countBy(gone, keyOf)];
  return [...countBy(findings, keyOf)].every(
    ([key, count]) => count + (fixed.get(key) ?? 0) <= (known.get(key) ?? 0),
  );
}

/** Ignores the message, which a fix elsewhere may change, except for findings about the whole file. */
function locationKey(finding: Diagnostic): string {
  const { rule, pointer } = finding;
  return pointer === "" ? findingKey(finding) : JSON.stringify([rule, pointer]);
}

function findingKey(finding: Diagnostic): string {
  return JSON.stringify([finding.rule, finding.pointer, claimOf(finding)]);
}

/** A finding about the whole file, such as a stale comment, allows no value to change. */
function changesOnlyReported(before: Node, after: Node, fixed: readonly Diagnostic[]): boolean {
  const reported = new Set(fixed.flatMap(({ pointer, alsoAt = [] }) => [pointer, ...alsoAt]));
  return changedPointers(before, after).every((pointer) => {
    let part = pointer;
    while (part !== "" && !reported.has(part)) part = part.slice(0, part.lastIndexOf("/"));
    return part !== "";
  });
}

/** The pointers at which two packs differ. A renamed key counts at its old name. */
export function changedPointers(before: Node, after: Node): readonly string[] {
  const changed: string[] = [];
  const open: (readonly [Node, Node])[] = [[before, after]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [old, now] = pair;
    if (old.kind === "mapping" && now.kind === "mapping") compareEntries(old, now, open, changed);
    else if (old.kind === "sequence" && now.kind === "sequence" && old.items.length === now.items.length) {
      for (const [index, item] of old.items.entries()) {
        const other = now.items[index];
        if (other !== undefined) open.push([item, other]);
      }
    } else if (old.kind !== "scalar" || now.kind !== "scalar" || !Object.is(old.value, now.value)) {
      changed.push(old.pointer);
    }
  }
  return changed;
}

function compareEntries(
  old: MappingNode,
  now: MappingNode,
  open: (readonly [Node, Node])[],
  changed: string[],
): void {
  const onlyKeysDiffer = isRenamed(old, now);
  for (const [index, { key, value }] of old.entries.entries()) {
    const other = now.get(key.text) ?? (onlyKeysDiffer ? now.entries[index]?.value : undefined);
    if (other !== undefined) open.push([value, other]);
    if (now.entry(key.text) === undefined) changed.push(key.pointer);
  }
  if (onlyKeysDiffer) return;
  for (const { key } of now.entries) if (old.entry(key.text) === undefined) changed.push(key.pointer);
}

/** Whether they differ only in keys, each replaced by a new one in the same position. */
function isRenamed(old: MappingNode, now: MappingNode): boolean {
  if (old.entries.length !== now.entries.length) return false;
  return old.entries.every(({ key: { text } }, index) => {
    const other = now.entries[index]?.key.text ?? text;
    return other === text || (old.entry(other) === undefined && now.entry(text) === undefined);
  });
}
