import { type Entry, isNull, type MappingNode, type Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { isForeign, isMostlyUnknown, linesBelow } from "./unindented.js";
import { isSection, type Losable, losable } from "./losable.js";
import { meantProperty } from "./meant-property.js";
import { fields, isMade, type Made, makes, spelled, withEntries } from "./spelled.js";

/** What the entries of a section are, where a section could be taken for one. */
const things: ReadonlyMap<string, Made> = new Map([
  ["prompts", "prompt"],
  ["tools", "tool"],
  ["states", "state"],
  ["members", "agent"],
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
  for (const places of losable) {
    const { home } = places;
    for (const part of places.parts) {
      const [lost] = lostParts(found, places, part);
      if (lost === undefined) continue;
      found = changed(found, lost.path, (entries) => entries.filter(({ key }) => !lost.taken.has(key.text)));
      found = changed(found, home, (entries) => [...entries, lost.entry]);
    }
  }
  return found;
}

/** A part that stands in a neighbour of its home. */
export interface LostPart {
  readonly entry: Entry;
  /** The names on the way to the neighbour. */
  readonly path: readonly string[];
  /** Whether that is one of the things of a section. */
  readonly isInThing: boolean;
  /** The names that the neighbour has of it: its own, and those of its entries where it alone is indented too far. */
  readonly taken: ReadonlySet<string>;
}

type Part = Losable["parts"][number];

/** Where a part stands that its home does not have. */
export function lostParts(
  root: MappingNode,
  { home, holders, around = [] }: Losable,
  part: Part,
): readonly LostPart[] {
  const owner = nodeAt(root, home);
  if (owner === undefined || owner.get(part[0]) !== undefined) return [];
  const inSections = holders.flatMap((path) => lostIn(root, path, part) ?? []);
  const inThings = around.flatMap((path) =>
    (nodeAt(root, path)?.entries ?? []).flatMap((thing) => lostInThing(thing, path, part) ?? []),
  );
  // What several things have is not meant for the pack.
  return inThings.length === 1 ? [...inSections, ...inThings] : inSections;
}

function lostInThing(
  { key, value }: Entry,
  path: readonly string[],
  [name, kind]: Part,
): LostPart | undefined {
  const entry = value.kind === "mapping" ? value.entry(name) : undefined;
  const made = things.get(path.at(-1) ?? "");
  if (entry?.value.kind !== kind || (made !== undefined && fields[made].has(name))) return undefined;
  return { entry, path: [...path, key.text], isInThing: true, taken: new Set([name]) };
}

function lostIn(root: MappingNode, path: readonly string[], [name, kind]: Part): LostPart | undefined {
  const holder = nodeAt(root, path);
  const entry = holder?.entry(name);
  if (holder === undefined || entry === undefined) return undefined;
  const outer = path.at(-1) ?? "";
  if (entry.value.kind === kind)
    return isLost(entry, outer, nodeAt(root, ["prompts"]))
      ? { entry, path, isInThing: false, taken: new Set([name]) }
      : undefined;
  const content = contentBelow(holder, entry, outer);
  if (content.length === 0) return undefined;
  const taken = new Set([name, ...content.map(({ key }) => key.text)]);
  const value = withEntries(entry.value, content);
  return { entry: { key: entry.key, value }, path, isInThing: false, taken };
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

/** A prompt may be called "tools", and an agent as well, which needs nothing but a prompt of its name to be one. */
function isLost({ key, value }: Entry, outer: string, prompts: MappingNode | undefined): boolean {
  const kind = things.get(outer);
  if (kind === undefined || value.kind !== "mapping") return true;
  const node = spelled(value, fields[kind]);
  if (kind !== "agent") return isForeign(node, makes[kind]);
  if (prompts?.entry(key.text) !== undefined) return false;
  return isMostlyUnknown(node, makes.agent) && value.entries.some((entry) => mayBeIn(key.text, entry));
}

function nodeAt(root: MappingNode, path: readonly string[]): MappingNode | undefined {
  let node: Node | undefined = root;
  for (const name of path) node = node?.kind === "mapping" ? node.get(name) : undefined;
  return node?.kind === "mapping" ? node : undefined;
}

/** The pack with other entries in the mapping at a path. */
export function changed(
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
