import type { Finding, Place } from "../diagnostic.js";
import type { Obligation, Review } from "../pack/governance.js";
import type { PackRule } from "./rule.js";

export const duplicateObligation: PackRule = {
  id: "duplicate-obligation",
  subject: "pack",
  summary: "The obligations of a governance object, and its reviews, have different ids.",
  severity: "error",
  since: "1.8.0",
  source: "RFC 0016, rule 2",
  *check({ governance }) {
    for (const { owner, obligations, reviews } of governance.objects) {
      yield* repeatedIds(`${owner} has another obligation`, obligations);
      yield* repeatedIds(`${owner} has another review`, reviews);
    }
  },
};

function* repeatedIds(fault: string, items: readonly (Obligation | Review)[]): Iterable<Finding> {
  const first = new Map<string, Place>();
  for (const { at, id } of items) {
    const earlier = first.get(id.text);
    if (earlier === undefined) {
      first.set(id.text, at);
      continue;
    }
    yield {
      at,
      message: `${fault} with the id "${id.text}".`,
      advice: "Give each its own id.",
      related: [{ at: earlier, message: "the first is here" }],
    };
  }
}
