import { stringOf } from "../document/spelled-values.js";
import { startsOver } from "../meant/starts-over.js";
import type { Prompt } from "./prompt.js";

/** The ids of prompts without a key of their own, which another has, too, or which is missing: what names such an id is not wrong. */
export function idsWithoutKey(prompts: ReadonlyMap<string, Prompt>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { key, node } of prompts.values()) {
    if (node === undefined || (!key.isDoubled && !startsOver(node))) continue;
    const id = stringOf(node.get("id"));
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
