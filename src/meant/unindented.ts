import { type Entry, isNull, type Key, type MappingNode, type Node } from "../document/node.js";

/** What a thing is made of. */
export interface Make {
  readonly hasProperty: (name: string) => boolean;
  readonly required: readonly string[];
}

/** Neighbouring properties that stand beside the thing they belong to, which is the one before them. */
export interface Unindented {
  readonly owner: Entry | undefined;
  readonly entries: readonly Entry[];
}

/** In a mapping from names to things, the entries that are no things but properties of one. */
export function unindentedIn({ entries }: MappingNode, make: Make): readonly Unindented[] {
  const found: Unindented[] = [];
  let owner: Entry | undefined;
  let run: Entry[] | undefined;
  for (const entry of entries) {
    if (!isProperty(entry, make) || hasAlready(owner, entry.key.text)) {
      owner = canOwn(entry.value) ? entry : undefined;
      run = undefined;
    } else if (run === undefined) found.push({ owner, entries: (run = [entry]) });
    else run.push(entry);
  }
  return found;
}

/** The neighbours below an entry of which nothing but the name is written that may belong inside it. */
export function linesBelow(empty: Node | undefined, mayHold: (name: string) => boolean): readonly Key[] {
  const holder = empty?.parent;
  // A null that is written out is meant.
  if (holder?.kind !== "mapping" || empty?.start !== empty?.end) return [];
  const lines = holder.entries.slice(holder.entries.findIndex(({ value }) => value === empty) + 1);
  const end = lines.findIndex(({ key }) => !mayHold(key.text));
  return lines.slice(0, end === -1 ? lines.length : end).map(({ key }) => key);
}

/** Whether a mapping is no thing of this make: it lacks something, and most of what it has is unknown. */
export function isForeign(node: MappingNode, { hasProperty, required }: Make): boolean {
  const unknown = node.entries.filter(({ key }) => !hasProperty(key.text)).length;
  return required.some((name) => node.get(name) === undefined) && 2 * unknown > node.entries.length;
}

/** A thing may be called like a property. */
function isProperty({ key, value }: Entry, make: Make): boolean {
  if (!make.hasProperty(key.text) || isNull(value)) return false;
  return value.kind !== "mapping" || isForeign(value, make);
}

function hasAlready(owner: Entry | undefined, name: string): boolean {
  return owner?.value.kind === "mapping" && owner.value.get(name) !== undefined;
}

function canOwn(value: Node): boolean {
  return value.kind === "mapping" || isNull(value);
}
