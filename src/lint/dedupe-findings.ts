import { compareDiagnostics, type Diagnostic, type Finding, type Position } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Node } from "../document/node.js";
import { findNode, isWithin, isWrittenAt, isWrittenInPlace } from "../document/pointers.js";
import { appendTo } from "../text/collections.js";

/** Sorted; what is seen through two aliases of one anchor is said once. */
export function sortAndDedupe(document: Document, diagnostics: Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  const sorted = diagnostics.sort(compareDiagnostics);
  const told: Diagnostic[] = [];
  let start = 0;
  for (let end = 1; end <= sorted.length; end++) {
    if (isSamePlace(sorted[start], sorted[end])) continue;
    for (const found of withoutCopies(document, sorted.slice(start, end))) told.push(found);
    start = end;
  }
  return told;
}

/**
 * Of findings in one place, those of the value that is written there: the others are copies of it. Where it has none, each
 * alias has its own.
 */
function withoutCopies(document: Document, findings: readonly Diagnostic[]): readonly Diagnostic[] {
  if (findings.length < 2) return findings;
  const own = findings.find((found) => isOwn(document, found));
  const messages = new Set<string>();
  return findings.filter((found) => {
    if (!isWithin(found.pointer, own?.pointer ?? "") || messages.has(found.message)) return false;
    return messages.add(found.message);
  });
}

function isOwn({ root, aliases, lines }: Document, { pointer, range }: Diagnostic): boolean {
  if (root === undefined || aliases.targets.size === 0) return true;
  return isWrittenAt(root, pointer, lines.offset(range.start));
}

/** Findings of one rule in one place come right after each other once they are sorted. */
function isSamePlace(a: Diagnostic | undefined, b: Diagnostic | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.rule === b.rule &&
    isSamePosition(a.range.start, b.range.start) &&
    isSamePosition(a.range.end, b.range.end)
  );
}

function isSamePosition(a: Position, b: Position): boolean {
  return a.line === b.line && a.column === b.column;
}

/** A value that is wrong, where it is written or where an alias or a merge key repeats it. */
interface Use {
  readonly finding: Finding;
  readonly node: Node;
}

/** The findings of one rule, without those that merely repeat another. */
export function mergeRepeatedFindings(
  { root, aliases }: Document,
  findings: readonly Finding[],
): readonly Finding[] {
  if (root === undefined || aliases.targets.size === 0 || findings.length < 2) return findings;
  const told: Finding[] = [];
  const byMistake = new Map<string, Use[]>();
  for (const finding of findings) {
    const node = finding.wants === undefined ? undefined : findNode(root, finding.at.pointer);
    if (node === undefined) told.push(finding);
    else appendTo(byMistake, JSON.stringify([writtenNode(node).start, finding.wants]), { finding, node });
  }
  for (const uses of byMistake.values()) for (const alike of groupByEdit(uses)) told.push(...asOne(alike));
  return told;
}

/** Of an alias, the value at the anchor. */
function writtenNode(node: Node): Node {
  return node.origin ?? node;
}

/** No rule reads what stands there: an anchor can be there for its aliases alone. */
const unread = "/metadata";

/** The uses that one edit mends, the written one first. Where that one is right, each alias has to be mended. */
function groupByEdit(uses: readonly Use[]): Iterable<readonly Use[]> {
  const own = uses.find(({ node }) => node.origin === undefined && isWrittenInPlace(node));
  if (own !== undefined) return [[own, ...uses.filter((use) => use !== own)]];
  if (uses.some(({ node }) => isWithin(writtenNode(node).pointer, unread))) return [uses];
  const byPlace = new Map<number, Use[]>();
  for (const use of uses) appendTo(byPlace, use.finding.at.start, use);
  return byPlace.values();
}

/** The finding of the first use, which tells of the others. Its fix has to be that of each. */
function asOne([first, ...others]: readonly Use[]): readonly Finding[] {
  if (first === undefined) return [];
  const { finding } = first;
  if (others.length === 0) return [finding];
  const repetitions = others.map((use) => use.finding);
  const related = [...(finding.related ?? [])];
  const shown = new Set([finding.at.start]);
  for (const { at } of repetitions) {
    if (!shown.has(at.start)) related.push({ at, message: "repeated here" });
    shown.add(at.start);
  }
  const isForAll = repetitions.every((each) => hasSameFix(each, finding));
  const alsoAt = repetitions.map(({ at }) => at.pointer);
  return [{ ...finding, related, alsoAt, fix: isForAll ? finding.fix : undefined }];
}

function hasSameFix(a: Finding, b: Finding): boolean {
  return JSON.stringify(a.fix?.edits) === JSON.stringify(b.fix?.edits);
}
