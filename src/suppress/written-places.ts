import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Node } from "../document/node.js";
import { lowerBound, startOf } from "../document/lower-bound.js";
import { isWrittenInParent, nodesAlong, entrySpan } from "../document/written.js";
import type { NodeSpan } from "./spots.js";

/** Knows in whose text something stands that aliases and merge keys bring to other places. */
export class WrittenPointers {
  constructor(
    private readonly document: Document,
    private readonly spans: readonly NodeSpan[],
  ) {}

  /** The pointer of a finding, and those of the values in whose text it stands, or an alias on the way to it. */
  pointersOf({ pointer, range }: Diagnostic): readonly string[] {
    const { root, aliases, lines } = this.document;
    if (pointer === "" || root === undefined || aliases.targets.size === 0) return [pointer];
    const pointers = [pointer, this.innermost(lines.offset(range.start))];
    for (const node of nodesAlong(root, pointer)) {
      if (node.parent !== null && !isWrittenInParent(node))
        pointers.push(this.innermost(entrySpan(node.parent).start));
    }
    return pointers;
  }

  private innermost(offset: number): string {
    let node: Node | null | undefined = this.spans[lowerBound(this.spans, offset + 1, startOf) - 1]?.node;
    while (node && entrySpan(node).end < offset) node = node.parent;
    return node?.pointer ?? "";
  }
}
