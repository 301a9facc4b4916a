import { isRunnable, type PackAnalysis } from "../analysis.js";
import type { Span } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { childrenOf, Key, type Node, placeOf } from "../document/node.js";
import { entrySpan, isWrittenInParent } from "../document/pointers.js";
import { inspectWorkflow } from "../inspect/inspect.js";
import { boundText, shortestText } from "../inspect/inspection-text.js";
import { identityOf } from "../schema/describe-node.js";

export interface OutlineItem {
  readonly name: string;
  /** `section`, or what it is: `prompt`, `state`, `event`. */
  readonly noun: string;
  readonly at: Span;
  /** The part to select, inside of `at`. */
  readonly head: Span;
  readonly children: readonly OutlineItem[];
}

/** The sections of a pack, and everything in them that has a name. */
export function outlineOf(node: Node): readonly OutlineItem[] {
  return childrenOf(node).flatMap((child) => {
    if (!isWrittenInParent(child)) return [];
    const { key } = child;
    const children = outlineOf(child);
    const isSection = node.parent === null && key instanceof Key && children.length > 0;
    const identity = identityOf(child) ?? (isSection ? { noun: "section", name: key.text } : undefined);
    if (identity === undefined) return children;
    const { start, end } = entrySpan(child);
    const head = key instanceof Key ? key : placeOf(child);
    const at = { start: Math.min(start, head.start), end: Math.max(end, head.end) };
    return { name: identity.name, noun: identity.noun.replace("the target of ", ""), at, head, children };
  });
}

/** The first and last lines of everything that fills several. */
export function foldsOf({ text, lines, root }: Document): [first: number, last: number][] {
  const folds = new Map<number, number>();
  const open = root === undefined ? [] : [...childrenOf(root)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const child of childrenOf(node)) open.push(child);
    const { start, end } = entrySpan(node);
    const written = text.slice(start, end).trimEnd();
    const first = lines.position(start).line;
    // A closing bracket stays visible.
    const isClosed = node.kind !== "scalar" && /[{[]/.test(text.charAt(node.start));
    const last = lines.position(start + written.length).line - (isClosed ? 1 : 0);
    if (last > first) folds.set(first, Math.max(last, folds.get(first) ?? 0));
  }
  return [...folds].sort(([a], [b]) => a - b);
}

export function inspectionOf(analysis: PackAnalysis) {
  return isRunnable(analysis) ? inspectWorkflow(analysis, analysis.pack) : undefined;
}

/** The visits of a run, to show above the workflow. */
export function workflowLens(analysis: PackAnalysis): { at: Span; title: string } | undefined {
  const at = analysis.pack.root.entry("workflow")?.key;
  const inspection = inspectionOf(analysis);
  if (at === undefined || inspection === undefined) return undefined;
  const { worstCaseVisits: worst } = inspection;
  const unit = typeof worst !== "number" ? "" : worst === 1 ? " visit" : " visits";
  const title = `shortest run ${shortestText(inspection)} · worst case ${boundText(worst, inspection)}${unit}`;
  return { at, title };
}
