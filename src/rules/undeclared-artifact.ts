import { didYouMean } from "../nearest-name.js";
import type { PackRule } from "./rule.js";

export const undeclaredArtifact: PackRule = {
  id: "undeclared-artifact",
  subject: "pack",
  summary: "Every artifact that a prompt in the workflow reads is declared by a state.",
  severity: "warning",
  source: "RFC 0009, rule 4",
  *check({ artifacts }) {
    for (const { name, prompt, reading, states } of artifacts.reads) {
      if (states.length === 0 || reading.reference.local === true || artifacts.declared.has(name)) continue;
      const hint = didYouMean(name, artifacts.declared.keys());
      yield {
        at: reading.source.placeOf(reading.reference),
        message: `Prompt "${prompt.key.text}" reads the artifact "${name}", which no state declares.${hint}`,
      };
    }
  },
};
