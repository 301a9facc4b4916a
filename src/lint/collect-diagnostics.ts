import {
  attemptedBy,
  compareDiagnostics,
  type Diagnostic,
  type Finding,
  type Fix,
  type Level,
  type Severity,
  withAdvice,
} from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Node } from "../document/node.js";
import { findNode, isWithin, isWrittenAt, isWrittenInPlace } from "../document/pointers.js";
import { parseError } from "../rules/file-rules.js";
import type { Rule } from "../rules/rule.js";
import { appendTo, firstByKey } from "../text/collections.js";
import { ruleDocsLink } from "../text/tool-info.js";
import { maskSecrets } from "../text/secrets.js";

export interface RuleReport {
  readonly rule: Rule;
  readonly severity: Level;
  readonly findings: readonly Finding[];
}

/** Related places per finding: one event of a hundred thousand states would list them all. */
const maxRelated = 1_000;

/** Findings per group: a short template may read one name a million times. */
const maxMembers = 10_000;

/** Characters of all findings of a file: a long name is in every finding below it, and there may be thousands. */
const maxCharacters = 100_000_000;

/** A report adds about this much around each finding: a million short ones are too many as well. */
const frameCharacters = 300;

/** The findings of all rules as they are reported: merged where aliases repeat them, sorted, without duplicates. */
export function toDiagnostics(document: Document, reports: readonly RuleReport[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let remaining = maxCharacters;
  for (const { rule, severity, findings } of reports) {
    if (severity === "off") continue;
    const sizes = new Map<string, number>();
    for (const finding of mergeAliased(document, findings)) {
      const { name } = finding.group ?? {};
      if (name !== undefined) {
        const size = (sizes.get(name) ?? 0) + 1;
        if (size > maxMembers) continue;
        sizes.set(name, size);
      }
      const diagnostic = toDiagnostic(document, rule, severity, finding);
      remaining -= sizeOf(diagnostic);
      if (remaining < 0) return [tooManyFindings(document)];
      diagnostics.push(diagnostic);
    }
  }
  return groupDiagnostics(sortAndDedupe(document, diagnostics));
}

export function toDiagnostic(
  { lines }: Document,
  rule: Rule,
  severity: Severity,
  finding: Finding,
): Diagnostic {
  const { at, alsoAt, related = [], trace, data, fix, group } = finding;
  return {
    rule: rule.id,
    severity: finding.severity ?? severity,
    ...masked(withAdvice(finding)),
    pointer: at.pointer,
    ...lines.locate(at),
    ...(alsoAt !== undefined && { alsoAt }),
    ...(related.length > 0 && {
      related: related.slice(0, maxRelated).map((place) => {
        if (!("at" in place)) return masked(place);
        const { pointer } = place.at;
        return masked({ message: place.message, pointer, ...lines.locate(place.at) });
      }),
    }),
    ...(trace !== undefined && { trace }),
    ...(data !== undefined && { data }),
    ...(fix !== undefined && { fix: { ...fix, description: maskSecrets(fix.description) } }),
    ...(group !== undefined && { group: { ...group, also: maskSecrets(group.also) } }),
    ...ruleDocsLink(rule.id),
  };
}

/** Reports, editors and caches show the words of a finding. */
function masked<Text extends { readonly message: string; readonly claim?: string }>(text: Text): Text {
  const { message, claim } = text;
  return {
    ...text,
    message: maskSecrets(message),
    ...(claim !== undefined && { claim: maskSecrets(claim) }),
  };
}

/** Sorted findings, each group reported as one. What suppresses findings takes the groups apart first. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.every(({ group }) => group === undefined)) return diagnostics;
  const groups = new Map<string, Diagnostic[]>();
  for (const [index, found] of diagnostics.entries()) {
    const { rule, group } = found;
    appendTo(groups, JSON.stringify(group === undefined ? index : [rule, group.name]), found);
  }
  return [...groups.values()].flatMap(reportAsOne);
}

export function ungroupDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.every(({ members }) => members === undefined)) return diagnostics;
  return diagnostics.flatMap(({ members, ...found }) => members ?? found).sort(compareDiagnostics);
}

function reportAsOne(members: readonly Diagnostic[]): readonly Diagnostic[] {
  const [first, ...others] = members;
  if (first === undefined || others.length === 0) return members;
  const { fix: _, related = [], ...found } = first;
  const places = others.map(({ group, pointer, range, file }) => {
    return { message: group?.also ?? "", pointer, range, ...(file !== undefined && { file }) };
  });
  const fix = mergeFixes(
    members.flatMap((member) => member.fix ?? []),
    first.group?.fixAll,
  );
  return [{ ...found, related: [...related, ...places].slice(0, maxRelated), ...(fix && { fix }), members }];
}

/** One fix for all members that have one, if these do the same. */
function mergeFixes(fixes: readonly Fix[], fixAll: string | undefined): Fix | undefined {
  const [first, ...others] = fixes;
  if (first === undefined || others.length === 0) return first;
  const isAlike = (fix: Fix) =>
    (fixAll !== undefined || fix.description === first.description) && fix.unsafe === first.unsafe;
  if (!others.every(isAlike)) return undefined;
  const edits = firstByKey(
    fixes.flatMap((fix) => fix.edits),
    (edit) => JSON.stringify(edit),
  );
  return { ...first, description: fixAll ?? first.description, edits: [...edits.values()] };
}

/** Reported in place of all findings, so that the file never passes as clean. */
function tooManyFindings(document: Document): Diagnostic {
  const message = `The findings of this file take more than ${maxCharacters} characters.`;
  const advice = "Look for a very long name, or for a mistake that is repeated very often.";
  const at = { pointer: "", start: 0, end: 0 };
  return toDiagnostic(document, parseError, "error", { at, message, advice });
}

/** Roughly the characters that a finding takes in a report; only names can be long. */
function sizeOf({ message, pointer, related, trace }: Diagnostic): number {
  let size = frameCharacters + message.length + pointer.length;
  for (const place of related ?? []) size += place.message.length + place.pointer.length;
  for (const step of trace?.steps ?? []) {
    size += step.from.length + step.event.length;
    for (const name of attemptedBy(step)) size += name.length;
  }
  return size;
}

/** A wrong value, where it is written or where an alias or a merge key repeats it. */
interface Use {
  readonly finding: Finding;
  readonly node: Node;
}

/** The findings of one rule. A wrong value that aliases repeat is one finding, if they all want the same of it. */
function mergeAliased({ root, aliases }: Document, findings: readonly Finding[]): readonly Finding[] {
  if (root === undefined || aliases.targets.size === 0 || findings.length < 2) return findings;
  const merged: Finding[] = [];
  const byMistake = new Map<string, Use[]>();
  for (const finding of findings) {
    const node = finding.wants === undefined ? undefined : findNode(root, finding.at.pointer);
    if (node === undefined) merged.push(finding);
    else appendTo(byMistake, JSON.stringify([(node.origin ?? node).start, finding.wants]), { finding, node });
  }
  for (const uses of byMistake.values()) for (const same of groupByEdit(uses)) merged.push(...asOne(same));
  return merged;
}

/** No rule reads this section: an anchor there may exist for its aliases alone. */
const unread = "/metadata";

/** The uses that one edit corrects, the written one first. If that one is right, each alias needs an edit of its own. */
function groupByEdit(uses: readonly Use[]): Iterable<readonly Use[]> {
  const own = uses.find(({ node }) => node.origin === undefined && isWrittenInPlace(node));
  if (own !== undefined) return [[own, ...uses.filter((use) => use !== own)]];
  if (uses.some(({ node }) => isWithin((node.origin ?? node).pointer, unread))) return [uses];
  const byPlace = new Map<number, Use[]>();
  for (const use of uses) appendTo(byPlace, use.finding.at.start, use);
  return byPlace.values();
}

/** The finding of the first use, with the others as related places. It keeps its fix if all have the same one. */
function asOne([first, ...others]: readonly Use[]): readonly Finding[] {
  if (first === undefined) return [];
  const { finding } = first;
  if (others.length === 0) return [finding];
  const repeated = others.map((use) => use.finding);
  const related = [...(finding.related ?? [])];
  const shown = new Set([finding.at.start]);
  for (const { at } of repeated) {
    if (!shown.has(at.start)) related.push({ at, message: "repeated here" });
    shown.add(at.start);
  }
  const edits = JSON.stringify(finding.fix?.edits);
  const haveSameFix = repeated.every(({ fix }) => JSON.stringify(fix?.edits) === edits);
  const alsoAt = repeated.map(({ at }) => at.pointer);
  return [{ ...finding, related, alsoAt, fix: haveSameFix ? finding.fix : undefined }];
}

function sortAndDedupe(document: Document, diagnostics: Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  const byPlace = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics.sort(compareDiagnostics)) {
    const { rule, file = "" } = diagnostic;
    const { start, end } = diagnostic.range;
    const place = `${rule} ${file} ${start.line}:${start.column}-${end.line}:${end.column}`;
    appendTo(byPlace, place, diagnostic);
  }
  return [...byPlace.values()].flatMap((found) => withoutCopies(document, found));
}

/** Drops findings in the same place that an alias only repeats, and those with the same message. */
function withoutCopies(document: Document, found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (found.length < 2) return found;
  const own = found.find((diagnostic) => isWrittenThere(document, diagnostic));
  const messages = new Set<string>();
  return found.filter(({ pointer, message }) => {
    if (!isWithin(pointer, own?.pointer ?? "") || messages.has(message)) return false;
    return messages.add(message);
  });
}

function isWrittenThere({ root, aliases, lines }: Document, found: Diagnostic): boolean {
  if (root === undefined || aliases.targets.size === 0) return true;
  return isWrittenAt(root, found.pointer, lines.offsetOf(found));
}
