import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { childrenOf, LocatedString, type Node } from "../document/node.js";

/** `${…}` in a string of a composition. */
export interface Reference {
  readonly at: Place;
  /** The text between the braces. */
  readonly text: string;
  /** The names between the dots; undefined if it is not a dot path. */
  readonly path: readonly string[] | undefined;
  readonly isClosed: boolean;
  /** The string that holds it, and where in it the reference is. */
  readonly source: LocatedString;
  readonly start: number;
  readonly end: number;
}

const dotPath = /^[A-Za-z_]\w*(?:\.\w+)*$/;

/** The references in one string, in order. */
export function referencesIn(source: LocatedString, document: Document): readonly Reference[] {
  const { text } = source;
  const found: Reference[] = [];
  let close = -1;
  for (let start = text.indexOf("${"), next = start; start !== -1; start = next) {
    // Searched for only once the last one is behind: there may be none for thousands of references.
    if (close < start) close = indexOrEnd(text, "}", start);
    next = text.indexOf("${", start + 2);
    const limit = next === -1 ? text.length : next;
    const isClosed = close < limit;
    const end = isClosed ? close + 1 : limit;
    const inner = text.slice(start + 2, isClosed ? close : end).trim();
    const path = isClosed && dotPath.test(inner) ? inner.split(".") : undefined;
    const at = document.placeWithin(source.node, start, end);
    found.push({ at, text: inner, path, isClosed, source, start, end });
  }
  return found;
}

function indexOrEnd(text: string, sought: string, from: number): number {
  const index = text.indexOf(sought, from);
  return index === -1 ? text.length : index;
}

/** The references in all strings below a node, in file order. */
export function referencesBelow(node: Node | undefined, document: Document): readonly Reference[] {
  const found: Reference[] = [];
  const open: Node[] = node === undefined ? [] : [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // Not spread into `push`: a list may have more items than a call may have arguments.
    for (const child of childrenOf(next).toReversed()) open.push(child);
    const text = LocatedString.of(next);
    if (text !== undefined) for (const reference of referencesIn(text, document)) found.push(reference);
  }
  return found;
}
