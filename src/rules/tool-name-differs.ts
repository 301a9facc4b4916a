import type { PackRule } from "./rule.js";

export const toolNameDiffers: PackRule = {
  id: "tool-name-differs",
  subject: "pack",
  summary: "The `name` of a tool is its key.",
  severity: "warning",
  source: "RFC 0001, tools",
  *check({ tools }) {
    for (const { key, name, isUnclear } of tools.values()) {
      if (isUnclear || name === undefined || name.text === key.text) continue;
      const other = tools.has(name.text) ? ", which is the key of another tool" : "";
      yield {
        at: name,
        message: `Tool "${key.text}" has the name "${name.text}"${other}.`,
        advice: "Make them the same: some runtimes go by the key, others by the name.",
        // A name above its tool comes from an alias or a merge key.
        ...(name.start < key.start && { related: [{ at: key, message: `used by "${key.text}" here` }] }),
      };
    }
  },
};
