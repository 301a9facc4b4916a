import type { Finding, Place } from "../../diagnostic.js";

interface Named {
  readonly at: Place;
  readonly name: string;
}

/** A finding for each item whose name an earlier one has. */
export function* repeatedNames(
  items: Iterable<Named>,
  messageFor: (name: string) => string,
  advice = "Give each its own id.",
): Iterable<Finding> {
  const firsts = new Map<string, Place>();
  for (const { at, name } of items) {
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, at);
    else
      yield { at, message: messageFor(name), advice, related: [{ at: first, message: "the first is here" }] };
  }
}
