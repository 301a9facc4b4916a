import type { Place } from "../diagnostic.js";
import type { PackRule } from "./rule.js";

export const duplicateSkill: PackRule = {
  id: "duplicate-skill",
  subject: "pack",
  summary: "Inline skills have different names.",
  severity: "warning",
  source: "RFC 0008, inline skills",
  *check({ skills }) {
    const first = new Map<string, Place>();
    for (const source of skills.sources) {
      if (source.kind !== "inline") continue;
      const name = source.name.text;
      const earlier = first.get(name);
      if (earlier === undefined) {
        first.set(name, source.at);
        continue;
      }
      yield {
        at: source.at,
        message: `Another skill is called "${name}".`,
        advice: "Give each its own name.",
        related: [{ at: earlier, message: "the first is here" }],
      };
    }
  },
};
