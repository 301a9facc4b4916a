import type { AliasInfo, DuplicateKey } from "../document/document.js";
import { lowerBound } from "../document/line-map.js";
import { isNull, type Key, type MappingNode, type Node } from "../document/node.js";
import { shapeOf } from "../schema/pack-places.js";
import { isNamedBySchema, type Lines, linesInside } from "../schema/subschemas.js";
import { linesFrom, quoteValue } from "../schema/show-value.js";
import { nounOf } from "../schema/describe-node.js";
import type { FileRule } from "./rule.js";

export const duplicateKey: FileRule = {
  id: "duplicate-key",
  subject: "file",
  summary: "No object has the same key twice.",
  severity: "error",
  source: "RFC 0009, rule 3",
  *check({ duplicateKeys, aliases }, isPack) {
    const glued = itemsMissingDash(duplicateKeys);
    const inPack = isPack ? duplicateKeys : [];
    const nameless = objectsMissingName(inPack);
    const unindented = unindentedKeys(inPack);
    for (const duplicate of duplicateKeys) {
      const { first, second } = duplicate;
      const isGlued = glued.has(second.value?.parent);
      const naming = nameless.get(second.value?.parent);
      // The other keys are twice there for want of the same dash or name.
      if (isGlued && !startsListItem(duplicate)) continue;
      if (naming !== undefined && !isFirstKey(second)) continue;
      const lines = isGlued || naming !== undefined ? undefined : unindented.get(second);
      if (lines !== undefined && lines.keys.find(({ isDuplicate }) => isDuplicate) !== second) continue;
      yield {
        at: second,
        message: `The key "${second.text}" is already used in this object; only one of them counts.`,
        advice: isGlued
          ? newItemAdvice
          : (naming?.(second) ?? (lines ? moveAdvice(lines) : adviceFor(second, aliases, isPack))),
        related: [{ at: first, message: "first used here" }],
      };
    }
  },
};

const newItemAdvice = 'If another item of the list starts here, put "- " before it.';
const mergeListAdvice = 'Write one with a list, such as "<<: [*a, *b]".';
const renameOrRemoveAdvice = "Rename or remove the others.";
/** For a key that the schema names: under another name it would be something else. */
const removeAdvice = "Remove the others.";
const combineAdvice = "Put them into one, or remove the others.";

/** In quotes, or in JSON, it is a key like any other. */
function isMergeKey({ text, value }: Key, { mergingMappings }: AliasInfo): boolean {
  const mapping = value?.parent ?? undefined;
  return text === "<<" && mapping !== undefined && mergingMappings.has(mapping);
}

/** The items of lists in block style that start over with their first key, and have others of their keys twice. */
function itemsMissingDash(duplicates: readonly DuplicateKey[]): ReadonlySet<unknown> {
  const started = new Set<unknown>();
  const glued = new Set<unknown>();
  for (const duplicate of duplicates) {
    const item = duplicate.second.value?.parent;
    if (startsListItem(duplicate)) started.add(item);
    else if (started.has(item)) glued.add(item);
  }
  return glued;
}

function adviceFor(second: Key, repeated: AliasInfo, isPack: boolean): string {
  if (isMergeKey(second, repeated)) return mergeListAdvice;
  if (!isPack || !isNamedBySchema(second)) return renameOrRemoveAdvice;
  return second.value?.kind === "scalar" ? removeAdvice : combineAdvice;
}

/** For the objects in which another one starts whose name is missing, what to do there. */
function objectsMissingName(
  duplicates: readonly DuplicateKey[],
): ReadonlyMap<unknown, (second: Key) => string> {
  const found = new Map<Node, (second: Key) => string>();
  for (const around of new Set(duplicates.map(({ second }) => second.value?.parent))) {
    if (around?.kind !== "mapping" || !startsOver(around)) continue;
    const noun = nounOf(around);
    if (noun === "prompt" || noun === "state" || noun === "tool")
      found.set(around, missingNameAdvice(around, noun));
  }
  return found;
}

function missingNameAdvice(around: MappingNode, noun: "prompt" | "state" | "tool"): (second: Key) => string {
  const nameBefore = namesBefore(around);
  return (second) => {
    const name = nameBefore(second)?.text;
    return name === undefined || shapeOf(noun).has(name)
      ? `If another ${noun} starts here, put its name before it.`
      : `If "${name}" is the name of another ${noun}, indent it less.`;
  };
}

/** The keys that come again among lines that belong inside a neighbour above them. */
function unindentedKeys(duplicates: readonly DuplicateKey[]): ReadonlyMap<Key, Lines> {
  const around = new Set(duplicates.map(({ second }) => second.value?.parent));
  return new Map([...around].flatMap((node) => (node?.kind === "mapping" ? [...linesInside(node)] : [])));
}

function moveAdvice({ owner, keys }: Lines): string {
  return `Move ${linesFrom(keys.map(({ text }) => text))} inside ${quoteValue(owner.text)}.`;
}

function isFirstKey({ text, value }: Key): boolean {
  const around = value?.parent;
  return around?.kind === "mapping" && around.entries[0]?.key.text === text;
}

/** Only in block style does an object start where its first key does. */
function startsListItem({ first, second }: DuplicateKey): boolean {
  const item: Node | null | undefined = second.value?.parent;
  return typeof item?.key === "number" && item.start === first.start;
}

/**
 * Whether the first key of an object comes again, and others after it: the next one starts there, and the line with its
 * name is missing. Of a key that occurs twice the tree has the last one, in the place of the first.
 */
function startsOver({ entries }: MappingNode): boolean {
  const [first, ...others] = entries;
  if (first?.key.isDuplicate !== true) return false;
  if (others.some(({ key }) => key.isDuplicate)) return true;
  const isBefore = others.map(({ key }) => key.start < first.key.start);
  return isBefore.includes(true) && isBefore.includes(false);
}

/** Finds the key right before a place where an object starts over, if nothing is in it: a name, indented too far. */
function namesBefore({ entries }: MappingNode): (place: Key) => Key | undefined {
  const sorted = entries.toSorted((a, b) => a.key.start - b.key.start);
  return ({ start }) => {
    const last = sorted[lowerBound(sorted, start, ({ key }) => key.start) - 1];
    return last !== undefined && isNull(last.value) ? last.key : undefined;
  };
}
