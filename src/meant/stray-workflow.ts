import { childrenOf, type MappingNode, type Node } from "../document/node.js";
import { fields, isMade } from "./spelled.js";

/** From a section of the pack to the states in it: `workflow`, `states` and their names. */
const levels = 3;

/**
 * Whether states stand in the pack under a name that is not known there. The schema reports that name; that the pack
 * has no workflow would merely follow from it.
 */
export function hasStrayWorkflow({ entries }: MappingNode): boolean {
  return entries.some(
    ({ key, value }) => !fields.pack.has(key.text) && (key.text === "states" || holdsState(value, levels)),
  );
}

function holdsState(node: Node, depth: number): boolean {
  if (isMade(node, "state")) return true;
  return depth > 1 && childrenOf(node).some((child) => holdsState(child, depth - 1));
}
