import type { PackRule } from "./rule.js";

export const promptIdDiffers: PackRule = {
  id: "prompt-id-differs",
  subject: "pack",
  summary: "The `id` of a prompt is its key.",
  severity: "warning",
  source: "RFC 0001, prompts",
  *check({ prompts }) {
    for (const { key, id } of prompts.values()) {
      // Which of two prompts the key is for is not known.
      if (key.isDoubled) continue;
      if (id === undefined || id.text === key.text || isMisspeltKey(id.text, key.text)) continue;
      const other = prompts.has(id.text) ? ", which is the key of another prompt" : "";
      yield {
        at: id,
        message: `Prompt "${key.text}" has the id "${id.text}"${other}.`,
        advice: "States and agents refer to a prompt by its key: make the id and the key the same.",
        // An alias or a merge key brings what stands before it.
        ...(id.start < key.start && { related: [{ at: key, message: `"${key.text}" gets it here` }] }),
      };
    }
  },
};

/** An id the schema rejects, empty or the key but for the way an id must be spelt: that is one fault, not two. */
function isMisspeltKey(id: string, key: string): boolean {
  if (id === "") return true;
  return (
    !/^[a-z][a-z0-9_-]*$/.test(id) &&
    id.trim().toLowerCase().replaceAll(/[ .]/g, "-") === key.replaceAll("_", "-")
  );
}
