import type { Diagnostic } from "../diagnostic.js";
import type { Node } from "../document/node.js";
import { changedPointers } from "./changed-pointers.js";

/** What linting a text gave. */
export interface Checked {
  readonly root: Node | undefined;
  readonly kept: readonly Diagnostic[];
  readonly suppressed: readonly Diagnostic[];
}

/** Whether the repair of these findings took each of them away, brought no other, and changed nothing else. */
export function isSound(before: Checked, after: Checked, repaired: readonly Diagnostic[]): boolean {
  if (before.root === undefined || after.root === undefined) return false;
  const left = countAll(before.kept);
  for (const finding of repaired) add(left, finding, -1);
  return (
    isWithin(countAll(after.kept), left) &&
    isWithin(countAll(after.suppressed), countAll(before.suppressed)) &&
    changesOnly(before.root, after.root, repaired)
  );
}

type Counts = Map<string, number>;

function countAll(findings: readonly Diagnostic[]): Counts {
  const counts: Counts = new Map();
  for (const finding of findings) add(counts, finding, 1);
  return counts;
}

function add(counts: Counts, { rule, pointer, message }: Diagnostic, number: number): void {
  const key = JSON.stringify([rule, pointer, claimOf(message)]);
  counts.set(key, (counts.get(key) ?? 0) + number);
}

/** A message without the advice, which depends on other parts of the file, and without its numbers. */
function claimOf(message: string): string {
  const advice = message.indexOf(" Did you mean ");
  const claim = advice < 0 ? message : message.slice(0, advice);
  return claim.replace(/"[^"]*"|\d+/gu, (part) => (part.startsWith('"') ? part : "0"));
}

function isWithin(counts: Counts, most: Counts): boolean {
  for (const [key, number] of counts) if (number > (most.get(key) ?? 0)) return false;
  return true;
}

/** A finding about the file as a whole, such as a stale comment, has no value to change. */
function changesOnly(before: Node, after: Node, repaired: readonly Diagnostic[]): boolean {
  const named = new Set(repaired.map(({ pointer }) => pointer));
  named.delete("");
  return changedPointers(before, after).every((pointer) => {
    let part = pointer;
    while (part !== "" && !named.has(part)) part = part.slice(0, part.lastIndexOf("/"));
    return part !== "";
  });
}
