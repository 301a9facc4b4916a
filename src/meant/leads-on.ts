import { childrenOf, type MappingNode, type Node } from "../document/node.js";
import { isCalledWay } from "./meant-property.js";
import { fields } from "./spelled.js";

/**
 * Whether a property that no state has is called as a way to others is, or names another state: what is written there
 * may be meant to lead to it. The schema reports the property; that the state leads nowhere is not known.
 */
export function mayLeadOn({ entries }: MappingNode, isOther: (name: string) => boolean): boolean {
  return entries.some(
    ({ key, value }) => !fields.state.has(key.text) && (isCalledWay(key.text) || names(value, isOther)),
  );
}

function names(value: Node, isOther: (name: string) => boolean): boolean {
  const waiting = [value];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "scalar" && typeof node.value === "string" && isOther(node.value)) return true;
    if (node.kind === "mapping" && node.entries.some(({ key }) => isOther(key.text))) return true;
    for (const child of childrenOf(node)) waiting.push(child);
  }
  return false;
}
