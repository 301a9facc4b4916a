import type { Place } from "../diagnostic.js";
import type { PackRule } from "./rule.js";

export const duplicateProvider: PackRule = {
  id: "duplicate-provider",
  subject: "pack",
  summary: "The providers that a pack requires have different keys.",
  severity: "error",
  since: "1.5.1",
  section: "requires",
  source: "RFC 0012, provider requirements",
  *check({ providers }) {
    const first = new Map<string, Place>();
    for (const { at, key } of providers.required) {
      const earlier = first.get(key.text);
      if (earlier === undefined) {
        first.set(key.text, at);
        continue;
      }
      yield {
        at,
        message: `The pack requires another provider with the key "${key.text}".`,
        advice: "Give each its own key, or remove one.",
        related: [{ at: earlier, message: "the first is here" }],
      };
    }
  },
};
