import type { PackRule } from "./rule.js";

export const promptIdDiffers: PackRule = {
  id: "prompt-id-differs",
  subject: "pack",
  summary: "The `id` of a prompt is its key.",
  severity: "warning",
  source: "RFC 0001, prompts",
  *check({ prompts, clearPrompts }) {
    const taken = new Set(prompts.keys());
    for (const { key, id } of clearPrompts) {
      if (id === undefined || id.text === key.text) continue;
      const other = prompts.has(id.text) ? ", which is the key of another prompt" : "";
      yield {
        at: id,
        message: `Prompt "${key.text}" has the id "${id.text}"${other}.`,
        advice: `States and agents refer to a prompt by its key: ${remedyFor(id.text, key.text, taken)}.`,
        // An id above its prompt comes from an alias or a merge key.
        ...(id.start < key.start && { related: [{ at: key, message: `used by "${key.text}" here` }] }),
      };
      taken.add(id.text);
    }
  },
};

function remedyFor(id: string, key: string, taken: ReadonlySet<string>): string {
  if (/^[a-z][a-z0-9_-]*$/.test(key)) return "make the id and the key the same";
  return taken.has(id) ? "give both one name that is valid as an id" : `rename the key to "${id}"`;
}
