import { isFixable } from "./apply-edits.js";
import { claimOf, type Diagnostic, severities } from "../diagnostic.js";
import type { Node } from "../document/node.js";
import type { LintedFile } from "../judge.js";
import { changedPointers } from "./changed-pointers.js";

/** What linting a text gave. */
export type LintOutcome = Pick<LintedFile, "root" | "kept" | "suppressed" | "mayReport">;

/**
 * Whether the fix of these findings took each of them away, brought no other, changed nothing else, and made no other
 * fix certain: what rests on a guess is not.
 */
export function isVerifiedFix(before: LintOutcome, after: LintOutcome, fixed: readonly Diagnostic[]): boolean {
  if (before.root === undefined || after.root === undefined) return false;
  const leastGrave = fixed.reduce((least, { severity }) => Math.max(least, severities.indexOf(severity)), 0);
  const canBeNew = (finding: Diagnostic): boolean => !mayHaveBeenHidden(finding, before, leastGrave);
  return (
    areResolved(before.kept, after.kept, fixed) &&
    isAtMost(countBy(locationKey, after.kept.filter(canBeNew)), countBy(locationKey, before.kept, fixed)) &&
    isAtMost(countBy(locationKey, after.kept.filter(hasSafeFix)), countBy(locationKey, before.kept.filter(hasSafeFix))) &&
    isAtMost(countBy(locationKey, suppressedFindings(after).filter(canBeNew)), countBy(locationKey, suppressedFindings(before))) &&
    changesOnlyReported(before.root, after.root, fixed)
  );
}

function hasSafeFix(finding: Diagnostic): boolean {
  return isFixable(finding) && finding.fix.unsafe !== true;
}

/** How many findings are no longer there. */
export function countResolved(before: LintOutcome, after: LintOutcome): number {
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
  { mayReport }: LintOutcome,
  leastGrave: number,
): boolean {
  return fix === undefined && severities.indexOf(severity) > leastGrave && !mayReport(rule);
}

function suppressedFindings({ suppressed }: LintOutcome): readonly Diagnostic[] {
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
  return fixed.every((finding) => (now.get(findingKey(finding)) ?? 0) <= (left.get(findingKey(finding)) ?? 0));
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
