import { atomsOf } from "../composition/predicate.js";
import type { Reference } from "../composition/references.js";
import type { Step } from "../composition/composition.js";
import { quoteValue } from "../schema/show-value.js";
import type { PackRule } from "./rule.js";

export const referenceSyntax: PackRule = {
  id: "reference-syntax",
  subject: "pack",
  summary: "A reference in a composition is a dot path in braces, and nothing else.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, references",
  *check({ compositions }) {
    for (const { allSteps } of compositions.values())
      for (const step of allSteps) {
        if (step.isUnclear) continue;
        for (const reference of referencesOf(step)) {
          if (reference.path !== undefined) continue;
          yield { at: reference.at, wants: "a reference", ...wordsFor(step, reference) };
        }
      }
  },
};

function* referencesOf({ inputs, predicate }: Step): Iterable<Reference> {
  yield* inputs;
  for (const { path } of predicate === undefined ? [] : atomsOf(predicate))
    if (path.reference !== undefined) yield path.reference;
}

function wordsFor({ id }: Step, { text, isClosed }: Reference) {
  const subject = `In step "${id.text}",`;
  if (!isClosed) return { message: `${subject} a "\${" has no closing brace.` };
  if (text === "") return { message: `${subject} "\${}" names nothing.` };
  return {
    message: `${subject} ${quoteValue(`\${${text}}`)} is not a dot path.`,
    advice: 'A reference is names joined by dots, as in "${classify.output.intent}".',
  };
}
