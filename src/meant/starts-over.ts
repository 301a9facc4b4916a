import { lowerBound } from "../document/lower-bound.js";
import { isNull, type Key, type MappingNode, type Node } from "../document/node.js";

/**
 * Whether the first key of an object comes again, and others after it: the next one starts there, and the line with its
 * name is missing. Of a key that occurs twice the tree has the last one, in the place of the first.
 */
export function startsOver({ entries }: MappingNode): boolean {
  const [first, ...others] = entries;
  if (first?.key.isDoubled !== true) return false;
  if (others.some(({ key }) => key.isDoubled)) return true;
  const isBefore = others.map(({ key }) => key.start < first.key.start);
  return isBefore.includes(true) && isBefore.includes(false);
}

/** Whether a section holds such an object: then it does not have all the names that were meant to be there. */
export function hasLostNames(section: Node | undefined): boolean {
  return (
    section?.kind === "mapping" &&
    section.entries.some(({ value }) => value.kind === "mapping" && startsOver(value))
  );
}

/** Finds the key right before a place where an object starts over, if nothing is in it: a name, indented too far. */
export function namesBefore({ entries }: MappingNode): (place: Key) => Key | undefined {
  const sorted = entries.toSorted((a, b) => a.key.start - b.key.start);
  return ({ start }) => {
    const last = sorted[lowerBound(sorted, start, ({ key }) => key.start) - 1];
    return last !== undefined && isNull(last.value) ? last.key : undefined;
  };
}
