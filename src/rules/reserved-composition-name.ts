import type { PackRule } from "./rule.js";

const reservedPrefix = "workflow__";

export const reservedCompositionName: PackRule = {
  id: "reserved-composition-name",
  subject: "pack",
  summary: "No composition has a name that begins with `workflow__`.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, compositions",
  *check({ compositions }) {
    for (const { key } of compositions.values()) {
      if (!key.text.startsWith(reservedPrefix)) continue;
      yield {
        at: key,
        message: `The name of the composition "${key.text}" begins with "${reservedPrefix}", which is reserved for runtimes.`,
        advice: "Give it another name.",
      };
    }
  },
};
