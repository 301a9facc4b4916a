import { type Entry, Key, type MappingNode } from "../document/node.js";
import { asMapping } from "../document/spelled-values.js";
import { losable } from "./losable.js";
import { changed, nodeAt } from "./lost-sections.js";
import { isOnlyMade, namesListedBy } from "./named-strays.js";
import { fields, isMade, withEntries } from "./spelled.js";

/** The content of a section of which the line with its name is missing, so that it stands in the one before it. */
export interface Nameless {
  readonly section: string;
  /** The names on the way to what it stands in. */
  readonly path: readonly string[];
  readonly entries: readonly [Entry, ...Entry[]];
}

type Search = (holder: MappingNode, root: MappingNode) => readonly Entry[];

/** How to find what is surely the content of a section, wherever it stands. */
const searches: Readonly<Record<string, Search>> = {
  prompts: ({ entries }) => entries.filter(({ value }) => isMade(value, "prompt")),
  tools: toolsIn,
  workflow: (holder) => (holdsWorkflow(holder) ? holder.entries.filter(isOfWorkflow) : []),
};

export function namelessSections(root: MappingNode): readonly Nameless[] {
  return Object.entries(searches).flatMap(([section, search]) =>
    root.get(section) === undefined ? (firstIn(root, section, search) ?? []) : [],
  );
}

function firstIn(root: MappingNode, section: string, search: Search): Nameless | undefined {
  for (const path of losable[0].holders) {
    const holder = nodeAt(root, path);
    if (holder === undefined || holder.entry(section) !== undefined) continue;
    const [first, ...others] = search(holder, root);
    if (first !== undefined) return { section, path, entries: [first, ...others] };
  }
  return undefined;
}

/** The pack with these sections. The schema says which are missing; what would follow is not worth a word. */
export function withNamelessSections(root: MappingNode): MappingNode {
  return namelessSections(root).reduce((pack, { section, path, entries }) => {
    const [{ key, value }] = entries;
    const own = new Set<Entry>(entries);
    const rest = changed(pack, path, (others) => others.filter((entry) => !own.has(entry)));
    const named = { key: new Key(section, key.start, key.end), value: withEntries(value, entries) };
    return changed(rest, [], (others) => [...others, named]);
  }, root);
}

/** An agent that a prompt lists is a prompt, be it whole or not. */
function toolsIn({ entries }: MappingNode, root: MappingNode): readonly Entry[] {
  const found = entries.filter((entry) => isOnlyMade(entry, "tool"));
  if (found.length === 0) return [];
  const listed = namesListedBy(asMapping(root.get("prompts")));
  const members = nodeAt(root, ["agents", "members"]);
  return found.filter(({ key }) => listed.has(key.text) && members?.entry(key.text) === undefined);
}

function isOfWorkflow({ key }: Entry): boolean {
  return fields.workflow.has(key.text);
}

function holdsWorkflow(holder: MappingNode): boolean {
  const states = asMapping(holder.get("states"));
  return (
    holder.get("entry")?.kind === "scalar" &&
    states?.entries.some(({ value }) => isMade(value, "state")) === true
  );
}
