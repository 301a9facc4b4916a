import type { Entry, MappingNode } from "../document/node.js";
import { asMapping, itemsOf, stringOf } from "../document/spelled-values.js";
import { changed } from "./lost-sections.js";
import { fields, isMade } from "./spelled.js";

/** The sections whose entries are known less by what they hold than by who names them. */
const homes = ["fragments", "tools", "agents.members"] as const;

type NamedHome = (typeof homes)[number];

/** What stands at the top level of a pack, for want of indentation, and belongs in a section that is there. */
export function namedStrays(root: MappingNode): ReadonlyMap<Entry, NamedHome> {
  const found = new Map<Entry, NamedHome>();
  const unknown = root.entries.filter(({ key }) => !fields.pack.has(key.text));
  if (unknown.length === 0) return found;
  const prompts = asMapping(root.get("prompts"));
  const sections = {
    fragments: asMapping(root.get("fragments")),
    tools: asMapping(root.get("tools")),
    "agents.members": asMapping(asMapping(root.get("agents"))?.get("members")),
  };
  const included = namesIncludedBy(prompts, sections.fragments);
  const listed = namesListedBy(prompts);
  for (const entry of unknown) {
    const { text } = entry.key;
    const isOneOf: Record<NamedHome, boolean> = {
      fragments: included.has(text) && stringOf(entry.value) !== undefined,
      tools: listed.has(text) && isOnlyMade(entry, "tool"),
      "agents.members": prompts?.entry(text) !== undefined && isOnlyMade(entry, "agent"),
    };
    const home = homes.find((name) => isOneOf[name] && sections[name]?.entry(text) === undefined);
    if (home !== undefined && sections[home] !== undefined) found.set(entry, home);
  }
  return found;
}

/** The pack with these in their sections. The schema says where they belong; what would follow is not worth a word. */
export function withNamedStrays(root: MappingNode): MappingNode {
  const strays = [...namedStrays(root)];
  return homes.reduce((pack, home) => {
    const own = strays.flatMap(([entry, name]) => (name === home ? entry : []));
    return own.length === 0 ? pack : changed(pack, home.split("."), (entries) => [...entries, ...own]);
  }, root);
}

/** Whether it is whole as a thing of a kind, and nothing else. An agent needs nothing: something has to tell it is one. */
function isOnlyMade({ value }: Entry, kind: "tool" | "agent"): boolean {
  if (!isMade(value, kind) || value.entries.length === 0) return false;
  return value.entries.every(({ key }) => fields[kind].has(key.text));
}

type Names = ReadonlySet<string | undefined>;

function namesListedBy(prompts: MappingNode | undefined): Names {
  return new Set(partsOf(prompts, "tools").flatMap((list) => itemsOf(list).map(stringOf)));
}

function namesIncludedBy(prompts: MappingNode | undefined, fragments: MappingNode | undefined): Names {
  const texts = [
    ...partsOf(prompts, "system_template"),
    ...(fragments?.entries ?? []).map(({ value }) => value),
  ];
  return new Set(
    texts.flatMap((text) =>
      [...(stringOf(text) ?? "").matchAll(/\bfragments\.([\w-]+)/g)].map(([, name]) => name),
    ),
  );
}

function partsOf(prompts: MappingNode | undefined, name: string) {
  return (prompts?.entries ?? []).map(({ value }) => asMapping(value)?.get(name));
}
