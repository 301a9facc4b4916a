import { Key, MappingNode, type Entry, type Node } from "../document/node.js";
import { isKnown } from "../document/spelled-values.js";
import type { Make } from "./unindented.js";
import { isCalledWay, meantProperty } from "./meant-property.js";

/** The keys that the schema knows in each part of a pack that is read here. */
export const fields = {
  pack: setOf(
    "$schema id name version description template_engine prompts fragments tools metadata compilation evals workflow agents skills",
  ),
  templateEngine: setOf("version syntax features"),
  prompt: setOf(
    "id name description version system_template variables tools tool_policy pipeline parameters validators evals tested_models model_overrides media",
  ),
  variable: setOf("name type required default description example validation binding"),
  modelOverride: setOf("system_template_prefix system_template_suffix system_template parameters"),
  tool: setOf("name description parameters"),
  workflow: setOf("version entry states engine"),
  state: setOf(
    "prompt_task description on_event persistence orchestration skills terminal max_visits on_max_visits artifacts",
  ),
  artifact: setOf("type description mode"),
  budget: setOf("max_total_visits max_tool_calls max_wall_time_sec"),
  agents: setOf("entry members"),
  agent: setOf("description tags input_modes output_modes state"),
} as const;

/** What things are made of, with what they cannot do without. */
export const makes = {
  prompt: make(fields.prompt, "id", "name", "version", "system_template"),
  tool: make(fields.tool, "name", "description"),
  state: make(fields.state, "prompt_task"),
  agent: make(fields.agent),
  artifact: make(fields.artifact, "type"),
};

export type Made = keyof typeof makes;

/** Whether it has all that a thing of this kind cannot do without. */
export function isMade(node: Node, kind: Made): node is MappingNode {
  return node.kind === "mapping" && makes[kind].required.every((name) => node.get(name) !== undefined);
}

function make(known: ReadonlySet<string>, ...required: readonly string[]): Make {
  return { hasProperty: (name) => known.has(name), required };
}

/** More unknown keys than this are no slips of the pen. */
const mostSlips = 20;

/**
 * The mapping as its author meant it: a misspelt key counts as the one that it most likely stands for. The schema
 * reports the misspelling; what would follow from it is not worth a word.
 */
export function spelled(node: MappingNode, known: ReadonlySet<string>): MappingNode {
  if (node.entries.every(({ key }) => known.has(key.text))) return node;
  const slips: Entry[] = [];
  for (const entry of node.entries) {
    // What is written under a name for ways need not be events, and is not read as such.
    if (known.has(entry.key.text) || isCalledWay(entry.key.text)) continue;
    slips.push(entry);
    if (slips.length > mostSlips) return node;
  }
  const meant = new Map<Entry, string>();
  const free = new Set([...known].filter((name) => node.entry(name) === undefined));
  for (const slip of slips) {
    const name = meantProperty(slip.key.text, known);
    if (name !== undefined && free.delete(name)) meant.set(slip, name);
  }
  return meant.size === 0 ? node : respelled(node, meant);
}

/** The same for a node that may be something else. */
export function spelledMapping(node: Node | undefined, known: ReadonlySet<string>): MappingNode | undefined {
  return node?.kind === "mapping" ? spelled(node, known) : undefined;
}

function respelled(node: MappingNode, meant: ReadonlyMap<Entry, string>): MappingNode {
  const entries = node.entries.map((entry) => {
    const name = meant.get(entry);
    if (name === undefined) return entry;
    const key = new Key(name, entry.key.start, entry.key.end);
    key.value = entry.value;
    return { key, value: entry.value };
  });
  return withEntries(node, entries);
}

/** Whether all that a section holds is known: it is absent, or of its kind. Null is what the schema refuses. */
export function isComplete(section: Node | undefined, kind: Node["kind"]): boolean {
  return section === undefined || isKnown(section, kind);
}

/** A section that must have an entry; the schema refuses it where it has none, as it does null. */
export function unlessEmpty(section: MappingNode | undefined): MappingNode | undefined {
  return section?.entries.length === 0 ? undefined : section;
}

/** A mapping in the place of a node: its values stay as they are, and know where they are written. */
export function withEntries(node: Node, entries: readonly Entry[]): MappingNode {
  const copy = new MappingNode(node.start, node.end, entries, node.kind === "scalar" ? node : node.head);
  copy.parent = node.parent;
  copy.key = node.key;
  return copy;
}

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
