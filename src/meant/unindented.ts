import { lowerBound } from "../document/lower-bound.js";
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
export function unindentedIn({ entries, written = entries }: MappingNode, make: Make): readonly Unindented[] {
  const found: Unindented[] = [];
  let owner: Entry | undefined;
  let run: Entry[] | undefined;
  for (const entry of written) {
    if (!isProperty(entry, make) || hasAlready(owner, entry.key.text)) {
      owner = canOwn(entry.value) ? entry : undefined;
      run = undefined;
    } else if (run === undefined) found.push({ owner, entries: (run = [entry]) });
    else run.push(entry);
  }
  return found;
}

/** The neighbours below an entry of which nothing but the name is written that may belong inside it. */
export function linesBelow(empty: Node | undefined, mayHold: (key: Key) => boolean): readonly Key[] {
  // A null that is written out is meant.
  return empty?.start === empty?.end ? neighboursBelow(empty, mayHold) : [];
}

/** The neighbours right below a value in its mapping, up to the first that is not of a kind. */
export function neighboursBelow(value: Node | undefined, isOfKind: (key: Key) => boolean): readonly Key[] {
  const holder = value?.parent;
  if (value === undefined || holder?.kind !== "mapping") return [];
  const { entries, written = entries } = holder;
  // What merge keys bring is not in the order of the text; where a key comes again, there are none.
  let at =
    holder.written === undefined
      ? entries.findIndex((entry) => entry.value === value) + 1
      : lowerBound(written, value.end, ({ key }) => key.start);
  const lines: Key[] = [];
  for (let key = written[at]?.key; key && isOfKind(key); key = written[++at]?.key) lines.push(key);
  return lines;
}

/** Whether it is the last of the keys in its mapping that are called so: of the others the tree has no value. */
export function counts({ text, value }: Key): boolean {
  const holder = value?.parent;
  return holder?.kind === "mapping" && holder.get(text) === value;
}

/** Whether a mapping is no thing of this make: it lacks something, and most of what it has is unknown. */
export function isForeign(node: MappingNode, make: Make): boolean {
  return make.required.some((name) => node.get(name) === undefined) && isMostlyUnknown(node, make);
}

export function isMostlyUnknown({ entries }: MappingNode, { hasProperty }: Make): boolean {
  return 2 * entries.filter(({ key }) => !hasProperty(key.text)).length > entries.length;
}

/** A thing may be called like a property. */
function isProperty({ key, value }: Entry, make: Make): boolean {
  if (!make.hasProperty(key.text) || isNull(value)) return false;
  return value.kind !== "mapping" || isForeign(value, make) || isHalfForeign(value, make);
}

/** Half of it is unknown, all of that objects: things of its own, as artifacts are, with properties that followed them. */
function isHalfForeign(node: MappingNode, { hasProperty, required }: Make): boolean {
  const unknown = node.entries.filter(({ key }) => !hasProperty(key.text));
  return (
    unknown.length > 0 &&
    2 * unknown.length === node.entries.length &&
    unknown.every(({ value }) => value.kind === "mapping") &&
    required.some((name) => node.get(name) === undefined)
  );
}

function hasAlready(owner: Entry | undefined, name: string): boolean {
  return owner?.value.kind === "mapping" && owner.value.get(name) !== undefined;
}

function canOwn(value: Node): boolean {
  return value.kind === "mapping" || isNull(value);
}
