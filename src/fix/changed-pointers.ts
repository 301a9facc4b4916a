import type { MappingNode, Node } from "../document/node.js";

/** Where two packs differ. What a new name was given is a change at its old name. */
export function changedPointers(before: Node, after: Node): readonly string[] {
  const changed: string[] = [];
  const open: (readonly [Node, Node])[] = [[before, after]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [old, now] = pair;
    if (old.kind === "mapping" && now.kind === "mapping") compareEntries(old, now, open, changed);
    else if (old.kind === "sequence" && now.kind === "sequence" && old.items.length === now.items.length) {
      for (const [index, item] of old.items.entries()) {
        const other = now.items[index];
        if (other !== undefined) open.push([item, other]);
      }
    } else if (old.kind !== "scalar" || now.kind !== "scalar" || !Object.is(old.value, now.value)) {
      changed.push(old.pointer);
    }
  }
  return changed;
}

function compareEntries(
  old: MappingNode,
  now: MappingNode,
  open: (readonly [Node, Node])[],
  changed: string[],
): void {
  const onlyNamesDiffer = isRenamed(old, now);
  for (const [index, { key, value }] of old.entries.entries()) {
    const other = now.get(key.text) ?? (onlyNamesDiffer ? now.entries[index]?.value : undefined);
    if (other !== undefined) open.push([value, other]);
    if (now.entry(key.text) === undefined) changed.push(key.pointer);
  }
  if (onlyNamesDiffer) return;
  for (const { key } of now.entries) if (old.entry(key.text) === undefined) changed.push(key.pointer);
}

/** Whether they differ in names alone, each of which is new and stands where another stood. */
function isRenamed(old: MappingNode, now: MappingNode): boolean {
  if (old.entries.length !== now.entries.length) return false;
  return old.entries.every(({ key: { text } }, index) => {
    const other = now.entries[index]?.key.text ?? text;
    return other === text || (old.entry(other) === undefined && now.entry(text) === undefined);
  });
}
