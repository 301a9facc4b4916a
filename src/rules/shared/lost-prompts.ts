import type { Prompt } from "../../pack/prompt.js";

/** The ids of prompts whose key another prompt has, too: there the key is wrong, and what names the id is not. */
export function idsOfDoubled(prompts: ReadonlyMap<string, Prompt>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { key, id } of prompts.values()) if (key.isDoubled && id !== undefined) ids.add(id.text);
  return ids;
}
