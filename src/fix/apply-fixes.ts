import { claimOf, type Diagnostic, severities } from "../diagnostic.js";
import type { MappingNode, Node } from "../document/node.js";
import type { LintResult } from "../lint-file.js";
import { applyEdits, type Fixable, isFixable, withoutOverlappingFixes } from "./apply-edits.js";

export interface FixOptions {
  /** Lints a text, always in the same way. */
  readonly check: (text: string) => CheckedText;
  /** Which of the fixes that findings offer are wanted. */
  readonly shouldFix: (finding: Fixable) => boolean;
  /** How often a text of this length may be linted; by default, often enough for any file a person wrote. */
  readonly trialLimit?: (length: number) => number;
}

export interface FixResult {
  readonly text: string;
  /** How many findings are gone. */
  readonly fixed: number;
}

/**
 * Fixes what can be fixed. A fix is made only if linting the result shows its finding gone and no new one,
 * and if nothing but what the finding names is another. Each round leaves fewer findings, or less grave ones, so there
 * is a last one, and after it a second run finds nothing to do.
 */
export function applyFixes(text: string, checked: CheckedText, fixing: FixOptions): FixResult {
  const trials = new FixTrials(fixing, text.length);
  let current = { text, checked };
  for (;;) {
    const next = applyNextGroup(current, fixing, trials);
    if (next === undefined) break;
    current = next;
  }
  return { text: current.text, fixed: countResolved(checked, current.checked) };
}

/** The findings as they may be reported: a fix is offered only if it would be made. */
export function withVerifiedFixes(
  text: string,
  checked: CheckedText,
  check: FixOptions["check"],
): readonly Diagnostic[] {
  if (!checked.kept.some(isFixable)) return checked.kept;
  const sound = new Set<Diagnostic>();
  const findings = checked.kept.length + checked.suppressed.length;
  const trialLimit = (length: number): number => offerTrialLimit(length + findings * charactersPerFinding);
  for (const unsafe of [false, true]) {
    const shouldFix = ({ fix }: Fixable): boolean => (fix.unsafe === true) === unsafe;
    for (const finding of findVerifiedFixes(text, checked, { check, shouldFix, trialLimit }))
      sound.add(finding);
  }
  return checked.kept.map((finding) => (sound.has(finding) ? finding : withoutFix(finding)));
}

/** Making a finding takes as long as linting so many characters that are right. */
const charactersPerFinding = 300;

/** Whoever only lints waits for this. */
function offerTrialLimit(length: number): number {
  return Math.min(40, Math.floor(4_000_000 / (length + 1)));
}

function withoutFix({ fix: _, ...finding }: Diagnostic): Diagnostic {
  return finding;
}

/** The findings whose fix would be made if it were asked for. */
function findVerifiedFixes(text: string, checked: CheckedText, fixing: FixOptions): ReadonlySet<Fixable> {
  const trials = new FixTrials(fixing, text.length);
  const sound = new Set<Fixable>();
  for (const group of fixGroups(checked, fixing)) {
    if (trials.areUsedUp) break;
    for (const finding of trials.tryFixes({ text, checked }, group).made) sound.add(finding);
  }
  return sound;
}

interface LintedText {
  readonly text: string;
  readonly checked: CheckedText;
}

function applyNextGroup(stage: LintedText, fixing: FixOptions, trials: FixTrials): LintedText | undefined {
  for (const group of fixGroups(stage.checked, fixing)) {
    if (trials.areUsedUp) break;
    const { made, result } = trials.tryFixes(stage, group);
    if (made.length > 0) return result;
  }
  return undefined;
}

/** The fixes that are wanted, in groups that can be made together. */
function* fixGroups({ kept }: CheckedText, { shouldFix }: FixOptions): Iterable<readonly Fixable[]> {
  let rest = kept.filter(isFixable).filter(shouldFix);
  while (rest.length > 0) {
    const group = withoutOverlappingFixes(rest);
    yield group;
    const tried = new Set(group);
    rest = rest.filter((finding) => !tried.has(finding));
  }
}

/** Characters linted for the fixes of one file, and the least and most often that it is linted. */
const maxLintedCharacters = 100_000_000;
const minTrials = 20;
const maxTrials = 500;

class FixTrials {
  private left: number;

  constructor(
    private readonly options: FixOptions,
    length: number,
  ) {
    const usual = Math.max(minTrials, Math.min(maxTrials, Math.floor(maxLintedCharacters / (length + 1))));
    this.left = options.trialLimit?.(length) ?? usual;
  }

  get areUsedUp(): boolean {
    return this.left <= 0;
  }

