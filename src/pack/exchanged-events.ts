import { isEventName } from "../words/event-name.js";
import { guesser } from "../words/nearest-name.js";
import type { Transition, Workflow } from "./workflow.js";

/**
 * The transitions that have the state in the place of the event, and the event in that of the state: `review: Written`.
 * Not where `Written` may be a misspelt state, or would be two events of one state.
 */
export function exchangedEvents(workflow: Workflow): ReadonlySet<Transition> {
  const { states, stateNamed, stateNames, isUnknown } = workflow;
  const guess = guesser();
  const isMisspelt = (name: string, event: string) => (guess(name, stateNames()) ?? event) !== event;
  const found = new Set<Transition>();
  for (const { transitions } of states) {
    const names = new Set(transitions.map(({ event }) => event.text));
    for (const transition of transitions) {
      const { event, target } = transition;
      if (target === undefined || stateNamed(event.text) === undefined || !isUnknown(target.text)) continue;
      if (isEventName(event.text) || !isEventName(target.text) || names.has(target.text)) continue;
      names.add(target.text);
      if (!isMisspelt(target.text, event.text)) found.add(transition);
    }
  }
  return found;
}
