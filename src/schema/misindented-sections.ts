import { lowerBound } from "../document/line-map.js";
import { type Entry, isNull, type Key, type MappingNode, type Node } from "../document/node.js";
import { sections, type Shape, shapeOf } from "./pack-places.js";

/** Parts of a pack or of its workflow that end up inside a neighbour where they are indented too far. */
interface Indentable {
  /** The path of what they are parts of. */
  readonly home: readonly string[];
  readonly parts: readonly Part[];
  /** Where they end up. */
  readonly holders: readonly (readonly string[])[];
  /** Sections in whose entries they end up. */
  readonly around?: readonly (readonly string[])[];
}

type Part = readonly [name: string, kind: Node["kind"]];

const states = ["workflow", "states"];
const members = ["agents", "members"];

export const indentable: readonly Indentable[] = [
  {
    home: [],
    parts: sections,
    holders: [["template_engine"], ...sections.map(([name]) => [name]), states, members],
  },
  {
    home: [],
    // A prompt lists tools of its own.
    parts: sections.filter(([name]) => name !== "tools"),
    holders: [],
    around: [["prompts"], ["tools"], states, members],
  },
  {
    home: ["workflow"],
    parts: [
      ["version", "scalar"],
      ["entry", "scalar"],
      ["engine", "mapping"],
    ],
    holders: [states],
  },
  {
    home: ["workflow"],
    parts: [
      ["entry", "scalar"],
      ["states", "mapping"],
    ],
    holders: [["workflow", "engine"]],
  },
];

/** What the entries of a section are. */
const nouns: ReadonlyMap<string, string> = new Map([
  ["prompts", "prompt"],
  ["tools", "tool"],
  ["states", "state"],
  ["members", "agent"],
]);

/** A part that is inside a neighbour of its home. */
export interface IndentedPart {
  /** The path of the neighbour. */
  readonly path: readonly string[];
  /** Whether that is an entry of a section. */
  readonly isInEntry: boolean;
}

/** Where a part is that its home does not have. */
export function indentedParts(
  root: MappingNode,
  { home, holders, around = [] }: Indentable,
  [name, kind]: Part,
): readonly IndentedPart[] {
  const owner = mappingAt(root, home);
  if (owner === undefined || owner.get(name) !== undefined) return [];
  const inSections = holders.filter((path) => {
    const value = mappingAt(root, path)?.get(name);
    return value?.kind === kind && !isEntryOf(value, path.at(-1) ?? "", root);
  });
  const inEntries = around.flatMap((path) => {
    const noun = nouns.get(path.at(-1) ?? "");
    return (mappingAt(root, path)?.entries ?? []).flatMap(({ key, value }) => {
      const part = value.kind === "mapping" ? value.get(name) : undefined;
      return part?.kind !== kind || (noun !== undefined && shapeOf(noun).has(name))
        ? []
        : [[...path, key.text]];
    });
  });
  // A part that several entries have belongs to them.
  return [
    ...inSections.map((path) => ({ path, isInEntry: false })),
    ...(inEntries.length === 1 ? inEntries : []).map((path) => ({ path, isInEntry: true })),
  ];
}

/** Whether an object named like a section is an entry of the section it is in: a prompt may be called "tools". */
function isEntryOf(value: Node, section: string, root: MappingNode): boolean {
  const noun = nouns.get(section);
  if (noun === undefined || value.kind !== "mapping") return false;
  if (noun === "agent") return mappingAt(root, ["prompts"])?.entry(nameOf(value)) !== undefined;
  return !isForeign(value, shapeOf(noun));
}

function nameOf({ key }: MappingNode): string {
  return key === null || typeof key === "number" ? "" : key.text;
}

function mappingAt(root: MappingNode, path: readonly string[]): MappingNode | undefined {
  let node: Node | undefined = root;
  for (const name of path) node = node?.kind === "mapping" ? node.get(name) : undefined;
  return node?.kind === "mapping" ? node : undefined;
}

/** Neighbouring properties that are beside the thing they belong to, which is the one before them. */
export interface Unindented {
  readonly owner: Entry | undefined;
  readonly entries: readonly Entry[];
}

/** In a mapping from names to things, the entries that are not things but properties of one. */
export function unindentedIn(
  { entries, allEntries = entries }: MappingNode,
  shape: Shape,
): readonly Unindented[] {
  const found: Unindented[] = [];
  let owner: Entry | undefined;
  let run: Entry[] | undefined;
  for (const entry of allEntries) {
    if (!isProperty(entry, shape) || hasAlready(owner, entry.key.text)) {
      owner = entry.value.kind === "mapping" || isNull(entry.value) ? entry : undefined;
      run = undefined;
    } else if (run === undefined) found.push({ owner, entries: (run = [entry]) });
    else run.push(entry);
  }
  return found;
}

/** The entries right below one without a value that may belong inside it. */
export function linesBelow(empty: Node | undefined, mayHold: (key: Key) => boolean): readonly Key[] {
  // A null that is written out is intended.
  if (empty === undefined || empty.start !== empty.end) return [];
  const holder = empty.parent;
  if (holder?.kind !== "mapping") return [];
  const { entries, allEntries = entries } = holder;
  // Merged entries are not in the order of the text; where a key is repeated, `written` is.
  let at =
    holder.allEntries === undefined
      ? entries.findIndex((entry) => entry.value === empty) + 1
      : lowerBound(allEntries, empty.end, ({ key }) => key.start);
  const lines: Key[] = [];
  for (let key = allEntries[at]?.key; key && mayHold(key); key = allEntries[++at]?.key) lines.push(key);
  return lines;
}

/** Whether a key is the last of its name in its mapping: of the others the tree has no value. */
export function counts({ text, value }: Key): boolean {
  const holder = value?.parent;
  return holder?.kind === "mapping" && holder.get(text) === value;
}

/** Whether a mapping does not have this shape: it lacks something, and most of what it has is unknown. */
function isForeign(node: MappingNode, { has, required }: Shape): boolean {
  const unknown = node.entries.filter(({ key }) => !has(key.text)).length;
  return required.some((name) => node.get(name) === undefined) && 2 * unknown > node.entries.length;
}

/** A thing may be called like a property. */
function isProperty({ key, value }: Entry, shape: Shape): boolean {
  if (!shape.has(key.text) || isNull(value)) return false;
  return value.kind !== "mapping" || isForeign(value, shape);
}

function hasAlready(owner: Entry | undefined, name: string): boolean {
  return owner?.value.kind === "mapping" && owner.value.get(name) !== undefined;
}
