import { type Entry, isNull, type MappingNode, type Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { isForeign, linesBelow } from "./unindented.js";
import { isSection, type Losable, losable } from "./losable.js";
import { meantProperty } from "./meant-property.js";
import { fields, isMade, type Made, makes, spelled, withEntries } from "./spelled.js";

/** What the entries of a section are, where a section could be taken for one. */
const things: ReadonlyMap<string, Made> = new Map([
  ["prompts", "prompt"],
  ["tools", "tool"],
  ["states", "state"],
]);

/** The properties that sections know by name. */
const ownFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["template_engine", fields.templateEngine],
  ["workflow", fields.workflow],
  ["engine", new Set(["budget"])],
  ["agents", fields.agents],
]);

/**
 * The pack with each section at the top level, and what is the workflow's in the workflow: what is indented too far
 * stands inside a neighbour. The schema reports that; what would follow from it is not worth a word.
 */
export function withLostSections(root: MappingNode): MappingNode {
  let found = root;
  for (const { home, parts, holders } of losable) {
    for (const [name, kind] of parts) {
      const owner = nodeAt(found, home);
      if (owner === undefined || owner.get(name) !== undefined) continue;
      for (const path of holders) {
        const lost = lostPart(nodeAt(found, path), path, name, kind);
        if (lost === undefined) continue;
        found = changed(found, path, (entries) => entries.filter(({ key }) => !lost.taken.has(key.text)));
        found = changed(found, home, (entries) => [...entries, lost.entry]);
        break;
      }
    }
  }
  return found;
}

/** A part that stands in a neighbour of its home. */
interface LostPart {
  readonly entry: Entry;
  /** The names that the neighbour has of it: its own, and those of its entries where it alone is indented too far. */
  readonly taken: ReadonlySet<string>;
}

export function lostPart(
  holder: MappingNode | undefined,
  path: readonly string[],
  name: string,
  kind: Losable["parts"][number][1],
): LostPart | undefined {
  const entry = holder?.entry(name);
  if (holder === undefined || entry === undefined) return undefined;
  if (entry.value.kind === kind)
    return isLost(entry.value, path) ? { entry, taken: new Set([name]) } : undefined;
  const content = contentBelow(holder, entry, path.at(-1) ?? "");
  if (content.length === 0) return undefined;
  const taken = new Set([name, ...content.map(({ key }) => key.text)]);
  return { entry: { key: entry.key, value: withEntries(entry.value, content) }, taken };
}

/** What stands below the name of a section and belongs inside: all of it, or nothing where some of it may not. */
function contentBelow(holder: MappingNode, { key: section, value }: Entry, outer: string): readonly Entry[] {
  const isOwn = (name: string) =>
    ownFields.get(outer)?.has(name) === true || isEmptySection(holder.entry(name));
  const names = new Set(linesBelow(value, ({ text }) => !isOwn(text)).map(({ text }) => text));
  const content = holder.entries.filter(({ key }) => names.has(key.text));
  const isInside = (entry: Entry) => isSurelyIn(section.text, entry, outer);
  const mayBeInside = (entry: Entry) =>
    mayBeIn(section.text, entry) && !isSurelyIn(outer, entry, section.text);
  return content.some(isInside) && content.every((entry) => isInside(entry) || mayBeInside(entry))
    ? content
    : [];
}

function isEmptySection(entry: Entry | undefined): boolean {
  return entry !== undefined && isNull(entry.value) && isSection(entry.key.text, "mapping");
}

/** Whether an entry may be one of a section, though something may be wrong with it. */
function mayBeIn(section: string, { key, value }: Entry): boolean {
  const known = ownFields.get(section);
  if (known !== undefined) return known.has(key.text) || meantProperty(key.text, known) !== undefined;
  const kind = things.get(section);
  if (kind === undefined || isNull(value)) return true;
  return value.kind === "mapping" && !isForeign(spelled(value, fields[kind]), makes[kind]);
}

/** Whether an entry is whole as one of a section, and has nothing that only those of the other section have. */
function isSurelyIn(section: string, { key, value }: Entry, other: string): boolean {
  const known = ownFields.get(section);
  if (known !== undefined) return known.has(key.text);
  const kind = things.get(section);
  const otherKind = things.get(other);
  // Texts below the name of a thing are its properties.
  if (section === "fragments") return otherKind === undefined && stringOf(value) !== undefined;
  if (kind === undefined || !isMade(value, kind)) return false;
  const others = fields[otherKind ?? kind];
  return value.entries.every(({ key: { text } }) => fields[kind].has(text) || !others.has(text));
}

/** A prompt may be called "tools". */
function isLost(value: Node, outer: readonly string[]): boolean {
  const kind = things.get(outer.at(-1) ?? "");
  if (kind === undefined || value.kind !== "mapping") return true;
  return isForeign(spelled(value, fields[kind]), makes[kind]);
}

function nodeAt(root: MappingNode, path: readonly string[]): MappingNode | undefined {
  let node: Node | undefined = root;
  for (const name of path) node = node?.kind === "mapping" ? node.get(name) : undefined;
  return node?.kind === "mapping" ? node : undefined;
}

/** The pack with other entries in the mapping at a path. */
function changed(
  node: MappingNode,
  [name, ...rest]: readonly string[],
  change: (entries: readonly Entry[]) => readonly Entry[],
): MappingNode {
  if (name === undefined) return withEntries(node, change(node.entries));
  const entries = node.entries.map((entry) => {
    const { key, value } = entry;
    return key.text === name && value.kind === "mapping"
      ? { key, value: changed(value, rest, change) }
      : entry;
  });
  return withEntries(node, entries);
}
