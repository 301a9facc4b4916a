import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Node } from "../document/node.js";
import { lowerBound, startOf } from "../document/lower-bound.js";
import { isWrittenInside, wayTo, writtenSpan } from "../document/written.js";
import type { Spot } from "./spots.js";

/** Knows in whose text something stands that aliases and merge keys bring to other places. */
export class WrittenPlaces {
  constructor(
    private readonly document: Document,
    private readonly spots: readonly Spot[],
  ) {}

  /** The pointer of a finding, and those of the values in whose text it stands, or an alias on the way to it. */
  pointersOf({ pointer, range }: Diagnostic): readonly string[] {
    const { root, repeated, lines } = this.document;
    if (pointer === "" || root === undefined || repeated.values.size === 0) return [pointer];
    const pointers = [pointer, this.innermost(lines.offset(range.start))];
    for (const node of wayTo(root, pointer)) {
      if (node.parent !== null && !isWrittenInside(node))
        pointers.push(this.innermost(writtenSpan(node.parent).start));
    }
    return pointers;
  }

  private innermost(offset: number): string {
    let node: Node | null | undefined = this.spots[lowerBound(this.spots, offset + 1, startOf) - 1]?.node;
    while (node && writtenSpan(node).end < offset) node = node.parent;
    return node?.pointer ?? "";
  }
}
