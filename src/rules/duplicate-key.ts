import type { DuplicateKey, Repeated } from "../document/document.js";
import type { Key, Node } from "../document/node.js";
import type { FileRule } from "./rule.js";

export const duplicateKey: FileRule = {
  id: "duplicate-key",
  subject: "file",
  summary: "No object has the same key twice.",
  severity: "error",
  source: "RFC 0009, rule 3",
  hidesOthers: true,
  *check({ duplicateKeys, repeated }) {
    const glued = gluedItems(duplicateKeys);
    for (const duplicate of duplicateKeys) {
      const { first, second } = duplicate;
      const isGlued = glued.has(second.value?.parent);
      // The other keys are twice there for want of the same dash.
      if (isGlued && !startsItem(duplicate)) continue;
      yield {
        at: second,
        message: `The key "${second.text}" is already used in this object; only one of them counts.`,
        advice: isGlued ? newItem : isMerge(second, repeated) ? oneMerge : removal,
        related: [{ at: first, message: "first used here" }],
      };
    }
  },
};

const newItem = 'If another item of the list starts here, put "- " before it.';
const oneMerge = 'Write one with a list, such as "<<: [*a, *b]".';
const removal = "Rename or remove the others.";

/** In quotes, or in JSON, it is a key like any other. */
function isMerge({ text, value }: Key, { merging }: Repeated): boolean {
  const mapping = value?.parent ?? undefined;
  return text === "<<" && mapping !== undefined && merging.has(mapping);
}

/** The items of lists in block style that start over with their first key, and have others of their keys twice. */
function gluedItems(duplicates: readonly DuplicateKey[]): ReadonlySet<unknown> {
  const started = new Set<unknown>();
  const glued = new Set<unknown>();
  for (const duplicate of duplicates) {
    const item = duplicate.second.value?.parent;
    if (startsItem(duplicate)) started.add(item);
    else if (started.has(item)) glued.add(item);
  }
  return glued;
}

/** Only in block style does an object start where its first key does. */
function startsItem({ first, second }: DuplicateKey): boolean {
  const item: Node | null | undefined = second.value?.parent;
  return typeof item?.key === "number" && item.start === first.start;
}
