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

/** The key right before one with which an object starts over, where nothing else is in it: its name, indented too far. */
export function nameBefore({ entries }: MappingNode, { start }: Key): Key | undefined {
  const before = entries.filter(({ key }) => key.start < start);
  const last = before.sort((a, b) => a.key.start - b.key.start).at(-1);
  return last !== undefined && isNull(last.value) ? last.key : undefined;
}