  /** Makes all fixes of a group at once; where that is not sound, those of each half, down to the single one. */
  tryFixes(stage: LintedText, group: readonly Fixable[]): { made: readonly Fixable[]; result: LintedText } {
    const made: Fixable[] = [];
    let result = stage;
    const waiting = [group];
    for (let part = waiting.pop(); part !== undefined && this.left > 0; part = waiting.pop()) {
      this.left--;
      const text = applyEdits(
        stage.text,
        [...made, ...part].flatMap(({ fix }) => fix.edits),
      );
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

/** What linting a text gave. */
export type CheckedText = Pick<LintResult, "root" | "kept" | "suppressed" | "mayReport">;

/**
 * Whether the fix of these findings took each of them away, brought no other, changed nothing else, and made no other
 * fix certain: what rests on a guess is not.
 */
export function isVerifiedFix(
  before: CheckedText,
  after: CheckedText,
  fixed: readonly Diagnostic[],
): boolean {
  if (before.root === undefined || after.root === undefined) return false;
  const leastGrave = fixed.reduce((least, { severity }) => Math.max(least, severities.indexOf(severity)), 0);
  const canBeNew = (finding: Diagnostic): boolean => !mayHaveBeenHidden(finding, before, leastGrave);
  return (
    areResolved(before.kept, after.kept, fixed) &&
    isAtMost(countBy(locationKey, after.kept.filter(canBeNew)), countBy(locationKey, before.kept, fixed)) &&
    isAtMost(
      countBy(locationKey, after.kept.filter(hasSafeFix)),
      countBy(locationKey, before.kept.filter(hasSafeFix)),
    ) &&
    isAtMost(
      countBy(locationKey, suppressedFindings(after).filter(canBeNew)),
      countBy(locationKey, suppressedFindings(before)),
    ) &&
    changesOnlyReported(before.root, after.root, fixed)
  );
}

function hasSafeFix(finding: Diagnostic): boolean {
  return isFixable(finding) && finding.fix.unsafe !== true;
}

/** How many findings are no longer there. */
export function countResolved(before: CheckedText, after: CheckedText): number {
  const now = countBy(locationKey, after.kept);
  let gone = 0;
  for (const [spot, number] of countBy(locationKey, before.kept))
    gone += Math.max(0, number - (now.get(spot) ?? 0));
  return gone;
}

/**
 * Whether a finding may have been there all along, and could not be told: such a finding is not new. It has to be less
 * grave than each of the fixed ones, so that every fix leaves the file better, and without a fix of its own, so
 * that nothing is changed but what the findings name that were there to be seen.
 */
function mayHaveBeenHidden(
  { rule, severity, fix }: Diagnostic,
  { mayReport }: CheckedText,
  leastGrave: number,
): boolean {
  return fix === undefined && severities.indexOf(severity) > leastGrave && !mayReport(rule);
}

function suppressedFindings({ suppressed }: CheckedText): readonly Diagnostic[] {
  return suppressed.map(({ diagnostic }) => diagnostic);
}

type Counts = ReadonlyMap<string, number>;

function countBy(
  key: (finding: Diagnostic) => string,
  findings: readonly Diagnostic[],
  without: readonly Diagnostic[] = [],
): Counts {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(key(finding), (counts.get(key(finding)) ?? 0) + 1);
  for (const finding of without) counts.set(key(finding), (counts.get(key(finding)) ?? 0) - 1);
  return counts;
}

function areResolved(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  fixed: readonly Diagnostic[],
): boolean {
  const left = countBy(findingKey, before, fixed);
  const now = countBy(findingKey, after);
  return fixed.every(
    (finding) => (now.get(findingKey(finding)) ?? 0) <= (left.get(findingKey(finding)) ?? 0),
  );
}

/**
 * A fix may change the words of another finding, as when a state is still not entered, but for another reason:
 * that is no new finding. Those about the file as a whole share their place, and are told apart by their words.
 */
function locationKey(finding: Diagnostic): string {
  const { rule, pointer } = finding;
  return pointer === "" ? findingKey(finding) : JSON.stringify([rule, pointer]);
}

/** Unlike a fingerprint, it need neither outlast the run nor tell files apart. */
function findingKey(finding: Diagnostic): string {
  return JSON.stringify([finding.rule, finding.pointer, claimOf(finding)]);
}

function isAtMost(counts: Counts, most: Counts): boolean {
  for (const [key, number] of counts) if (number > (most.get(key) ?? 0)) return false;
  return true;
}

/** A finding about the file as a whole, such as a stale comment, has no value to change. */
function changesOnlyReported(before: Node, after: Node, fixed: readonly Diagnostic[]): boolean {
  const named = new Set(fixed.flatMap(({ pointer, alsoAt = [] }) => [pointer, ...alsoAt]));
  return changedPointers(before, after).every((pointer) => {
    let part = pointer;
    while (part !== "" && !named.has(part)) part = part.slice(0, part.lastIndexOf("/"));
    return part !== "";
  });
}

/** Where two packs differ. What a new name was given is a change at its old name. */
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
  const onlyNamesDiffer = isRenamed(old, now);
  for (const [index, { key, value }] of old.entries.entries()) {
    const other = now.get(key.text) ?? (onlyNamesDiffer ? now.entries[index]?.value : undefined);
    if (other !== undefined) open.push([value, other]);
    if (now.entry(key.text) === undefined) changed.push(key.pointer);
  }
  if (onlyNamesDiffer) return;
  for (const { key } of now.entries) if (old.entry(key.text) === undefined) changed.push(key.pointer);
}

/** Whether they differ in names alone, each of which is new and stands where another stood. */
function isRenamed(old: MappingNode, now: MappingNode): boolean {
  if (old.entries.length !== now.entries.length) return false;
  return old.entries.every(({ key: { text } }, index) => {
    const other = now.entries[index]?.key.text ?? text;
    return other === text || (old.entry(other) === undefined && now.entry(text) === undefined);
  });
}
