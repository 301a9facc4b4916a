import type { Entry, MappingNode, Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { isForeign, linesBelow } from "./unindented.js";
import { type Losable, losable } from "./homes.js";
import { fields, isMade, makeOf, type Made, spelled, withEntries } from "./spelled.js";

/** What the entries of a section are, where a section could be taken for one. */
const things: ReadonlyMap<string, Made> = new Map([
  ["prompts", "prompt"],
  ["tools", "tool"],
  ["states", "state"],
]);

/** The properties of sections that have no others. */
const ownFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["template_engine", fields.templateEngine],
  ["workflow", fields.workflow],
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
  const inside = linesBelow(entry.value, (below) => isContent(name, holder.entry(below), path));
  if (inside.length === 0) return undefined;
  const names = new Set(inside.map(({ text }) => text));
  const content = holder.entries.filter(({ key }) => names.has(key.text));
  return { entry: { key: entry.key, value: withEntries(entry.value, content) }, taken: names.add(name) };
}

/** Whether an entry below the name of a section is one that the section has, and that its own holder has not. */
function isContent(section: string, entry: Entry | undefined, path: readonly string[]): boolean {
  const holder = path.at(-1) ?? "";
  if (entry === undefined || ownFields.get(holder)?.has(entry.key.text) === true) return false;
  const fieldsInside = ownFields.get(section);
  if (fieldsInside !== undefined) return fieldsInside.has(entry.key.text);
  const around = things.get(holder);
  if (section === "fragments") return around === undefined && stringOf(entry.value) !== undefined;
  const kind = things.get(section);
  if (kind === undefined || !isMade(entry, kind)) return false;
  // A prompt has all that a tool needs.
  return kind === "prompt" || around === undefined || !isMade(entry, around);
}

/** A prompt may be called "tools". */
function isLost(value: Node, outer: readonly string[]): boolean {
  const kind = things.get(outer.at(-1) ?? "");
  if (kind === undefined || value.kind !== "mapping") return true;
  return isForeign(spelled(value, fields[kind]), makeOf(kind));
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
