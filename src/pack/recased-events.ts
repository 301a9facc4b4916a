import { toEventName } from "../words/event-name.js";

/** The missing events that a prompt has in PascalCase, with that name; none whose name would be another event's, too. */
export function recasedEvents(
  missing: readonly string[],
  events: ReadonlySet<string>,
  isMentioned: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const named = new Map<string, number>();
  for (const event of events) {
    const name = toEventName(event) ?? event;
    named.set(name, (named.get(name) ?? 0) + 1);
  }
  const recased = new Map<string, string>();
  for (const event of missing) {
    const name = toEventName(event) ?? event;
    if (name !== event && named.get(name) === 1 && isMentioned(name)) recased.set(event, name);
  }
  return recased;
}
