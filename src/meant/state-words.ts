import type { Words } from "../diagnostic.js";
import { isEventName } from "../words/event-name.js";
import { truthWord } from "../words/truth-word.js";
import { fields } from "./spelled.js";

/** Whether a property of a state stands where an event should; `on_event` in `on_event` is another slip. */
export function isStateProperty(name: string): boolean {
  return name !== "on_event" && fields.state.has(name);
}

const valuesOf: Readonly<Record<string, RegExp>> = {
  persistence: /^(?:transient|persistent)$/,
  orchestration: /^(?:internal|external|hybrid)$/,
  terminal: truthWord,
  skills: /^none$/,
  description: /\s/,
  // No event is called so.
  max_visits: /^/,
  on_max_visits: /^/,
};

/** Whether a value is surely that of a property of a state, and not a name that an event leads to. */
export function isValueOfProperty(name: string, value: unknown): boolean {
  if (!isStateProperty(name) || value === null) return false;
  return typeof value !== "string" || valuesOf[name]?.test(value) === true;
}

/** What to say of one. */
export function strayPropertyWords(name: string): Words {
  return {
    message: `"${name}" is a property of a state, not an event.`,
    advice: `Put it beside "on_event".`,
  };
}

/** Whether a property that an artifact does not have is one of the state around it. */
export function isAroundArtifact(name: string): boolean {
  return name !== "description" && fields.state.has(name);
}

/** Whether a property that a state does not know is surely one of its events: called like one, and leading to a state. */
export function isEventOf(name: string, target: unknown, isState: (name: string) => boolean): boolean {
  return typeof target === "string" && isEventName(name) && isState(target);
}
