import { fieldsOfStep, kindsWithField } from "../schema/pack-places.js";
import { createGuesser, nameAdvice } from "../text/names.js";
import { joinWords } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import { clearSteps } from "./shared/composition-findings.js";

export const unknownStepField: PackRule = {
  id: "unknown-step-field",
  subject: "pack",
  summary: "A step has only the fields of its kind.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  *check(pack) {
    const guess = createGuesser();
    for (const { id, kind, node, isComplete } of clearSteps(pack)) {
      // The schema reports a misspelt field that is required.
      if (kind === "vendor" || !isComplete) continue;
      for (const { key } of node.entries) {
        const kinds = kindsWithField(key.text);
        // Extensions are never judged (RFC 0016).
        if (kinds === undefined || kinds.includes(kind) || key.text === "extensions") continue;
        const absent = fieldsOfStep(kind).filter((field) => node.get(field) === undefined);
        yield {
          at: key,
          message: `Step "${id.text}" is ${kind === "agent" ? "an" : "a"} ${kind} step, which has no field "${key.text}".`,
          advice:
            nameAdvice(key.text, absent, guess) ??
            (kinds.length === 0 ? undefined : `Only ${joinWords(kinds, "and")} steps have it.`),
        };
      }
    }
  },
};
